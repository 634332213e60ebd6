package siemload.run;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.BooleanSupplier;
import siemload.database.Pause;
import siemload.database.SearchException;
import siemload.database.SearchSession;
import siemload.database.Store;
import siemload.database.Store.StoreKind;
import siemload.database.TargetException;
import siemload.dataset.EventSource;
import siemload.measure.LatencyRecorder;
import siemload.measure.SearchStatistics;
import siemload.query.SearchName;
import siemload.results.FeederResult.StoredEvents;
import siemload.results.Outcome;
import siemload.results.RunFile;
import siemload.run.RunHost.ProgressBar;
import siemload.run.answers.AnswerCheck;
import siemload.run.answers.AnswerSampler;
import siemload.run.answers.CheckedAnswers;
import siemload.run.answers.CheckedAnswers.ComparedAnswers;
import siemload.run.answers.FeedLedger.Change;
import siemload.run.answers.RepeatedAnswers;
import siemload.run.answers.RepeatedSearches;
import siemload.run.answers.WrongAnswer;

/**
 * Whether the answers of a run were right, and all fed events are stored, looked at once its load is over. Answers are held against the
 * events that the run was made of or, where nobody knows the right ones, against other answers to the same questions. Wrong ones were
 * answered, so that they count as wrong alone, and not as failed searches as well. Used by one thread.
 */
public final class AnswerReview {
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final int MILLIS_BETWEEN_LOOKS = 100;

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
        CheckedAnswers checked = checked(measured, written(measured.searches()), givenUp);
        if (!checked.wrong().isEmpty()) {
            write(
                    RunFile.WRONG_ANSWERS,
                    WrongAnswer.texts(checked.wrong(), measured.end().clock().startNanos()));
        }
        return checked;
    }

    private CheckedAnswers checked(LoadOutcome measured, OptionalLong written, BooleanSupplier givenUp) {
        AnswerSampler sampler = measured.kept();
        if (measured.injected().isPresent()) {
            return measured.injected().orElseThrow().answers();
        }
        if (measured.end().ending() != LoadOutcome.Ending.COMPLETE) {
            return CheckedAnswers.none(sampler);
        }
        if (sampler.repeats().isPresent()) {
            return ofStatements(sampler.repeats().orElseThrow(), sampler.askedRatio(), change(written));
        }
        if (bench.store().kind() == StoreKind.EXISTING) {
            return ofExistingEvents(sampler, written, givenUp);
        }
        return againstEvents(bench.host(), bench.plan().source(), measured, givenUp);
    }

    /** Holds the answers of a complete load against the events of the data set and those that were fed. */
    public static CheckedAnswers againstEvents(
            RunHost host, EventSource source, LoadOutcome measured, BooleanSupplier givenUp) {
        AnswerSampler sampler = measured.kept();
        AnswerCheck.Changes changes = new AnswerCheck.Changes(measured.fed().batches(), measured.drop());
        host.status("checking answers");
        try (ProgressBar bar = new ProgressBar(host, "checking answers", source.count())) {
            return AnswerCheck.of(sampler, source, changes, bar::advance, givenUp);
        } catch (UncheckedIOException unreadable) {
            host.line("the answers could not be checked: " + unreadable.getMessage());
            return CheckedAnswers.none(sampler);
        }
    }

    /** Answers to the same statements are held against each other; their sums are kept for other runs that ask the same. */
    private CheckedAnswers ofStatements(RepeatedAnswers repeats, double askedRatio, Optional<String> change) {
        ComparedAnswers compared = repeats.compared(askedRatio);
        found.noteIf(askedRatio > 0, compared.note(change));
        if (askedRatio > 0 && change.isEmpty()) {
            StringBuilder lines = new StringBuilder(String.join(",", RunFile.ANSWERS.columns())).append('\n');
            repeats.lines().forEach(line -> lines.append(line).append('\n'));
            write(RunFile.ANSWERS, lines.toString());
        }
        return compared.judged(change);
    }

    /** Asks the sampled searches again, and reads the whole result of pages. */
    private CheckedAnswers ofExistingEvents(AnswerSampler sampler, OptionalLong written, BooleanSupplier givenUp) {
        try (SearchSession session = bench.store().openSession()) {
            RepeatedSearches repeated = new RepeatedSearches(session, sampler);
            int asked = repeated.samples().size();
            try (ProgressBar bar = new ProgressBar(bench.host(), "asking again", asked, "answers")) {
                repeated.ask(bar::advance, givenUp);
            }
            Optional<String> change = change(written).or(() -> {
                long more =
                        bench.store().span().events() - bench.plan().source().count();
                String meanwhile = String.format(Locale.ROOT, "there are %+,d events meanwhile", more);
                return Optional.of(meanwhile).filter(changed -> more != 0);
            });
            ComparedAnswers compared = repeated.compared();
            found.noteIf(sampler.askedRatio() > 0, compared.note(change));
            return compared.judged(change);
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
        String text =
                String.format(Locale.ROOT, "%,d rows were written into the database meanwhile", written.getAsLong());
        return Optional.of(text).filter(changed -> written.getAsLong() != 0);
    }

    /**
     * How many rows anybody wrote into data that were there before, with those of statements that say that they write, in the warm-up, too.
     * The server may not have counted the latest yet. Empty where it does not tell.
     */
    private OptionalLong written(LatencyRecorder searches) {
        OptionalLong now = writtenSoFar();
        Set<SearchName> writing = bench.plan().scenario().writing();
        long own = 0;
        for (SearchName name : writing) {
            SearchStatistics ended = searches.ofAllPhases(name);
            long answered = ended.count(Outcome.OK);
            long unanswered = ended.count() - answered;
            own += ended.rows();
            String failed = String.format(
                    Locale.ROOT,
                    "; %,d failed, of which those that lost their connection may have written",
                    unanswered);
            found.note(
                    "%s wrote, and that stays: %,d executions were acknowledged, with %,d rows written or returned, the warm-up's"
                            + " included%s",
                    name.name(), answered, ended.rows(), unanswered == 0 ? "" : failed);
        }
        if (now.isEmpty() || writtenBefore.isEmpty()) {
            return OptionalLong.empty();
        }
        long written = Math.max(own, now.getAsLong() - writtenBefore.getAsLong());
        String counted = "the server has counted %,d rows that anybody wrote into the database meanwhile";
        found.noteIf(!writing.isEmpty(), counted, written);
        return OptionalLong.of(written);
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

    /**
     * Looks for every fed event by its id, those acknowledged and the others. Whether a batch is stored whose acknowledgement was lost is
     * not known before: the server may have stored it, or may be about to.
     */
    public static StoredEvents lookFor(LoadOutcome.Fed fed, Store store) {
        long[] open = {0};
        fed.ids().accept(Change.SENT, ids -> open[0] += ids.size());
        try {
            // A commit that the server is still working on would be missed.
            long start = System.nanoTime();
            while (open[0] > 0 && store.runningFor(Duration.ZERO).orElse(0) > 0) {
                if (System.nanoTime() - start > PATIENCE.toNanos()) {
                    return StoredEvents.unseen(open[0]);
                }
                Pause.millis(MILLIS_BETWEEN_LOOKS, "looking for the fed events");
            }
            Found known = new Found(fed, Change.ACKNOWLEDGED, store);
            Found others = new Found(fed, Change.SENT, store);
            long twice = known.twice + others.twice;
            return new StoredEvents(known.missing, twice, others.found, others.missing, 0);
        } catch (TargetException | SearchException unreachable) {
            return StoredEvents.unseen(open[0]);
        }
    }

    /** What became of some events. */
    private static final class Found {
        private long missing;
        private long found;
        private long twice;

        Found(LoadOutcome.Fed fed, Change last, Store store) {
            fed.ids().accept(last, ids -> {
                Store.Presence presence = store.presenceOf(ids);
                missing += ids.size() - presence.found();
                found += presence.found();
                twice += presence.duplicated();
            });
        }
    }
}
