package siemload.run.answers;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import siemload.event.Node;
import siemload.event.SecurityEvent;
import siemload.query.Order;
import siemload.query.Page;
import siemload.query.Search;
import siemload.query.SearchName;
import siemload.query.Summary;
import siemload.query.Window;

/**
 * The rules of summaries, one by one. The data set has the events a to f, one a minute, but d at the same time as c; m was fed and
 * acknowledged before the search, y was on its way while it ran, n was sent after its end.
 */
class AnswerRulesTest {
    private static final Instant START = Instant.parse("2016-06-06T00:00:00Z");
    private static final Instant UNTIL = START.plusSeconds(600);
    private static final Map<String, Integer> MINUTES =
            Map.of("a", 0, "b", 1, "c", 2, "d", 2, "e", 4, "f", 5, "m", 10, "y", 11, "n", 12);
    private static final long SEARCH_START = 100;
    private static final long SEARCH_END = 200;

    private final List<FeedLedger.Batch> fed = new ArrayList<>(List.of(
            GivenAnswer.fed(events("m"), 50, 99),
            GivenAnswer.fed(events("y"), 60, 100),
            GivenAnswer.fed(events("n"), 200, 210)));

    @Test
    void aTopListHasTheMostFrequentValuesFirst() {
        Search search =
                new Search(SearchName.TOPLIST, window("a", "n"), List.of(), Order.NEWEST_FIRST, new Page.Whole());
        assertThat(faults(GivenAnswer.ofLines(search, List.of(line("even", 5), line("odd", 2)))))
                .isEmpty();
        assertThat(faults(GivenAnswer.ofLines(search, List.of(line("even", 5), line("odd", 3)))))
                .isEmpty();
        assertThat(faults(GivenAnswer.ofLines(search, List.of(line("odd", 2), line("even", 5)))))
                .containsExactly("line even: 5 does not come after odd: 2");
        assertThat(faults(GivenAnswer.ofLines(search, List.of(line("even", 4), line("odd", 2)))))
                .containsExactly("line even: 4 instead of 5");
        assertThat(faults(GivenAnswer.ofLines(search, List.of(line("even", 5)))))
                .containsExactly("missing lines: odd: 2");
    }

    @Test
    void aTimelineHasALineForEveryStepAndValue() {
        Search search =
                new Search(SearchName.TIMELINE, window("a", "c"), List.of(), Order.NEWEST_FIRST, new Page.Whole());
        Summary.Line first = new Summary.Line(START, "Other", 1);
        Summary.Line second = new Summary.Line(START.plusSeconds(60), "Other", 1);
        assertThat(faults(GivenAnswer.ofLines(search, List.of(first, second)))).isEmpty();
        assertThat(faults(GivenAnswer.ofLines(search, List.of(first))))
                .containsExactly("missing lines: 2016-06-06T00:01:00Z Other: 1");
        assertThat(faults(GivenAnswer.ofLines(search, List.of(first, first))))
                .contains("two lines for 2016-06-06T00:00:00Z Other: 1");
    }

    private List<String> faults(GivenAnswer answer) {
        return answer.faults(events("a", "b", "c", "d", "e", "f"), fed, UNTIL, SEARCH_START, SEARCH_END);
    }

    private static Window window(String from, String until) {
        return new Window(time(from), time(until));
    }

    private static Summary.Line line(String value, long events) {
        return new Summary.Line(START, value, events);
    }

    private static Instant time(String id) {
        return START.plusSeconds(60L * MINUTES.get(id));
    }

    /** Events whose detector says whether their minute is even or odd. */
    private static List<SecurityEvent> events(String... ids) {
        return Stream.of(ids)
                .map(id -> new SecurityEvent(
                        id,
                        time(id),
                        List.of("Other"),
                        "",
                        List.of(),
                        List.of(),
                        List.of(new Node(MINUTES.get(id) % 2 == 0 ? "even" : "odd", List.of(), List.of(), Map.of())),
                        Map.of()))
                .toList();
    }
}
