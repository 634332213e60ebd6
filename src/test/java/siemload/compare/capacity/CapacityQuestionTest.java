package siemload.compare.capacity;

import static org.assertj.core.api.Assertions.assertThat;
import static siemload.compare.capacity.LoadSearches.met;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import siemload.compare.capacity.Finding.Kind;
import siemload.compare.capacity.Frontiers.Ended;
import siemload.compare.capacity.Frontiers.Oracle;

@Tag("any-java")
class CapacityQuestionTest {
    private static final double[] RATES = {0, 500, 1_000, 1_500};
    /** 200 users, and one less for each ten events a second. */
    private static final Oracle STRAIGHT = (users, events) -> met(users <= 200 - events / 10);

    @Test
    void beyondAValueThatBearsNothingNothingIsRun() {
        Ended ended = Frontiers.end(Frontiers.against(0.1, 30, 0, 2_500, 5_000, 9_000), STRAIGHT);

        assertThat(ended.findings().subList(1, 4)).containsOnly(new Finding(Kind.LESS_THAN, 0, 0, 1));
        assertThat(ended.of(1)).isNotEmpty();
        assertThat(ended.of(2)).isEmpty();
        assertThat(ended.of(3)).isEmpty();
    }

    /** The first run beside more events is one that was borne beside fewer. */
    @Test
    void noDatabaseIsGivenMoreAtFirstThanItBoreBesideLess() {
        Ended ended = Frontiers.end(Frontiers.against(0.05, 30, RATES), STRAIGHT);

        for (int search = 1; search < RATES.length; search++) {
            double easier = ended.findings().get(search - 1).estimate();
            assertThat(ended.of(search).get(0).load()).isLessThanOrEqualTo(easier);
        }
    }

    @Test
    void aFrontierThatWasInterruptedGoesOnAsIfItHadNotBeen() {
        CapacityQuestion question = Frontiers.against(0.1, 20, RATES);
        Ended ended = Frontiers.end(question, STRAIGHT);

        for (int i = 0; i < ended.trials().size(); i++) {
            Trial next = ended.trials().get(i);
            CapacityQuestion.Step step = question.after(ended.trials().subList(0, i));
            assertThat(step.load()).hasValue(next.load());
            assertThat(step.search()).isEqualTo(next.search());
        }
        assertThat(question.after(ended.trials()).found()).isEqualTo(ended.findings());
    }

    @Test
    void noSearchTakesMoreRunsThanItMay() {
        SplittableRandom random = new SplittableRandom(3);
        Ended ended =
                Frontiers.end(Frontiers.against(0.02, 7, RATES), byChance(random, new double[] {90, 80, 70, 60}, 0.15));

        for (int search = 0; search < RATES.length; search++) {
            assertThat(ended.of(search)).hasSizeLessThanOrEqualTo(7);
        }
        assertThat(ended.findings()).extracting(Finding::kind).contains(Kind.ROUGHLY);
    }

    /** Users who are borne beside each rate; near that a run meets the objectives by chance. */
    private static Oracle byChance(SplittableRandom random, double[] truth, double spread) {
        return (users, events) -> {
            double most = truth[(int) (events / 500)];
            return met(random.nextDouble() < 1 / (1 + Math.exp(Math.log(users / most) / spread)));
        };
    }
}
