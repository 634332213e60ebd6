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
     * @param askedRatio as for {@link CheckedAnswers}
     * @param compared how many answers were held against another one
     * @param differing how many of them were not like it, of which some are told as wrong
     * @param unasked what could not be asked again, for people, as the end of a sentence; empty where everything could
     */
    public record ComparedAnswers(
            String words,
            double askedRatio,
            long compared,
            long leftOut,
            long differing,
            List<WrongAnswer> wrong,
            String unasked) {
        public ComparedAnswers {
            wrong = List.copyOf(wrong);
        }

        /**
         * What that proves: where nobody has written meanwhile, one of two answers that differ is wrong; otherwise only answers that are the
         * same say anything.
         */
        public CheckedAnswers judged(boolean unchanged) {
            return unchanged
                    ? new CheckedAnswers(askedRatio, compared, leftOut, wrong)
                    : new CheckedAnswers(askedRatio, compared - differing, leftOut + differing, List.of());
        }

        /**
         * What a reader must know of it.
         *
         * @param change what tells that the data are not what they were; empty if nothing does
         */
        public String note(Optional<String> change) {
            if (words.isEmpty()) {
                return "no answer could be held against another one: nothing was asked twice with the same values";
            }
            String all = "answers were held against each other: " + words;
            return change.map(what -> String.format(
                            Locale.ROOT,
                            "%s; %s, so that the %,d that were answered otherwise than at first cannot be checked%s",
                            all,
                            what,
                            differing,
                            unasked))
                    .orElse(all + ", while nobody wrote a row" + unasked);
        }
    }
}
