package siemload.database.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import siemload.database.Store;
import siemload.database.Store.DatasetKey;
import siemload.database.Store.EventSink;
import siemload.database.Target;
import siemload.event.SecurityEvent;

/**
 * Two siemloads at once on one server load the same data set, copy it under the same run id and feed their copies, with
 * random pauses in between: neither loses anything, and nobody sees half a data set. {@code -Dinterleavings=500} tries more.
 */
public interface ConcurrencyContract {
    int EVENTS = 20;
    long LONGEST_PAUSE_NANOS = 30_000_000;

    ContractSubject subject();

    @Test
    default void twoAtOnceLoseNothingAndSeeNoHalfOfADataSet() {
        for (int seed = 0; seed < Integer.getInteger("interleavings", 1); seed++) {
            DatasetKey key =
                    new DatasetKey(String.format(Locale.ROOT, "00000000c0c0%04x", seed), "shared " + seed, EVENTS);
            subject().target().discard(key);
            SplittableRandom random = new SplittableRandom(seed);
            SplittableRandom ofOther = random.split();
            CompletableFuture<Void> other = CompletableFuture.runAsync(() -> loadAndFeed(key, "other", ofOther));
            loadAndFeed(key, "one", random);
            other.join();
            try (Store next = subject().target().copy(key, "next")) {
                assertThat(next.events()).as(key.label()).isEqualTo(EVENTS);
            }
            subject().target().discard(key);
            assertThat(subject().target().holds(key)).isFalse();
        }
    }

    private void loadAndFeed(DatasetKey key, String who, SplittableRandom random) {
        try (Target target = subject().connect(ContractSubject.TIMEOUT)) {
            pause(random);
            if (!target.holds(key)) {
                ContractSubject.load(target, key, events());
            }
            assertThat(target.holds(key)).isTrue();
            pause(random);
            try (Store store = target.copy(key, "same-second")) {
                assertThat(store.events()).isEqualTo(EVENTS);
                pause(random);
                try (EventSink sink = store.openSink()) {
                    sink.write(List.of(new RandomEvents(1).event("fed by " + who)));
                }
                pause(random);
                assertThat(store.events()).isEqualTo(EVENTS + 1);
                assertThat(store.presenceOf(List.of("fed by " + who)).found()).isEqualTo(1);
            }
        }
    }

    private static List<SecurityEvent> events() {
        RandomEvents events = new RandomEvents(1);
        return IntStream.range(0, EVENTS)
                .mapToObj(i -> events.event("shared " + i))
                .toList();
    }

    private static void pause(SplittableRandom random) {
        LockSupport.parkNanos(random.nextLong(LONGEST_PAUSE_NANOS));
    }
}
