package siemload.database;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import siemload.database.Counters.CounterReading;
import siemload.database.Counters.Io;
import siemload.database.Counters.Relation;

class CounterReadingTest {
    private static final Io NOTHING_READ = data(0, 0, 0, 0, 0);
    private static final Relation UNREAD = events(0, 0);

    @Test
    void aDifferenceIsTakenCounterByCounter() {
        CounterReading difference = reading(data(15, 150, 6, 60, 100), events(7, 70), 9)
                .since(reading(data(10, 100, 4, 40, 30), events(5, 50), 2));

        assertThat(difference).isEqualTo(reading(data(5, 50, 2, 20, 70), events(2, 20), 7));
    }

    @Test
    void workIsNeverUndone() {
        CounterReading earlier = reading(data(10, 100, 4, 40, 30), events(5, 50), 2);
        CounterReading later = reading(data(9, 120, 4, 39, 31), events(6, 49), 1);

        CounterReading corrected = later.notBelow(earlier);
        assertThat(corrected).isEqualTo(reading(data(10, 120, 4, 40, 31), events(6, 50), 2));
        assertThat(CounterReading.NONE.notBelow(earlier)).isEqualTo(earlier);
    }

    @Test
    void aLowerCounterTellsThatTheyStartedAnew() {
        CounterReading earlier = reading(NOTHING_READ, UNREAD, 2);

        assertThat(reading(NOTHING_READ, UNREAD, 1).startedAnewSince(earlier)).isTrue();
        assertThat(reading(NOTHING_READ, UNREAD, 2).startedAnewSince(earlier)).isFalse();
        assertThat(CounterReading.NONE.startedAnewSince(earlier)).isFalse();
    }

    private static Io data(long reads, long readBytes, long writes, long writtenBytes, long hits) {
        return new Io(Io.DATA, reads, readBytes, writes, writtenBytes, hits);
    }

    private static Relation events(long read, long hit) {
        return new Relation("events", "table", read, hit);
    }

    private static CounterReading reading(Io io, Relation relation, long commits) {
        return new CounterReading(List.of(io), List.of(relation), Map.of("commits", commits));
    }
}
