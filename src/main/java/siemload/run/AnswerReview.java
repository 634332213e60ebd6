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
import siemload.measure.Tally.SearchStatistics;
import siemload.query.SearchName;
import siemload.results.FeederResult.StoredEvents;
import siemload.results.Outcome;
import siemload.results.RunFile;
import siemload.run.RunHost.ProgressBar;
import siemload.run.RunValidity.Findings;
import siemload.run.answers.AnswerCheck;
import siemload.run.answers.AnswerSampler;
import siemload.run.answers.CheckedAnswers;
import siemload.run.answers.CheckedAnswers.ComparedAnswers;
import siemload.run.answers.FeedLedger;
import siemload.run.answers.FeedLedger.Change;
import siemload.run.answers.RepeatedAnswers;
import siemload.run.answers.RepeatedSearches;

/**
 * Checks after the load whether the answers of a run were right, and whether all fed events are stored. Answers are compared with the
 * events of the run or, if the right answers are unknown, with other answers to the same questions. Wrong answers do not count as failed
 * searches. Used by one thread.
 */
public final class AnswerReview {
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final int MILLIS_BETWEEN_LOOKS = 100;

    private final Bench bench;
    private final Path directory;
    private final OptionalLong writtenBefore;
    private final Findings found;

    /**
     * Begins to watch whether anybody writes into existing data.
     *
     * @param directory where the wrong answers are written
     * @param found receives notes about the answers, and the reasons why some answers cannot be checked
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
     * Checks the answers, and writes the wrong answers to a file.
     *
     * @param givenUp whether the process is asked to stop; checked repeatedly
     */
    CheckedAnswers check(LoadOutcome measured, BooleanSupplier givenUp) {
        CheckedAnswers checked = checked(measured, change(measured.searches()), givenUp);
        if (!checked.wrong().isEmpty()) {
            write(RunFile.WRONG_ANSWERS, checked.text(measured.end().clock().startNanos()));
        }
        return checked;
    }

    private CheckedAnswers checked(LoadOutcome measured, Optional<String> change, BooleanSupplier givenUp) {
        AnswerSampler sampler = measured.kept();
        if (measured.injected().isPresent()) {
            return measured.injected().orElseThrow().answers();
        }
        if (measured.end().ending() != LoadOutcome.Ending.COMPLETE) {
            return CheckedAnswers.none(sampler);
        }
        if (sampler.repeats().isPresent()) {
            return ofStatements(sampler.repeats().orElseThrow(), sampler.askedRatio(), change);
        }
        return bench.store().kind() == StoreKind.EXISTING
                ? ofExistingEvents(sampler, change, givenUp)
                : againstEvents(bench.host(), bench.plan().source(), measured, givenUp);
    }

    /** Compares the answers of a complete load with the events of the data set and the fed events. */
    public static CheckedAnswers againstEvents(
            RunHost host, EventSource source, LoadOutcome measured, BooleanSupplier givenUp) {
        AnswerSampler sampler = measured.kept();
        host.status("checking answers");
        try (ProgressBar bar = new ProgressBar(host, "checking answers", source.count(), "events")) {
            FeedLedger.Batches fed = measured.fed().batches();
            return AnswerCheck.of(sampler, source, fed, measured.drop(), bar::advance, givenUp);
        } catch (UncheckedIOException unreadable) {
            host.line("the answers could not be checked: " + unreadable.getMessage());
            return CheckedAnswers.none(sampler);
        }
    }

    /** Compares answers to the same statements with each other; their checksums are kept for other runs with the same statements. */
    private CheckedAnswers ofStatements(RepeatedAnswers repeats, double askedRatio, Optional<String> change) {
        ComparedAnswers compared = repeats.compared(askedRatio);
        found.noteIf(askedRatio > 0, compared.note(change));
        if (askedRatio > 0 && change.isEmpty()) {
            String columns = String.join(",", RunFile.ANSWERS.columns()) + "\n";
            write(RunFile.ANSWERS, columns + repeats.lines());
        }
        return compared.judged(change);
    }

    /** Repeats the sampled searches and, for a page, also reads the whole result. */
    private CheckedAnswers ofExistingEvents(AnswerSampler sampler, Optional<String> written, BooleanSupplier givenUp) {
        try (SearchSession session = bench.store().openSession()) {
            RepeatedSearches repeated = new RepeatedSearches(session, sampler);
            int asked = repeated.samples().size();
            ComparedAnswers compared;
            try (ProgressBar bar = new ProgressBar(bench.host(), "asking again", asked, "answers")) {
                compared = repeated.ask(bar::advance, givenUp);
            }
            Optional<String> change = written.or(() -> {
                long more =
                        bench.store().span().events() - bench.plan().source().count();
                return told(more != 0, "the number of events has changed by %+,d", more);
            });
            found.noteIf(sampler.askedRatio() > 0, compared.note(change));
            return compared.judged(change);
        } catch (TargetException unreachable) {
            found.note("the searches could not be repeated: " + unreachable.getMessage());
            return CheckedAnswers.none(sampler);
        }
    }

    private static Optional<String> told(boolean holds, String format, Object... values) {
        return holds ? Optional.of(String.format(Locale.ROOT, format, values)) : Optional.empty();
    }

    /**
     * Returns evidence that existing data have changed: the number of rows written by anybody, including the run's own writing statements
     * and the warm-up. The server may not have counted the latest rows yet.
     */
    private Optional<String> change(LatencyRecorder searches) {
        OptionalLong now = writtenSoFar();
        Set<SearchName> writing = bench.plan().scenario().writing();
        long own = 0;
        for (SearchName name : writing) {
            SearchStatistics ended = searches.ofAllPhases(name);
            long answered = ended.count(Outcome.OK);
            long unanswered = ended.count() - answered;
            own += ended.rows();
            String failed = "; %,d executions failed, and may have written if they lost their connection";
            found.note(
                    "%s wrote, and its changes stay: %,d executions were acknowledged, with %,d rows written or"
                            + " returned, including the warm-up%s",
                    name.name(),
                    answered,
                    ended.rows(),
                    told(unanswered > 0, failed, unanswered).orElse(""));
        }
        if (now.isEmpty() || writtenBefore.isEmpty()) {
            return Optional.of("it is unknown whether the data changed meanwhile");
        }
        long written = Math.max(own, now.getAsLong() - writtenBefore.getAsLong());
        String counted = "the server has counted %,d rows that were written into the database meanwhile, by anybody";
        found.noteIf(!writing.isEmpty(), counted, written);
        return told(written != 0, "%,d rows were written into the database meanwhile", written);
    }

    private void write(RunFile file, String text) {
        try {
            Files.writeString(file.in(directory), text);
        } catch (IOException unwritten) {
            bench.host().line(file.in(directory) + " could not be written: " + unwritten);
        }
    }

    /**
     * Looks for every fed event by its id, acknowledged or not. Only this lookup shows whether a batch without an acknowledgement is
     * stored: the server may have stored the batch, or may still do so.
     */
    public static StoredEvents lookFor(LoadOutcome.Fed fed, Store store) {
        long[] open = {0};
        fed.ledger().ids(Change.SENT, fed.events(), ids -> open[0] += ids.size());
        try {
            // Looking too early would miss a commit that the server is still working on.
            long start = System.nanoTime();
            while (open[0] > 0 && store.running().orElse(0) > 0) {
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

    /** Counts which of some events are in a store: missing ones, found ones, and those found twice. */
    private static final class Found {
        private long missing;
        private long found;
        private long twice;

        Found(LoadOutcome.Fed fed, Change last, Store store) {
            fed.ledger().ids(last, fed.events(), ids -> {
                Store.Presence presence = store.presenceOf(ids);
                missing += ids.size() - presence.found();
                found += presence.found();
                twice += presence.duplicated();
            });
        }
    }
}
