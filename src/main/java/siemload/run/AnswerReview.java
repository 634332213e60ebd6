package siemload.run;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.BooleanSupplier;
import siemload.dataset.EventSource;
import siemload.results.RunFile;
import siemload.run.answers.AnswerCheck;
import siemload.run.answers.CheckedAnswers;
import siemload.run.answers.SampledAnswer;
import siemload.run.answers.WrongAnswer;

/**
 * Has the sampled answers of a run checked once its load is over, and puts down the wrong ones.
 *
 * @param hours what the trends say of each hour
 * @param written how many rows anybody wrote meanwhile into data that were there before; empty where nobody tells
 * @param existing where events are searched that were there before, of which nobody knows the right answers
 */
record AnswerReview(
        RunHost host,
        EventSource source,
        List<SampledAnswer> hours,
        Path directory,
        OptionalLong written,
        Optional<ExistingSearches> existing) {
    private static final int MOST_IN_FILE = 100;

    /**
     * Checks the answers. Wrong ones were answered, so that they count as wrong alone, and not as failed searches as well.
     *
     * @param givenUp whether the process is asked to stop; asked again and again
     */
    CheckedAnswers review(LoadOutcome measured, BooleanSupplier givenUp) {
        CheckedAnswers checked = check(measured, givenUp);
        if (!checked.wrong().isEmpty()) {
            write(checked.wrong(), measured.end().clock().startNanos());
        }
        return checked;
    }

    CheckedAnswers check(LoadOutcome measured, BooleanSupplier givenUp) {
        if (measured.injected().isPresent()) {
            return measured.injected().orElseThrow().answers();
        }
        if (measured.end().ending() != LoadOutcome.Ending.COMPLETE) {
            return CheckedAnswers.none(measured.kept().answers());
        }
        Optional<RepeatReview> repeats = repeats(measured);
        if (repeats.isPresent()) {
            writeAnswers(repeats.orElseThrow());
            return repeats.orElseThrow().check();
        }
        if (existing.isPresent()) {
            return existing.orElseThrow().check(measured.kept().answers(), givenUp);
        }
        host.status("checking answers");
        try (ProgressBar bar = new ProgressBar(host, "checking answers", source.count())) {
            return AnswerCheck.of(
                    measured.kept().answers(),
                    hours,
                    source,
                    new AnswerCheck.Changes(
                            measured.fed().batches(), measured.drop().map(DayDrop::dropped)),
                    bar::advance,
                    givenUp);
        } catch (UncheckedIOException unreadable) {
            host.line("the answers could not be checked: " + unreadable.getMessage());
            return CheckedAnswers.none(measured.kept().answers());
        }
    }

    private Optional<RepeatReview> repeats(LoadOutcome measured) {
        return measured.kept()
                .answers()
                .repeats()
                .map(answers ->
                        new RepeatReview(answers, measured.kept().answers().askedRatio(), written));
    }

    /** What has to be said of answers that were held against each other; nothing of others. */
    Optional<String> note(LoadOutcome measured) {
        return measured.kept().answers().askedRatio() == 0
                ? Optional.empty()
                : existing.flatMap(ExistingSearches::note)
                        .or(() -> repeats(measured).map(RepeatReview::note));
    }

    /** For other runs that ask the same. */
    private void writeAnswers(RepeatReview repeats) {
        if (repeats.askedRatio() == 0 || !repeats.isUnchanged()) {
            return;
        }
        List<String> lines = new ArrayList<>(List.of(String.join(",", RunFile.ANSWERS.columns())));
        lines.addAll(repeats.answers().lines());
        try {
            Files.write(RunFile.ANSWERS.in(directory), lines);
        } catch (IOException unwritten) {
            host.line("the answers could not be written to " + RunFile.ANSWERS.in(directory) + ": " + unwritten);
        }
    }

    private void write(List<WrongAnswer> wrong, long startNanos) {
        StringBuilder text = new StringBuilder();
        wrong.stream()
                .limit(MOST_IN_FILE)
                .forEach(one -> text.append(one.text(startNanos)).append('\n'));
        if (wrong.size() > MOST_IN_FILE) {
            text.append(String.format(Locale.ROOT, "and %d more\n", wrong.size() - MOST_IN_FILE));
        }
        try {
            Files.writeString(RunFile.WRONG_ANSWERS.in(directory), text);
        } catch (IOException unwritten) {
            host.line("the wrong answers could not be written to " + RunFile.WRONG_ANSWERS.in(directory) + ": "
                    + unwritten);
        }
    }
}
