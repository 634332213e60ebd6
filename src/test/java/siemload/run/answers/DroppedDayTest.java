package siemload.run.answers;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import siemload.event.SecurityEvent;
import siemload.query.Order;
import siemload.query.Page;
import siemload.query.Search;
import siemload.query.SearchName;
import siemload.query.Window;
import siemload.run.answers.GivenAnswer.Row;

/** The data set has the events a and b on its first day, and c and d on the second; the first day was removed from 100 to 200. */
final class DroppedDayTest {
    private static final Instant START = Instant.parse("2016-06-06T00:00:00Z");
    private static final Duration DAY = Duration.ofDays(1);
    private static final Window BOTH_DAYS = new Window(START, START.plus(DAY).plus(DAY));
    private static final DroppedDay DROPPED =
            new DroppedDay(new Window(START, START.plus(DAY)), 100, 200, Optional.empty(), "");

    /** When a search ran, and what it may have seen of the day. */
    private enum Ran {
        BEFORE(50, 100, true, false),
        ACROSS_ITS_START(50, 101, true, true),
        MEANWHILE(120, 180, true, true),
        ACROSS_ITS_END(200, 250, true, true),
        AFTER(201, 250, false, true);

        private final long startNanos;
        private final long endNanos;
        private final boolean mayHaveIt;
        private final boolean mayLackIt;

        Ran(long startNanos, long endNanos, boolean mayHaveIt, boolean mayLackIt) {
            this.startNanos = startNanos;
            this.endNanos = endNanos;
            this.mayHaveIt = mayHaveIt;
            this.mayLackIt = mayLackIt;
        }
    }

    @ParameterizedTest
    @EnumSource(Ran.class)
    void anAnswerHasTheDayUntilItIsRemovedAndLacksItFromThenOn(Ran ran) {
        assertThat(faults(wholeOf("a", "b", "c", "d"), ran, DROPPED).isEmpty()).isEqualTo(ran.mayHaveIt);
        assertThat(faults(wholeOf("c", "d"), ran, DROPPED).isEmpty()).isEqualTo(ran.mayLackIt);
        assertThat(faults(count(4), ran, DROPPED).isEmpty()).isEqualTo(ran.mayHaveIt);
        assertThat(faults(count(2), ran, DROPPED).isEmpty()).isEqualTo(ran.mayLackIt);
        assertThat(faults(oldestOf("a", "b", "c"), ran, DROPPED).isEmpty()).isEqualTo(ran.mayHaveIt);
        assertThat(faults(oldestOf("c", "d"), ran, DROPPED).isEmpty()).isEqualTo(ran.mayLackIt);
    }

    @ParameterizedTest
    @EnumSource(Ran.class)
    void aPartOfTheDayIsNeverAWholeResultAndWhatIsOfOtherDaysMustBeThere(Ran ran) {
        assertThat(faults(wholeOf("b", "c", "d"), ran, DROPPED)).isNotEmpty();
        assertThat(faults(wholeOf("d"), ran, DROPPED)).isNotEmpty();
        assertThat(faults(count(1), ran, DROPPED)).isNotEmpty();
        assertThat(faults(count(5), ran, DROPPED)).isNotEmpty();
    }

    @Test
    void aRemovalThatNobodyKnowsToHaveEndedMayHaveTakenPlaceAnyTimeAfterItsStart() {
        DroppedDay unknown = DroppedDay.failed(DROPPED.day(), 100, "");
        assertThat(faults(count(4), Ran.AFTER, unknown)).isEmpty();
        assertThat(faults(count(2), Ran.AFTER, unknown)).isEmpty();
        assertThat(faults(count(2), Ran.BEFORE, unknown)).isNotEmpty();
    }

    private static List<String> faults(GivenAnswer answer, Ran ran, DroppedDay dropped) {
        return answer.faults(
                Stream.of("a", "b", "c", "d").map(DroppedDayTest::event).toList(),
                new AnswerCheck.Changes(taker -> {}, Optional.of(dropped)),
                BOTH_DAYS.until(),
                ran.startNanos,
                ran.endNanos);
    }

    private static GivenAnswer count(long count) {
        return GivenAnswer.ofCount(search(Order.OLDEST_FIRST, new Page.Whole()), count);
    }

    private static GivenAnswer wholeOf(String... ids) {
        return GivenAnswer.ofRows(search(Order.OLDEST_FIRST, new Page.Whole()), rows(ids));
    }

    private static GivenAnswer oldestOf(String... ids) {
        return GivenAnswer.ofRows(search(Order.OLDEST_FIRST, new Page.Numbered(3, 1)), rows(ids));
    }

    private static List<Row> rows(String... ids) {
        return IntStream.range(0, ids.length)
                .mapToObj(i -> new Row(event(ids[i]).detectTime(), ids[i]))
                .toList();
    }

    private static Search search(Order order, Page page) {
        return new Search(SearchName.MENTAT, BOTH_DAYS, List.of(), order, page);
    }

    private static SecurityEvent event(String id) {
        Instant time = START.plus(Duration.ofHours(12L * (id.charAt(0) - 'a')));
        return new SecurityEvent(id, time, List.of("Test"), "", List.of(), List.of(), List.of(), Map.of());
    }
}
