package siemload.measure;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class StripedQueueTest {
    private static final int THREADS = 40;
    private static final int EACH = 2_000;

    private record Numbered(int thread, int number) {}

    @Test
    void givesEverythingOnceAndWhatOneThreadAddedInOrder() throws InterruptedException {
        LatencyRecorder.StripedQueue<Numbered> queue = new LatencyRecorder.StripedQueue<>();
        Map<Integer, List<Integer>> drained = new TreeMap<>();
        List<Thread> adding = IntStream.range(0, THREADS)
                .mapToObj(thread -> new Thread(
                        () -> IntStream.range(0, EACH).forEach(number -> queue.add(new Numbered(thread, number)))))
                .toList();
        adding.forEach(Thread::start);

        while (adding.stream().anyMatch(Thread::isAlive)) {
            drain(queue, drained);
        }
        for (Thread thread : adding) {
            thread.join();
        }
        drain(queue, drained);

        List<Integer> all = IntStream.range(0, EACH).boxed().toList();
        assertEquals(THREADS, drained.size());
        drained.values().forEach(numbers -> assertEquals(all, numbers));
    }

    private static void drain(LatencyRecorder.StripedQueue<Numbered> queue, Map<Integer, List<Integer>> drained) {
        queue.drainTo(one -> drained.computeIfAbsent(one.thread(), unused -> new ArrayList<>())
                .add(one.number()));
    }
}
