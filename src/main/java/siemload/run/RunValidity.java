package siemload.run;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import siemload.measure.SearchStatistics;
import siemload.results.Outcome;
import siemload.results.RunFile;
import siemload.results.RunResult.FeederResult;
import siemload.results.RunResult.PlanRecord;
import siemload.results.RunResult.Validity;
import siemload.run.answers.CheckedAnswers;

/** Whether the numbers of a run can be trusted. */
final class RunValidity {
    private static final double FEEDER_TOLERANCE = 0.01;
    private static final double ERROR_TOLERANCE = 0.01;
    private static final double BUSY_TOLERANCE = 0.05;
    private static final double WAIT_TOLERANCE = 0.1;
    private static final double SAMPLING_LIMIT = 0.01;
    private static final long SHORT_WAIT_MICROS = 10_000;

    private final List<String> warnings = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();

    /**
     * The verdict on a run.
     *
     * @param answers what became of the answers that were to be checked
     * @param known what is already known to be wrong
     * @param plans before the load and after it
     * @param serverFailure why the server could not be asked after the run; empty if it could
     */
    static Validity of(
            LoadOutcome measured,
            FeederResult feeder,
            CheckedAnswers answers,
            List<String> known,
            List<PlanRecord> plans,
            String serverFailure) {
        RunValidity validity = new RunValidity();
        validity.warnings.addAll(known);
        if (!serverFailure.isEmpty()) {
            validity.warn("the database was gone at the end of the run: %s", serverFailure);
        }
        if (measured.end().ending() == LoadOutcome.Ending.INTERRUPTED) {
            validity.warn(
                    "interrupted after %.1f s of the measured phase",
                    measured.end().seconds());
        }
        validity.warnings.addAll(measured.seen().faults());
        validity.checkAnswers(answers);
        SearchStatistics all = measured.searches().merged(key -> true);
        validity.checkUnfinished(all, measured.end().ending());
        validity.checkSearches(all);
        validity.checkWorkers(all, measured.searches().foundAllBusy());
        validity.checkFeeder(feeder, measured.feeder().lastFailure());
        validity.checkMachine(measured, all);
        validity.notePlans(plans);
        return new Validity(validity.warnings.isEmpty(), validity.warnings, validity.notes);
    }

    /** Speed is worth nothing where the answers are not right; one is enough. */
    private void checkAnswers(CheckedAnswers answers) {
        if (!answers.wrong().isEmpty()) {
            warn(
                    "%d of %d checked answers were wrong: %s",
                    answers.wrong().size(), answers.checked(), RunFile.WRONG_ANSWERS.fileName());
        }
    }

    /** Their times are too short in the results; an interrupted run says already that it ended early. */
    private void checkUnfinished(SearchStatistics all, LoadOutcome.Ending ending) {
        long unfinished = all.count(Outcome.UNFINISHED);
        if (unfinished > 0 && ending == LoadOutcome.Ending.COMPLETE) {
            warn(
                    "%d searches had not ended when the run gave up waiting; they count with the time until then",
                    unfinished);
        }
    }

    private void checkSearches(SearchStatistics all) {
        long failed = all.count() - all.count(Outcome.OK);
        if (all.count(Outcome.OK) == 0) {
            warn("no search was answered in the measured phase (%d failed)", failed);
            return;
        }
        if (failed > ERROR_TOLERANCE * all.count()) {
            warn("%d of %d searches failed", failed, all.count());
        } else if (all.count(Outcome.CONNECTION) > 0) {
            notes.add(String.format(
                    Locale.ROOT, "%d searches lost their connection to the database", all.count(Outcome.CONNECTION)));
        }
    }

    private void checkWorkers(SearchStatistics all, long busy) {
        if (busy > BUSY_TOLERANCE * all.count()) {
            warn("%d of %d searches found all workers busy: raise -Dworkers", busy, all.count());
            return;
        }
        long wait = all.workerWaits().summary().p95();
        if (wait > SHORT_WAIT_MICROS
                && wait > WAIT_TOLERANCE * all.responseTimes().summary().p95()) {
            warn(
                    "searches waited %.1f ms at p95 for a worker that was free: this machine has too little CPU for load"
                            + " and database together",
                    wait / 1000.0);
        }
    }

    private void checkFeeder(FeederResult feeder, String failure) {
        if (feeder.achievedRatio() < 1 - FEEDER_TOLERANCE) {
            warn(
                    "the feeder reached %.1f of %.1f events/s, %.1f %% too few; its batches were %.1f ms late at p95 and"
                            + " took %.1f ms to be acknowledged",
                    feeder.achievedEventsPerSecond(),
                    feeder.eventsPerSecond(),
                    100 * (1 - feeder.achievedRatio()),
                    feeder.latenessMicros().p95() / 1000.0,
                    feeder.acknowledgeMicros().p95() / 1000.0);
        }
        if (feeder.events().failed() > 0) {
            warn("%d fed events could not be stored: %s", feeder.events().failed(), failure);
        }
        if (feeder.events().unknown() > 0) {
            warn(
                    "whether %d fed events are stored is unknown: they were never acknowledged, and nobody could look for"
                            + " them (%s)",
                    feeder.events().unknown(), failure);
        }
        if (feeder.events().storedUnacknowledged() > 0) {
            notes.add(String.format(
                    Locale.ROOT,
                    "%d fed events are stored although their acknowledgement was lost (%s)",
                    feeder.events().storedUnacknowledged(),
                    failure));
        }
        if (feeder.events().lost() < 0) {
            warn("nobody could look whether all fed events are stored");
        }
        if (feeder.events().lost() > 0) {
            warn("%d acknowledged events are not in the store", feeder.events().lost());
        }
        if (feeder.events().duplicated() > 0) {
            warn(
                    "%d acknowledged events are in the store more than once",
                    feeder.events().duplicated());
        }
    }

    private void checkMachine(LoadOutcome measured, SearchStatistics all) {
        double seconds = measured.end().seconds();
        double generatorCpuRatio =
                measured.generator().result(all.count(), seconds).cpuRatio();
        MachineValidity machine = MachineValidity.of(
                measured.seen().host(), generatorCpuRatio, all.responseTimes().summary(), seconds);
        warnings.addAll(machine.warnings());
        notes.addAll(machine.notes());
        notes.addAll(measured.seen().notes());
        double sampling = measured.seen().database().samplingRatio();
        if (sampling > SAMPLING_LIMIT) {
            notes.add(String.format(
                    Locale.ROOT,
                    "reading the database's counters took %.1f %% of the time, with the waiting for its answers",
                    100 * sampling));
        }
    }

    /**
     * The numbers are right, but of two plans. That is no fault where the data grow: a server may leave an index for
     * another one and come back to it as fed events pile up in front of the first.
     */
    private void notePlans(List<PlanRecord> plans) {
        Map<String, List<String>> changes = new LinkedHashMap<>();
        for (PlanRecord plan : plans) {
            if (plan.changed()) {
                changes.computeIfAbsent(plan.shape() + " -> " + plan.shapeAtEnd(), change -> new ArrayList<>())
                        .add(plan.kind().label());
            }
        }
        changes.forEach((change, searches) ->
                notes.add("the plan of " + String.join("; ", searches) + " changed during the run: " + change));
    }

    private void warn(String format, Object... values) {
        warnings.add(String.format(Locale.ROOT, format, values));
    }
}
