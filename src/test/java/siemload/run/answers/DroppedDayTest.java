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
import org.junit.jupiter.params.provider.CsvSource;
import siemload.event.SecurityEvent;
import siemload.query.Order;
import siemload.query.Page;
import siemload.query.Search;
import siemload.query.SearchName;
import siemload.query.Window;
import siemload.run.answers.AnswerCheck.DroppedDay;
import siemload.run.answers.GivenAnswer.Row;

final class DroppedDayTest {
    private static final Instant START = Instant.parse("2016-06-06T00:00:00Z");
    private static final Duration DAY = Duration.ofDays(1);
    private static final Window BOTH_DAYS = new Window(START, START.plus(DAY).plus(DAY));
    private static final DroppedDay DROPPED =
            new DroppedDay(new Window(START, START.plus(DAY)), 100, 200, Optional.empty(), "");

    /** What of the days an answer may have, by when its search ran. */
    @ParameterizedTest
    @CsvSource({
        // from, until, with the day, without it
        "50, 100, true, false",
        "50, 101, true, true",
        "120, 180, true, true",
        "200, 250, true, true",
        "201, 250, false, true"
    })
    void anAnswerHasAllOfTheDayUntilItIsRemovedAndNothingOfItFromThenOn(
            long from, long until, boolean mayHaveIt, boolean mayLackIt) {
        List<GivenAnswer> having = List.of(wholeOf("a", "b", "c", "d"), count(4), oldestOf("a", "b", "c"));
        List<GivenAnswer> lacking = List.of(wholeOf("c", "d"), count(2), oldestOf("c", "d"));
        List<GivenAnswer> wrong = List.of(wholeOf("b", "c", "d"), wholeOf("d"), count(1), count(5));

        assertThat(having)
                .allMatch(answer -> faults(answer, from, until, DROPPED).isEmpty() == mayHaveIt);
        assertThat(lacking)
                .allMatch(answer -> faults(answer, from, until, DROPPED).isEmpty() == mayLackIt);
        assertThat(wrong)
                .noneMatch(answer -> faults(answer, from, until, DROPPED).isEmpty());
    }

    @Test
    void aRemovalThatNobodyKnowsToHaveEndedMayHaveTakenPlaceAnyTimeAfterItsStart() {
        DroppedDay unknown = DroppedDay.failed(DROPPED.day(), 100, "");
        assertThat(faults(count(4), 201, 250, unknown)).isEmpty();
        assertThat(faults(count(2), 201, 250, unknown)).isEmpty();
        assertThat(faults(count(2), 50, 100, unknown)).isNotEmpty();
    }

    private static List<String> faults(GivenAnswer answer, long from, long until, DroppedDay dropped) {
        return answer.faults(
                Stream.of("a", "b", "c", "d").map(DroppedDayTest::event).toList(),
                taker -> {},
                Optional.of(dropped),
                BOTH_DAYS.until(),
                from,
                until);
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
