package siemload.run.answers;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import siemload.database.SearchSession;
import siemload.database.contract.RandomEvents;
import siemload.event.SecurityEvent;
import siemload.query.Field;
import siemload.query.Order;
import siemload.query.Page;
import siemload.query.PageClass;
import siemload.query.PageKey;
import siemload.query.Search;
import siemload.query.Summary;
import siemload.query.Window;
import siemload.run.answers.AnswerSampler.AnswerWatch;
import siemload.run.answers.CheckedAnswers.ComparedAnswers;
import siemload.run.answers.CheckedAnswers.WrongAnswer;

class RepeatedSearchesTest {
    private static final Instant UNTIL = Instant.parse("2016-06-06T00:12:00Z");

    /** Several kinds of page of several random searches, of which most find something. */
    private static List<Search> searches(int seed) {
        RandomEvents random = new RandomEvents(seed);
        return Stream.generate(random::search)
                .limit(30)
                .flatMap(search -> Stream.of(search, search.with(new Page.Whole())))
                .toList();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5})
    void answersOfTheSameEventsAgreeInEachWay(int seed) {
        List<SecurityEvent> events = events(seed, 60);
        AnswerSampler sampler = new AnswerSampler(1, UNTIL);
        SearchSession first = GivenAnswer.reference(events);
        searches(seed).forEach(search -> ask(sampler, search, first));

        ComparedAnswers repeated = asked(GivenAnswer.reference(events), sampler);

        assertThat(repeated.unchanged()).isEqualTo(new CheckedAnswers(1, 60, 0, List.of()));
        assertThat(repeated.words()).doesNotContain(" 0 pages");
    }

    @Test
    void aRowThatIsNotFoundAgainIsTold() {
        List<SecurityEvent> events = events(6, 60);
        AnswerSampler sampler = new AnswerSampler(1, UNTIL);
        Search everything = searches(6)
                .get(0)
                .with(new Page.Whole())
                .with(Order.OLDEST_FIRST)
                .with(List.of())
                .with(new Page.Numbered(60, 1));
        ask(sampler, everything.with(Window.ALWAYS), GivenAnswer.reference(events));

        ComparedAnswers repeated = asked(GivenAnswer.reference(events.subList(1, 60)), sampler);

        assertThat(repeated.differing()).isEqualTo(1);
        WrongAnswer wrong = repeated.unchanged().wrong().get(0);
        assertThat(wrong.faults()).hasSize(2);
        assertThat(wrong.faults().get(0)).startsWith("asked again: ");
        assertThat(wrong.faults().get(1)).startsWith("compared with the whole result: ");
    }

    @Test
    void countsAndSummariesAreComparedToo() {
        List<SecurityEvent> events = events(7, 60);
        Search everything = new RandomEvents(7).search().with(List.of()).with(Window.ALWAYS);
        Summary summary = new Summary.TopList(Field.CATEGORY, 3);
        SearchSession session = GivenAnswer.reference(events);
        Page whole = new Page.Whole();
        Search summed = new Search(
                everything.name(), everything.window(), List.of(), Order.NEWEST_FIRST, whole, Optional.of(summary));
        AnswerSampler sampler = new AnswerSampler(1, UNTIL);
        sampler.watch(everything, PageClass.COUNT, 0).answered(0, 1, session.count(everything));
        AnswerWatch lines = sampler.watch(summed, PageClass.SUMMARY, 0);
        lines.lines(session.summarize(summed, summary));
        lines.answered(0, 1, session.summarize(summed, summary).size());

        assertThat(asked(session, sampler).differing()).isZero();
        assertThat(asked(GivenAnswer.reference(events.subList(20, 60)), sampler)
                        .unchanged()
                        .wrong())
                .flatExtracting(WrongAnswer::faults)
                .contains("asked again: row 1 is a count of 40 instead of a count of 60")
                .anySatisfy(fault -> assertThat(fault).matches("asked again: row 1 is .+: \\d+ instead of .+: \\d+"));
    }

    @Test
    void aPageBehindAKeyAndALastOneAreFoundInTheWholeResult() {
        List<SecurityEvent> events = events(8, 60);
        SearchSession session = GivenAnswer.reference(events);
        Search whole = searches(8).get(0).with(List.of()).with(Window.ALWAYS).with(Order.NEWEST_FIRST);
        PageKey[] tenth = {new PageKey(UNTIL, "")};
        session.search(whole.with(new Page.Numbered(10, 1)), row -> tenth[0] = row.key());
        AnswerSampler sampler = new AnswerSampler(1, UNTIL);
        ask(sampler, whole.with(new Page.After(10, tenth[0])), session);
        ask(sampler, whole.with(new Page.Last(7)), session);
        // As a layout with a wrong keyset condition would answer.
        answerWith(sampler, whole.with(new Page.After(10, tenth[0])), session, whole.with(new Page.Numbered(10, 1)));

        ComparedAnswers repeated = asked(session, sampler);

        assertThat(repeated.words()).endsWith("and 3 pages were looked up in the whole result");
        assertThat(repeated.differing()).isEqualTo(1);
    }

    private static ComparedAnswers asked(SearchSession session, AnswerSampler sampler) {
        return new RepeatedSearches(session, sampler).ask(more -> {}, () -> false);
    }

    private static void ask(AnswerSampler sampler, Search search, SearchSession session) {
        answerWith(sampler, search, session, search);
    }

    private static void answerWith(AnswerSampler sampler, Search search, SearchSession session, Search asked) {
        AnswerWatch watch = sampler.watch(search, search.page().pageClass(), 0);
        long rows = session.search(asked, row -> watch.row(row, row.idea()));
        watch.answered(0, 1, rows);
    }

    private static List<SecurityEvent> events(int seed, int count) {
        RandomEvents random = new RandomEvents(seed);
        return IntStream.range(0, count)
                .mapToObj(number -> random.event("event-" + number))
                .toList();
    }
}
