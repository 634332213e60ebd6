package siemload.run;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import siemload.config.Property;
import siemload.database.TargetException;
import siemload.measure.FeederRecorder;
import siemload.measure.RunClock;
import siemload.measure.monitor.RunMonitor;
import siemload.results.GeneratorCpu;
import siemload.results.RunResult;
import siemload.results.RunResult.Validity;
import siemload.results.StepRecord;
import siemload.results.StoredEvents;
import siemload.results.VisibilityResult;
import siemload.run.procedure.StepLog;

/** Turns what a procedure measured into results, and says how the process should end. */
final class ProcedureOutcome {
    private static final int SHOWN = 3;

    private final RunSetup setup;
    private final ProvenPlans plans;
    private final List<String> known;

    /** @param known what has to be said about the run beside what it shows itself */
    ProcedureOutcome(RunSetup setup, ProvenPlans plans, List<String> known) {
        this.setup = setup;
        this.plans = plans;
        this.known = List.copyOf(known);
    }

    /**
     * What is known at the end.
     *
     * @param endNanos when the last step ended
     * @param harmful whether it stopped by itself, since step after step failed
     * @param failure what the server broke down with; empty where it did not
     */
    record Ending(
            RunClock clock, long endNanos, boolean interrupted, boolean harmful, Optional<TargetException> failure) {
        double seconds() {
            return clock.measuredSeconds(endNanos);
        }
    }

    /** Writes run.json and the reports, and prints report.txt. */
    ExitCode write(List<StepRecord> steps, Ending ending, GeneratorCpu cpu, RunMonitor.Seen seen) {
        ServerState server = ServerState.of(setup.target(), setup.server());
        RunResult.GeneratorResult generator = cpu.result(steps.size(), ending.seconds());
        Validity validity = validity(steps, ending, generator, seen, server);
        RunResult result = result(steps, ending, generator, seen, server, validity);
        if (!ResultFiles.write(setup, result)) {
            return ExitCode.INVALID_INPUT;
        }
        if (ending.interrupted()) {
            return ExitCode.INTERRUPTED;
        }
        if (ending.failure().isPresent() || server.isGone()) {
            return ExitCode.TARGET_FAILED;
        }
        if (ending.harmful()) {
            return ExitCode.INCONCLUSIVE;
        }
        boolean judged = !setup.plan().settings().value(Property.FAIL_ON).equals("breakdown");
        return judged && !validity.valid() ? ExitCode.INCONCLUSIVE : ExitCode.OK;
    }

    private RunResult result(
            List<StepRecord> steps,
            Ending ending,
            RunResult.GeneratorResult generator,
            RunMonitor.Seen seen,
            ServerState server,
            Validity validity) {
        return new RunResult(
                RunResult.FORMAT_VERSION,
                setup.directory().runId(),
                setup.plan().scenario().name(),
                setup.directory().startedAt(),
                Math.round(ending.seconds() * 1000) / 1000.0,
                ending.interrupted() || ending.harmful(),
                setup.targetRecord(server),
                setup.datasetRecord(),
                setup.settingRecords(),
                List.of(),
                new FeederRecorder(ending.clock(), 0).result(ending.endNanos(), StoredEvents.ALL),
                generator,
                seen.database(),
                seen.host(),
                VisibilityResult.NONE,
                List.of(),
                setup.environment().fingerprints(),
                plans.asRead(),
                steps,
                0,
                0,
                0,
                0,
                0,
                List.of(),
                validity);
    }

    private Validity validity(
            List<StepRecord> steps,
            Ending ending,
            RunResult.GeneratorResult generator,
            RunMonitor.Seen seen,
            ServerState server) {
        List<String> warnings = new ArrayList<>(plans.warnings());
        ending.failure().ifPresent(broken -> warnings.add("the database broke down: " + broken.getMessage()));
        if (server.isGone()) {
            warnings.add("the database was gone at the end of the run: " + server.failure());
        }
        if (ending.harmful()) {
            warnings.add(String.format(
                    Locale.ROOT,
                    "stopped by itself: %d steps in a row failed (-DabortIf=never goes on)",
                    StepLog.MOST_FAILURES_IN_A_ROW));
        }
        if (ending.interrupted()) {
            warnings.add(String.format(Locale.ROOT, "interrupted after %d steps", steps.size()));
        } else if (steps.isEmpty()) {
            warnings.add("no step was done");
        }
        warnings.addAll(seen.faults());
        warnFailed(steps, warnings);
        MachineValidity machine = MachineValidity.ofProcedure(seen.host(), generator.cpuRatio(), ending.seconds());
        warnings.addAll(machine.warnings());
        List<String> notes = new ArrayList<>(known);
        notes.addAll(machine.notes());
        notes.addAll(seen.notes());
        return new Validity(warnings.isEmpty(), warnings, notes);
    }

    /** A step that was not measured leaves the run without a number that others have. */
    private static void warnFailed(List<StepRecord> steps, List<String> warnings) {
        List<StepRecord> failed = steps.stream().filter(StepRecord::failed).toList();
        failed.stream()
                .limit(SHOWN)
                .map(step -> "step " + step.name() + " failed: " + step.facts().get(StepRecord.ERROR))
                .distinct()
                .forEach(warnings::add);
        if (failed.size() > SHOWN) {
            warnings.add(String.format(Locale.ROOT, "%d of %d steps failed", failed.size(), steps.size()));
        }
    }
}
