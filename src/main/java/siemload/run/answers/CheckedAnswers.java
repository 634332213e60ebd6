package siemload.run.answers;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import siemload.results.RunResult.AnswerCounts;
import siemload.results.SearchKey;

/**
 * The result of checking answers.
 *
 * @param askedRatio the share of the searches that was to be checked, 0 to 1
 * @param checked how many answers were checked
 * @param leftOut how many answers of the sample were not checked: they did not fit into memory, or the check was given up
 * @param wrong the checked answers that were wrong
 */
public record CheckedAnswers(double askedRatio, long checked, long leftOut, List<WrongAnswer> wrong) {
    private static final int MOST_IN_FILE = 100;

    public CheckedAnswers {
        wrong = List.copyOf(wrong);
    }

    /** Returns the result of a check that did not take place, or was given up. */
    public static CheckedAnswers none(AnswerSampler sampler) {
        return new CheckedAnswers(
                sampler.askedRatio(), 0, sampler.leftOut() + sampler.answers().size(), List.of());
    }

    static String formatted(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }

    /** The counts for run.json. */
    public AnswerCounts counts() {
        return new AnswerCounts(askedRatio, checked, wrong.size(), leftOut);
    }

    /** Returns the sum of two results of the same run. */
    public CheckedAnswers plus(CheckedAnswers other) {
        List<WrongAnswer> all = new ArrayList<>(wrong);
        all.addAll(other.wrong);
        return new CheckedAnswers(askedRatio, checked + other.checked, leftOut + other.leftOut, all);
    }

    /** Returns this result with the instants of wrong answers on another clock. */
    public CheckedAnswers shifted(long moreNanos) {
        List<WrongAnswer> shifted =
                wrong.stream().map(one -> one.shifted(moreNanos)).toList();
        return new CheckedAnswers(askedRatio, checked, leftOut, shifted);
    }

    /**
     * Returns the first wrong answers, with everything that is needed to repeat the searches, and the number of further ones.
     *
     * @param startNanos the start of the run, from which times are counted
     */
    public String text(long startNanos) {
        int more = wrong.size() - MOST_IN_FILE;
        return wrong.stream()
                .limit(MOST_IN_FILE)
                .map(one -> one.text(startNanos) + "\n")
                .collect(Collectors.joining("", "", more > 0 ? "and " + more + " more\n" : ""));
    }

    /**
     * A wrong answer, in words. Instants are nanoseconds of {@link System#nanoTime}.
     *
     * @param key the kind of search as which the answer was measured
     * @param search everything needed to repeat the search: for a statement, its text with the values
     * @param seenFromNanos events acknowledged before this instant must be in the answer
     * @param endNanos events first sent after this instant cannot be in the answer
     * @param faults the faults of the answer, 1 or more
     * @param found the answer that came back
     */
    public record WrongAnswer(
            SearchKey key, String search, long seenFromNanos, long endNanos, List<String> faults, String found) {
        private static final int LONGEST_SEARCH = 10_000;

        public WrongAnswer {
            search = search.length() > LONGEST_SEARCH ? search.substring(0, LONGEST_SEARCH) + "..." : search;
            faults = List.copyOf(faults);
        }

        private WrongAnswer shifted(long more) {
            return new WrongAnswer(key, search, seenFromNanos + more, endNanos + more, faults, found);
        }

        private String text(long startNanos) {
            List<String> lines = new ArrayList<>(List.of(key.label(), "  asked: " + search.replace("\n", "\n    ")));
            String seconds = "  seconds of the run: %.6f to %.6f";
            double begun = (seenFromNanos - startNanos) / 1e9;
            lines.add(formatted(seconds, begun, (endNanos - startNanos) / 1e9));
            faults.forEach(fault -> lines.add("  wrong: " + fault));
            lines.add("  got: " + found);
            return String.join("\n", lines) + "\n";
        }
    }

    /**
     * The comparison of answers to the same questions, if the right answers are unknown. Immutable.
     *
     * @param words a description of what was compared, for people; empty if nothing could be compared
     * @param unchanged the result if nobody wrote between the answers: of two different answers, one is wrong
     * @param differing how many answers differed from the answer with which they were compared; some of these are reported as wrong
     */
    public record ComparedAnswers(String words, CheckedAnswers unchanged, long differing) {
        /**
         * Returns the result. If the data have changed, only equal answers count as checked.
         *
         * @param change the evidence that the data have changed; empty if there is none
         */
        public CheckedAnswers judged(Optional<String> change) {
            long agreed = unchanged.checked - differing;
            return change.isEmpty()
                    ? unchanged
                    : new CheckedAnswers(unchanged.askedRatio, agreed, unchanged.leftOut + differing, List.of());
        }

        /** Returns a note about the comparison, for people. */
        public String note(Optional<String> change) {
            if (words.isEmpty()) {
                return "no answers could be compared: no statement was executed twice with the same values";
            }
            String unclear = "; %s, so the %,d answers that differed cannot be checked";
            return "answers were compared with each other: " + words
                    + change.map(what -> formatted(unclear, what, differing)).orElse(", while nobody wrote a row");
        }
    }
}
