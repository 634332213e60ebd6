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
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import siemload.database.Hint;
import siemload.database.Store;
import siemload.database.Store.StoreKind;
import siemload.database.TargetException;
import siemload.dataset.EventSource;
import siemload.measure.LatencyRecorder;
import siemload.measure.LatencyRecorder.EndedSearches;
import siemload.query.SearchName;
import siemload.results.RunFile;
import siemload.run.RunHost.ProgressBar;
import siemload.run.answers.AnswerCheck;
import siemload.run.answers.AnswerSampler;
import siemload.run.answers.CheckedAnswers;
import siemload.run.answers.CheckedAnswers.ComparedAnswers;
import siemload.run.answers.RepeatedAnswers;
import siemload.run.answers.RepeatedSearches;
import siemload.run.answers.SampledAnswer;
import siemload.run.answers.WrongAnswer;

/**
 * Whether the answers of a run were right, looked at once its load is over: against the events that the run was made of or, where nobody
 * knows the right answers, against other answers to the same questions. Wrong ones were answered, so that they count as wrong alone, and
 * not as failed searches as well. Used by one thread.
 */
public final class AnswerReview {
    private final Bench bench;
    private final Path directory;
    private final OptionalLong writtenBefore;
    private final Findings found;

    /**
     * Begins to watch whether anybody writes into data that were there before.
     *
     * @param directory takes the wrong answers
     * @param found takes what has to be known of the answers, and why something cannot be checked that should be
     */
    AnswerReview(Bench bench, Path directory, Findings found) {
        this.found = found;
        this.bench = bench;
        this.directory = directory;
        this.writtenBefore = writtenSoFar();
    }

    private OptionalLong writtenSoFar() {
        try {
            return bench.store().rowsWritten();
        } catch (TargetException untold) {
            return OptionalLong.empty();
        }
    }

    /**
     * Checks the answers, and puts down the wrong ones.
     *
     * @param givenUp whether the process is asked to stop; asked again and again
     */
    CheckedAnswers check(LoadOutcome measured, BooleanSupplier givenUp) {
        OptionalLong written = written(measured.searches());
        CheckedAnswers checked = checked(measured, written, givenUp);
        if (!checked.wrong().isEmpty()) {
            write(
                    RunFile.WRONG_ANSWERS,
                    WrongAnswer.texts(checked.wrong(), measured.end().clock().startNanos()));
        }
        return checked;
    }

    private CheckedAnswers checked(LoadOutcome measured, OptionalLong written, BooleanSupplier givenUp) {
        AnswerSampler sampler = measured.kept().answers();
        if (measured.injected().isPresent()) {
            return measured.injected().orElseThrow().answers();
        }
        if (measured.end().ending() != LoadOutcome.Ending.COMPLETE) {
            return CheckedAnswers.none(sampler);
        }
        if (sampler.repeats().isPresent()) {
            return ofStatements(sampler.repeats().orElseThrow(), sampler.askedRatio(), written);
        }
        if (bench.store().kind() == StoreKind.EXISTING) {
            return ofExistingEvents(bench.store(), sampler, written, givenUp);
        }
        List<SampledAnswer> hours = hoursOfTrends(measured);
        CheckedAnswers checked = againstEvents(bench.host(), bench.plan().source(), measured, hours, givenUp);
        if (!hours.isEmpty()
                && checked.checked() >= hours.size()
                && checked.wrongTrends().isEmpty()) {
            found.note(String.format(
                    Locale.ROOT,
                    "the trends have %d lines of %d hours, all of them as the events say",
                    hours.stream().mapToLong(SampledAnswer::reportedRows).sum(),
                    hours.size()));
        }
        return checked;
    }

    /**
     * Holds the answers of a complete load against the events of the data set and those that were fed.
     *
     * @param hours what the trends say of each hour
     */
    public static CheckedAnswers againstEvents(
            RunHost host,
            EventSource source,
            LoadOutcome measured,
            List<SampledAnswer> hours,
            BooleanSupplier givenUp) {
        AnswerSampler sampler = measured.kept().answers();
        host.status("checking answers");
        try (ProgressBar bar = new ProgressBar(host, "checking answers", source.count())) {
            return AnswerCheck.of(
                    sampler,
                    hours,
                    source,
                    new AnswerCheck.Changes(measured.fed().batches(), measured.drop()),
                    bar::advance,
                    givenUp);
        } catch (UncheckedIOException unreadable) {
            host.line("the answers could not be checked: " + unreadable.getMessage());
            return CheckedAnswers.none(sampler);
        }
    }

    /** Nothing where no answers are checked at all. */
    private List<SampledAnswer> hoursOfTrends(LoadOutcome measured) {
        if (measured.kept().trends().isEmpty() || measured.kept().answers().askedRatio() == 0) {
            return List.of();
        }
        try {
            return measured.kept().trends().answers(bench.store()::trendLines);
        } catch (TargetException unread) {
            found.fault("whether the trends are right is unknown: " + unread.getMessage());
            return List.of();
        }
    }

    private CheckedAnswers ofStatements(RepeatedAnswers repeats, double askedRatio, OptionalLong written) {
        ComparedAnswers compared = repeats.compared(askedRatio);
        Optional<String> change = change(written);
        if (askedRatio > 0) {
            found.note(compared.note(change));
            if (change.isEmpty()) {
                // For other runs that ask the same.
                write(
                        RunFile.ANSWERS,
                        String.join(",", RunFile.ANSWERS.columns()) + "\n"
                                + repeats.lines().stream()
                                        .map(line -> line + "\n")
                                        .collect(Collectors.joining()));
            }
        }
        return compared.judged(change.isEmpty());
    }

    /** Asks the sampled searches again, as they were and with each other hint of the layout, and reads the whole result of pages. */
    private CheckedAnswers ofExistingEvents(
            Store store, AnswerSampler sampler, OptionalLong written, BooleanSupplier givenUp) {
        RunPlan plan = bench.plan();
        List<Hint> hints = new ArrayList<>(plan.choice().abilities().hints());
        hints.remove(plan.variant().hint());
        try (RepeatedSearches repeated =
                new RepeatedSearches(store, hints, plan.source().until())) {
            try (ProgressBar bar = new ProgressBar(bench.host(), "asking again", repeated.number(sampler), "answers")) {
                repeated.ask(sampler, bar::advance, givenUp);
            }
            long more = written.orElse(1) == 0
                    ? store.span().events() - plan.source().count()
                    : 0;
            Optional<String> change = change(written)
                    .or(() -> more == 0
                            ? Optional.empty()
                            : Optional.of(String.format(Locale.ROOT, "there are %+,d events meanwhile", more)));
            ComparedAnswers compared = repeated.compared(sampler);
            if (sampler.askedRatio() > 0) {
                found.note(compared.note(change));
            }
            return compared.judged(change.isEmpty());
        } catch (TargetException unreachable) {
            found.note("the answers could not be asked for again: " + unreachable.getMessage());
            return CheckedAnswers.none(sampler);
        }
    }

    /** What tells that the data are not what they were before the run. */
    private static Optional<String> change(OptionalLong written) {
        if (written.isEmpty()) {
            return Optional.of("whether the data changed meanwhile is unknown");
        }
        return written.getAsLong() == 0
                ? Optional.empty()
                : Optional.of(String.format(
                        Locale.ROOT, "%,d rows were written into the database meanwhile", written.getAsLong()));
    }

    /**
     * How many rows anybody wrote into data that were there before, with those of statements that say that they write, in the warm-up, too.
     * The server may not have counted the latest yet. Empty where it does not tell.
     */
    private OptionalLong written(LatencyRecorder searches) {
        OptionalLong now = writtenSoFar();
        Set<SearchName> writing = bench.plan().scenario().writing();
        long own =
                writing.stream().mapToLong(name -> searches.ended(name).rows()).sum();
        OptionalLong written = now.isPresent() && writtenBefore.isPresent()
                ? OptionalLong.of(Math.max(own, now.getAsLong() - writtenBefore.getAsLong()))
                : OptionalLong.empty();
        for (SearchName name : writing) {
            EndedSearches ended = searches.ended(name);
            found.note(String.format(
                    Locale.ROOT,
                    "%s wrote, and that stays: %,d executions were acknowledged, with %,d rows written or returned, the warm-up's"
                            + " included%s",
                    name.name(),
                    ended.answered(),
                    ended.rows(),
                    ended.failed() == 0
                            ? ""
                            : String.format(
                                    Locale.ROOT,
                                    "; %,d failed, of which those that lost their connection may have written",
                                    ended.failed())));
        }
        if (!writing.isEmpty() && written.isPresent()) {
            found.note(String.format(
                    Locale.ROOT,
                    "the server has counted %,d rows that anybody wrote into the database meanwhile",
                    written.getAsLong()));
        }
        return written;
    }

    private void write(RunFile file, String text) {
        try {
            Files.writeString(file.in(directory), text);
        } catch (IOException unwritten) {
            bench.host()
                    .line("the " + (file == RunFile.ANSWERS ? "" : "wrong ") + "answers could not be written to "
                            + file.in(directory) + ": " + unwritten);
        }
    }
}
