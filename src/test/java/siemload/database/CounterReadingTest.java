package siemload.database;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import siemload.database.Counters.CounterReading;
import siemload.database.Counters.CounterReading.Blocks;
import siemload.database.Counters.CounterReading.Category;
import siemload.database.Counters.CounterReading.Io;
import siemload.database.Counters.CounterReading.Relation;

class CounterReadingTest {
    private static final Relation EVENTS = new Relation("events", Relation.Kind.TABLE);

    @Test
    void aDifferenceIsTakenCounterByCounter() {
        CounterReading difference = reading(new Io(15, 150, 6, 60, 100), new Blocks(7, 70), 9)
                .since(reading(new Io(10, 100, 4, 40, 30), new Blocks(5, 50), 2));

        assertThat(difference).isEqualTo(reading(new Io(5, 50, 2, 20, 70), new Blocks(2, 20), 7));
    }

    /** Counts are subtracted and never fall; memory is as it is now, also where it has become less, or is no longer told. */
    @Test
    void memoryIsALevelOfWhichNoDifferenceIsTaken() {
        CounterReading earlier = reading(Io.NONE, Blocks.NONE, 2).holding(Map.of("cache", 500L, "resident", 700L));
        CounterReading later = reading(Io.NONE, Blocks.NONE, 5).holding(Map.of("cache", 300L));

        assertThat(later.since(earlier))
                .isEqualTo(reading(Io.NONE, Blocks.NONE, 3).holding(Map.of("cache", 300L)));
        assertThat(later.notBelow(earlier)).isEqualTo(later);
        assertThat(later.startedAt("now").with(Map.of()).memory()).isEqualTo(later.memory());
    }

    @Test
    void workIsNeverUndone() {
        CounterReading earlier = reading(new Io(10, 100, 4, 40, 30), new Blocks(5, 50), 2);
        CounterReading later = reading(new Io(9, 120, 4, 39, 31), new Blocks(6, 49), 1);

        CounterReading corrected = later.notBelow(earlier);
        assertThat(corrected).isEqualTo(reading(new Io(10, 120, 4, 40, 31), new Blocks(6, 50), 2));
        assertThat(CounterReading.NONE.notBelow(earlier)).isEqualTo(earlier);
    }

    @Test
    void aLowerCounterTellsThatTheyStartedAnew() {
        CounterReading earlier = reading(Io.NONE, Blocks.NONE, 2);

        assertThat(reading(Io.NONE, Blocks.NONE, 1).startedAnewSince(earlier)).isTrue();
        assertThat(reading(Io.NONE, Blocks.NONE, 2).startedAnewSince(earlier)).isFalse();
        assertThat(CounterReading.NONE.startedAnewSince(earlier)).isFalse();
    }

    @Test
    void aPartIsTakenFromAWholeButNeverMore() {
        assertThat(new Io(10, 9, 8, 7, 6).less(new Io(1, 2, 3, 4, 7))).isEqualTo(new Io(9, 7, 5, 3, 0));
    }

    private static CounterReading reading(Io io, Blocks blocks, long commits) {
        return new CounterReading(Map.of(Category.DATA, io), Map.of(EVENTS, blocks), Map.of("commits", commits));
    }
}
