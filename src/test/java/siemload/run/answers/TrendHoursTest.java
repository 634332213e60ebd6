package siemload.run.answers;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import siemload.event.SecurityEvent;
import siemload.query.Search;
import siemload.query.SearchName;
import siemload.query.Summary.Line;
import siemload.query.TrendCatalog;
import siemload.query.Window;

/**
 * An hour is held against what its last tick saw. The data set has the events a and b in its first hour and c in its second one, which
 * is its last; d is fed in the third one, acknowledged at 50, and e at 150.
 */
class TrendHoursTest {
    private static final Instant START = Instant.parse("2016-06-06T10:00:00Z");
    private static final Map<String, Integer> MINUTES = Map.of("a", 1, "b", 2, "c", 61, "d", 121, "e", 122);

    private final TrendHours hours = new TrendHours();

    @Test
    void theNewestTickThatEndedCounts() {
        stored("hourly-0", 2, 10, 20);
        stored("hourly-0", 3, 100, 110);

        assertThat(faults(line(0, 2), line(1, 1), line(2, 1))).isEmpty();
        assertThat(faults(line(0, 2), line(1, 1)))
                .as("d was there at 50")
                .singleElement()
                .asString()
                .contains("CATEGORYTREND of 2016-06-06T12:00:00Z: missing lines", "Test: 1");
    }

    @Test
    void whatWasOnItsWayMayBeThereOrNot() {
        stored("hourly-0", 3, 140, 160);

        assertThat(faults(line(0, 2), line(1, 1), line(2, 1))).isEmpty();
        assertThat(faults(line(0, 2), line(1, 1), line(2, 2))).isEmpty();
        assertThat(faults(line(0, 2), line(1, 1), line(2, 3))).hasSize(1);
    }

    @Test
    void theHourThatIsGoingOnIsTakenUntilTheTickAlone() {
        Search early = TrendCatalog.search(SearchName.CATEGORYTREND, new Window(START, START.plusSeconds(90)));
        hours.started("hourly-0", early);
        hours.stored("hourly-0", early, 10, 20);

        assertThat(faults(line(0, 1))).isEmpty();
        assertThat(faults(line(0, 2))).hasSize(1);
    }

    @Test
    void linesOfAnHourThatNobodyStoredAreWrong() {
        stored("hourly-0", 1, 10, 20);

        assertThat(faults(line(0, 2), line(5, 1)))
                .containsExactly(
                        "CATEGORYTREND of 2016-06-06T15:00:00Z: line 2016-06-06T15:00:00Z Test: 1 instead of 0");
    }

    private void stored(String trend, int lastHour, long taken, long end) {
        hours.started(trend, search(lastHour));
        hours.stored(trend, search(lastHour), taken, end);
    }

    private static Search search(int hours) {
        return TrendCatalog.search(SearchName.CATEGORYTREND, new Window(START, START.plus(Duration.ofHours(hours))));
    }

    private static Line line(int hour, long events) {
        return new Line(START.plus(Duration.ofHours(hour)), "Test", events);
    }

    private List<String> faults(Line... lines) {
        return faults(hours.answers((trend, field) -> List.of(lines)));
    }

    private static List<String> faults(List<SampledAnswer> answers) {
        List<FeedLedger.Batch> fed =
                List.of(GivenAnswer.fed(events("d"), 40, 50), GivenAnswer.fed(events("e"), 120, 150));
        CheckedAnswers checked = AnswerCheck.of(
                new AnswerSampler(1, START),
                answers,
                new EventList(events("a", "b", "c")),
                new AnswerCheck.Changes(fed::forEach, Optional.empty()),
                more -> {},
                () -> false);
        assertThat(checked.checked()).isEqualTo(answers.size());
        assertThat(checked.wrongSearches()).isEmpty();
        return checked.wrongTrends().stream().map(WrongAnswer::summary).toList();
    }

    private static List<SecurityEvent> events(String... ids) {
        return Stream.of(ids)
                .map(id -> new SecurityEvent(
                        id,
                        START.plus(Duration.ofMinutes(MINUTES.get(id))),
                        List.of("Test"),
                        "",
                        List.of(),
                        List.of(),
                        List.of(),
                        Map.of()))
                .toList();
    }
}
