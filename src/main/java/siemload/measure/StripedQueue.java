package siemload.measure;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Takes things from many threads for somebody who looks in now and then. Each thread adds to one of several lists, as a
 * {@link java.util.concurrent.atomic.LongAdder} has several cells: processors that write to one place of memory by turns wait for it
 * each time. Has no bound. Thread-safe; a list is locked only while one thing is added or all are taken out. What one thread adds
 * stays in order.
 *
 * @param <T> the things
 */
public final class StripedQueue<T> {
    /** A power of two. */
    private static final int STRIPES = 16;
    /** How many things a list holds before it grows for the first time. */
    private static final int ROOM = 64;

    private final List<Stripe<T>> stripes =
            Stream.generate(Stripe<T>::new).limit(STRIPES).toList();

    private static final class Stripe<T> {
        private List<T> waiting = new ArrayList<>(ROOM);

        synchronized void add(T one) {
            waiting.add(one);
        }

        synchronized List<T> take() {
            if (waiting.isEmpty()) {
                return List.of();
            }
            List<T> taken = waiting;
            waiting = new ArrayList<>(ROOM);
            return taken;
        }
    }

    /** Adds something. */
    public void add(T one) {
        stripes.get((int) Thread.currentThread().getId() & (STRIPES - 1)).add(one);
    }

    /** Takes out all that is there. */
    public void drainTo(Consumer<? super T> taker) {
        stripes.forEach(stripe -> stripe.take().forEach(taker));
    }
}
