package siemload.run;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import siemload.database.TargetException;
import siemload.dataset.EventSource;
import siemload.measure.monitor.RunMonitor;
import siemload.results.GeneratorCpu;
import siemload.results.RunResult;
import siemload.results.Saturation;
import siemload.results.StepRecord;
import siemload.results.Validity;
import siemload.scenario.Procedure;

/** Turns what a procedure measured into results, and says how the process should end. */
final class ProcedureOutcome {
    private static final int SHOWN = 3;

    private final RunSetup setup;
    private final ProvenPlans plans;
    private final JobReview jobs;
    private final List<String> known;

    /**
     * @param jobs what the log of the run's jobs says
     * @param known what has to be said about the run beside what it shows itself
     */
    ProcedureOutcome(RunSetup setup, ProvenPlans plans, JobReview jobs, List<String> known) {
        this.setup = setup;
        this.plans = plans;
        this.jobs = jobs;
        this.known = List.copyOf(known);
    }

    /**
     * What is known at the end.
     *
     * @param seconds from the first step to the end of the last one
     * @param harm what it stopped by itself for; empty where it did not
     * @param failure what the server broke down with; empty where it did not
     */
    record End(double seconds, LoadOutcome.Ending ending, Optional<String> harm, Optional<TargetException> failure) {}

    /** Writes run.json and the reports, and prints report.txt. */
    ResultFiles.End write(List<StepRecord> steps, End end, GeneratorCpu cpu, RunMonitor.Seen seen) {
        ServerState server = setup.database().state();
        RunResult.GeneratorResult generator = cpu.result(steps.size(), end.seconds());
        RunResult result = new RunResult(
                RunResult.FORMAT_VERSION,
                setup.identity(server, end.seconds(), end.ending()),
                RunResult.Measurement.withoutLoad(generator, seen.database(), seen.host(), seen.hosts()),
                setup.environment().fingerprints(),
                plans.asRead(),
                steps,
                0,
                RunResult.AnswerCounts.NONE,
                List.of(),
                validity(steps, end, generator, seen, server));
        boolean serverGone = end.failure().isPresent() || server.isGone();
        return ResultFiles.write(setup, result, end.ending(), ResultFiles.Server.of(serverGone, seen));
    }

    private Validity validity(
            List<StepRecord> steps,
            End end,
            RunResult.GeneratorResult generator,
            RunMonitor.Seen seen,
            ServerState server) {
        List<String> warnings = new ArrayList<>(plans.warnings());
        end.failure().ifPresent(broken -> warnings.add("the database broke down: " + broken.getMessage()));
        if (server.isGone()) {
            warnings.add("the database was gone at the end of the run: " + server.failure());
        }
        end.harm().ifPresent(why -> warnings.add("stopped by itself, since it did harm: " + why));
        if (end.ending() == LoadOutcome.Ending.INTERRUPTED) {
            warnings.add(String.format(Locale.ROOT, "interrupted after %d steps", steps.size()));
        } else if (steps.isEmpty()) {
            warnings.add("no step was done");
        }
        warnings.addAll(seen.faults());
        warnFailed(steps, warnings);
        warnings.addAll(jobs.warnings());
        MachineValidity machine = MachineValidity.ofProcedure(seen.host(), generator.cpuRatio(), end.seconds());
        warnings.addAll(machine.warnings());
        List<String> notes = new ArrayList<>(known);
        foundNothing(steps).ifPresent(notes::add);
        notes.addAll(jobs.notes());
        notes.addAll(machine.notes());
        notes.addAll(seen.notes());
        return Validity.of(warnings, machine.disturbance(), Saturation.NONE, notes);
    }

    /** A search for values that everybody knows is measured to compare, which takes that there is something to find. */
    private Optional<String> foundNothing(List<StepRecord> steps) {
        List<String> empty = steps.stream()
                .filter(step -> step.figures().getOrDefault("rows", 1.0) == 0)
                .map(StepRecord::name)
                .distinct()
                .toList();
        return setup.plan()
                .scenario()
                .procedure()
                .flatMap(Procedure::searching)
                .map(Procedure.SearchSet::searched)
                .filter(name -> !empty.isEmpty() && !name.equals(EventSource.DRAWN))
                .map(name -> "no event of data set " + setup.plan().source().name() + " has the values that it names "
                        + name + " in: " + String.join(", ", empty));
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
