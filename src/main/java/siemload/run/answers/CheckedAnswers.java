package siemload.run.answers;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
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

    /** The result of a check that did not take place, or was given up. */
    public static CheckedAnswers none(AnswerSampler sampler) {
        return new CheckedAnswers(
                sampler.askedRatio(), 0, sampler.leftOut() + sampler.answers().size(), List.of());
    }

    /** What run.json holds of it. */
    public AnswerCounts counts() {
        return new AnswerCounts(askedRatio, checked, wrong.size(), leftOut);
    }

    /**
     * Answers that were held against others to the same questions, of which nobody knows the right ones. Immutable.
     *
     * @param words what was compared, for people; empty where there was nothing to compare
     * @param unchanged what that proves where nobody has written meanwhile: of two answers that differ one is wrong
     * @param differing how many answers were not like the other one, of which some are told as wrong
     */
    public record ComparedAnswers(String words, CheckedAnswers unchanged, long differing) {
        /**
         * What that proves: where the data have changed, only answers that are the same say anything.
         *
         * @param change what tells that the data are not what they were; empty if nothing does
         */
        public CheckedAnswers judged(Optional<String> change) {
            return change.isEmpty()
                    ? unchanged
                    : new CheckedAnswers(
                            unchanged.askedRatio,
                            unchanged.checked - differing,
                            unchanged.leftOut + differing,
                            List.of());
        }

        /** What a reader must know of it. */
        public String note(Optional<String> change) {
            if (words.isEmpty()) {
                return "no answer could be held against another one: nothing was asked twice with the same values";
            }
            return "answers were held against each other: " + words
                    + change.map(what -> String.format(
                                    Locale.ROOT,
                                    "; %s, so that the %,d that were answered otherwise than at first cannot be checked",
                                    what,
                                    differing))
                            .orElse(", while nobody wrote a row");
        }
    }
}
