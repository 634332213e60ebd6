package siemload.database.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import siemload.database.EventSink;
import siemload.database.SearchSession;
import siemload.database.Store;
import siemload.event.SecurityEvent;
import siemload.query.Search;

/** Random events, fed and searched at random, over many seeds. */
public interface RandomContract {
    int SEEDS = 10;
    int EVENTS = 25;
    int SEARCHES = 50;

    ContractSubject subject();

    @Test
    default void randomSearchesOverRandomEventsAreThoseOfTheReference() {
        try (Store store = subject().copy();
                EventSink sink = store.openSink();
                SearchSession session = store.openSession();
                Store referenceStore = subject().reference();
                EventSink referenceSink = referenceStore.openSink();
                SearchSession reference = referenceStore.openSession()) {
            for (int seed = 1; seed <= SEEDS; seed++) {
                RandomEvents random = new RandomEvents(seed);
                List<SecurityEvent> events = events(random, seed);
                sink.write(events);
                referenceSink.write(events);
                for (int i = 0; i < SEARCHES; i++) {
                    Search search = random.search();
                    assertThat(ContractAnswer.of(session, search))
                            .as("seed %d, search %d: %s", seed, i, search)
                            .isEqualTo(ContractAnswer.of(reference, search));
                    assertThat(session.count(search)).isEqualTo(reference.count(search));
                }
            }
        }
    }

    private static List<SecurityEvent> events(RandomEvents random, int seed) {
        List<SecurityEvent> events = new ArrayList<>();
        for (int i = 0; i < EVENTS; i++) {
            events.add(random.event("seed-" + seed + "-" + i));
        }
        return events;
    }
}
