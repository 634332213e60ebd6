package siemload.run;

import java.util.Locale;
import java.util.OptionalLong;
import siemload.run.answers.CheckedAnswers;
import siemload.run.answers.RepeatedAnswers;

/**
 * What answers to statements prove that were held against each other. Immutable.
 *
 * @param written how many rows were written into the database meanwhile, by anybody; empty where nobody tells
 */
record RepeatReview(RepeatedAnswers answers, double askedRatio, OptionalLong written) {

    /** Where somebody has written, an answer may be another one and right all the same. */
    CheckedAnswers check() {
        return isUnchanged() ? answers.checked(askedRatio) : answers.unchecked(askedRatio);
    }

    /** Whether nobody has written meanwhile, so that whoever asks the same must get the same. */
    boolean isUnchanged() {
        return written.orElse(1) == 0;
    }

    /** What a reader must know of it. */
    String note() {
        if (answers.repeats() == 0) {
            return "no answer could be held against another one: nothing was asked twice with the same values";
        }
        String compared = String.format(
                Locale.ROOT,
                "answers were held against each other: %,d that repeat one of %,d questions (a statement with its values)",
                answers.repeats(),
                answers.questions());
        if (isUnchanged()) {
            return compared + ", while nobody wrote a row";
        }
        String how = written.isEmpty()
                ? "whether the data changed meanwhile is unknown"
                : String.format(Locale.ROOT, "%,d rows were written into the database meanwhile", written.getAsLong());
        return String.format(
                Locale.ROOT,
                "%s; %s, so that the %,d that were answered otherwise than at first cannot be checked",
                compared,
                how,
                answers.differing());
    }
}
