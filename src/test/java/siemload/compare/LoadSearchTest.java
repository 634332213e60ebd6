package siemload.compare;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.DoubleFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import siemload.compare.CapacityResult.Outcome;
import siemload.compare.LoadSearch.Answer;
import siemload.compare.LoadSearch.Finding;
import siemload.compare.LoadSearch.Kind;
import siemload.compare.LoadSearch.Step;

@Tag("any-java")
class LoadSearchTest {
    static final VariedLoad.Range ARRIVALS = new VariedLoad.Range(VariedLoad.ARRIVALS, 0.1, 20, 10_000);
    static final VariedLoad.Range USERS = new VariedLoad.Range(VariedLoad.USERS, 1, 10, 1_000);

    @Test
    void lessIsRunWhereTheFirstLoadIsTooMuch() {
        Ended ended = end(USERS, load -> met(load <= 3));

        assertThat(ended.loads()).startsWith(10.0).allMatch(load -> load <= 10);
        assertThat(ended.finding()).isEqualTo(new Finding(Kind.FOUND, 3, 3, 3));
    }

    @Test
    void aBoundThatMeetsTheObjectivesIsRunUntilThatIsCertain() {
        Ended ended = end(USERS, load -> Outcome.MET);

        assertThat(ended.finding()).isEqualTo(new Finding(Kind.AT_LEAST, 1_000, 1_000, 1_000));
        assertThat(ended.loads().stream().filter(load -> load == 1_000).count()).isGreaterThan(1);
    }

    @Test
    void aRunThatIsNotValidIsMadeAgainAndSaysNothing() {
        SplittableRandom random = new SplittableRandom(7);
        DoubleFunction<Outcome> oracle = load -> random.nextDouble() < 0.2 ? Outcome.INVALID : met(load <= 150);

        Ended ended = end(USERS, oracle);

        List<Answer> answers = ended.answers();
        assertThat(answers).extracting(Answer::outcome).contains(Outcome.INVALID);
        for (int i = 1; i < answers.size(); i++) {
            if (answers.get(i - 1).outcome() == Outcome.INVALID
                    && answers.subList(0, i - 1).stream().noneMatch(answers.get(i - 1)::equals)) {
                assertThat(answers.get(i).load()).isEqualTo(answers.get(i - 1).load());
            }
        }
        assertThat(ended.finding().kind()).isEqualTo(Kind.FOUND);
        assertThat(ended.finding().estimate()).isBetween(140.0, 160.0);
    }

    /** Runs that are not valid never count as met, and never as missed. */
    @Test
    void loadsThatCannotBeMeasuredBoundTheAnswerFromBelowAlone() {
        Ended ended = end(USERS, load -> load > 100 ? Outcome.INVALID : Outcome.MET);

        assertThat(ended.finding().kind()).isEqualTo(Kind.NOT_MEASURABLE);
        assertThat(ended.finding().low()).isBetween(80.0, 100.0);
        assertThat(ended.finding().high()).isBetween(101.0, 121.0);
    }

    @Test
    void whereNoRunIsValidNothingIsKnown() {
        Ended ended = end(USERS, load -> Outcome.INVALID);

        assertThat(ended.finding().kind()).isEqualTo(Kind.NOTHING_MET);
    }

    /** Runs near the largest load meet the objectives by chance: the interval holds it in nearly all searches nevertheless. */
    @Test
    @Tag("exhaustive")
    void theIntervalHoldsTheLoadInNineteenOfTwentySearches() {
        long held = IntStream.rangeClosed(1, 200)
                .filter(seed -> {
                    SplittableRandom random = new SplittableRandom(seed);
                    double capacity = Math.exp(Math.log(30) + random.nextDouble() * Math.log(100));
                    double spread = random.nextDouble() * 0.08;
                    Finding finding = end(
                                    new LoadSearch(ARRIVALS, 0.1, 100),
                                    load -> met(random.nextDouble()
                                            < 1 / (1 + Math.exp(Math.log(load / capacity) / spread))))
                            .finding();
                    return finding.low() * 0.995 <= capacity && capacity <= finding.high() * 1.005;
                })
                .count();

        assertThat(held).isBetween(184L, 200L);
    }

    /** What a search found, and what it was told in the order in which it asked. */
    record Ended(Finding finding, List<Answer> answers) {
        List<Double> loads() {
            return answers.stream().map(Answer::load).toList();
        }
    }

    /** A search as it is unless something else is asked for. */
    static Ended end(VariedLoad.Range range, DoubleFunction<Outcome> oracle) {
        return end(new LoadSearch(range, 0.1, 30), oracle);
    }

    static Ended end(LoadSearch search, DoubleFunction<Outcome> oracle) {
        List<Answer> answers = new ArrayList<>();
        while (true) {
            Step step = search.after(answers);
            if (step.finding().isPresent()) {
                return new Ended(step.finding().get(), answers);
            }
            answers.add(new Answer(step.load(), oracle.apply(step.load())));
        }
    }

    static Outcome met(boolean met) {
        return met ? Outcome.MET : Outcome.NOT_MET;
    }
}
