package siemload.database.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import siemload.database.AnsweredRows;
import siemload.event.SecurityEvent;
import siemload.query.Search;

/** Random events, fed and searched at random, over many seeds. */
public interface RandomContract {
    int SEEDS = 10;
    int EVENTS = 25;
    int SEARCHES = 50;

    ContractSubject subject();

    @Test
    @Tag("exhaustive")
    default void randomSearchesOverRandomEventsAreThoseOfTheReference() {
        try (WrittenTwice both = new WrittenTwice(subject())) {
            for (int seed = 1; seed <= SEEDS; seed++) {
                RandomEvents random = new RandomEvents(seed);
                both.write(events(random, seed));
                for (int i = 0; i < SEARCHES; i++) {
                    Search search = random.search();
                    assertThat(AnsweredRows.of(both.session(), search))
                            .as("seed %d, search %d: %s", seed, i, search)
                            .isEqualTo(AnsweredRows.of(both.reference(), search));
                    assertThat(both.session().count(search))
                            .isEqualTo(both.reference().count(search));
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
