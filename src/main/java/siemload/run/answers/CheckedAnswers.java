package siemload.run.answers;

import java.util.List;
import siemload.results.RunResult.AnswerCounts;

/**
 * What became of the answers that were to be checked.
 *
 * @param askedRatio the share of the searches that was to be checked, 0 to 1
 * @param checked how many answers were checked
 * @param leftOut how many were not, though they belonged to the sample: they did not fit into memory, or the check was
 *     given up
 * @param wrong those of the checked ones that were not right
 */
public record CheckedAnswers(double askedRatio, long checked, long leftOut, List<WrongAnswer> wrong) {
    public CheckedAnswers {
        wrong = List.copyOf(wrong);
    }

    /** The wrong answers of searches. */
    public List<WrongAnswer> wrongSearches() {
        return wrong.stream().filter(answer -> !answer.isOfTrend()).toList();
    }

    /** The wrong hours of trends. */
    public List<WrongAnswer> wrongTrends() {
        return wrong.stream().filter(WrongAnswer::isOfTrend).toList();
    }

    /** The result of a check that did not take place, or was given up. */
    public static CheckedAnswers none(AnswerSampler sampler) {
        return new CheckedAnswers(
                sampler.askedRatio(), 0, sampler.leftOut() + sampler.answers().size(), List.of());
    }

    /** What run.json holds of it. */
    public AnswerCounts counts() {
        return new AnswerCounts(askedRatio, checked, wrong.size(), leftOut);
    }
}
