package siemload.run;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import siemload.check.CheckedAnswers;
import siemload.config.Property;
import siemload.environment.EnvironmentFile;
import siemload.environment.EnvironmentRecord;
import siemload.measure.Outcome;
import siemload.measure.RunResult;
import siemload.measure.RunResult.FeederResult;
import siemload.measure.RunResultFile;
import siemload.measure.SearchStatistics;
import siemload.provision.ProvidedServer;
import siemload.report.RunReports;
import siemload.report.TextReport;
import siemload.target.Target;
import siemload.target.TargetException;

/** Turns what was measured into results, and says how the process should end. */
final class RunOutcome {
    private final RunPlan plan;
    private final RunDirectory directory;
    private final ProvidedServer provided;
    private final Target target;
    private final List<String> warnings;
    private final EnvironmentRecord environment;

    /**
     * Turns one run's measurements into its result.
     *
     * @param provided the server, and what it runs in
     * @param warnings what has to be said of the run before it was measured
     * @param environment what it took place on
     */
    RunOutcome(
            RunPlan plan,
            RunDirectory directory,
            ProvidedServer provided,
            Target target,
            List<String> warnings,
            EnvironmentRecord environment) {
        this.warnings = List.copyOf(warnings);
        this.environment = environment;
        this.plan = plan;
        this.directory = directory;
        this.provided = provided;
        this.target = target;
    }

    /** Writes run.json and the reports, and prints report.txt. */
    ExitCode write(
            RunHost host, Measured measured, FedEvents fed, List<RunResult.PlanRecord> plans, CheckedAnswers answers) {
        ServerState server = ServerState.of(target, provided);
        RunResult result = result(measured, fed, plans, answers, server);
        String text = TextReport.of(result);
        Path json = directory.path().resolve("run.json");
        try {
            RunResultFile.write(json, result);
            EnvironmentFile.write(directory.path().resolve("environment.json"), environment);
            directory.markLatest();
        } catch (IOException unwritten) {
            host.line(text);
            host.failure("the results could not be written to " + directory.path() + ": " + unwritten, unwritten);
            return ExitCode.INVALID_INPUT;
        }
        host.line("");
        host.line(text + "results: " + json);
        writeReports(host);
        return exitCode(result, measured, fed, server);
    }

    /** What was measured is safe by now: a report can be made again, and must not change how the run ends. */
    private void writeReports(RunHost host) {
        try {
            RunReports.Written written = RunReports.write(directory.path());
            written.files().forEach(file -> host.line("         " + file));
            written.leftOut().forEach(reason -> host.line("warning: left out of report.html: " + reason));
        } catch (IOException | RuntimeException unwritten) {
            host.line("warning: the reports could not be written: " + unwritten.getMessage() + " (./siemload report "
                    + directory.path() + " tries again)");
        }
    }

    private RunResult result(
            Measured measured,
            FedEvents fed,
            List<RunResult.PlanRecord> plans,
            CheckedAnswers answers,
            ServerState server) {
        FeederResult feeder = measured.feeder().result(measured.endNanos(), fed.lost(), fed.duplicated());
        double seconds = measured.clock().measuredSeconds(measured.endNanos());
        return new RunResult(
                RunResult.FORMAT_VERSION,
                directory.runId(),
                plan.scenario().name(),
                directory.startedAt(),
                Math.round(seconds * 1000) / 1000.0,
                measured.ending() == Measured.Ending.INTERRUPTED,
                targetRecord(server),
                new RunResult.DatasetRecord(
                        plan.source().name(),
                        plan.source().count(),
                        plan.source().seed(),
                        plan.source().fingerprint()),
                settings(),
                measured.searches().results(),
                feeder,
                measured.generator()
                        .result(measured.searches().merged(key -> true).count(), seconds),
                measured.seen().database(),
                measured.seen().host(),
                measured.visibility(),
                measured.pagination(),
                environment.fingerprints(),
                plans,
                measured.searches().inFlightAtEnd(),
                answers.askedRatio(),
                answers.checked(),
                answers.wrong().size(),
                answers.leftOut(),
                new Objectives(measured.searches(), feeder)
                        .check(plan.scenario().objectives()),
                RunValidity.of(measured, feeder, answers, warnings, plans, server.failure()));
    }

    private RunResult.TargetRecord targetRecord(ServerState server) {
        return new RunResult.TargetRecord(
                plan.choice().plugin().id(),
                target.version(),
                provided.provision().label(),
                plan.variant().layout(),
                plan.variant().indexes().label(),
                plan.variant().hint().label(),
                plan.variant().paging().label(),
                server.settings(),
                provided.container());
    }

    private List<RunResult.SettingRecord> settings() {
        return plan.resolved().values().stream()
                .map(value -> new RunResult.SettingRecord(
                        value.name(), value.value(), value.origin().toString()))
                .toList();
    }

    private ExitCode exitCode(RunResult result, Measured measured, FedEvents fed, ServerState server) {
        SearchStatistics all = measured.searches().merged(key -> true);
        boolean serverGone = !server.failure().isEmpty()
                || fed.lost() < 0
                || (all.count() > 0 && all.count(Outcome.CONNECTION) == all.count());
        if (result.interrupted()) {
            return ExitCode.INTERRUPTED;
        }
        if (serverGone) {
            return ExitCode.TARGET_FAILED;
        }
        if (plan.settings().value(Property.FAIL_ON).equals("breakdown")) {
            return ExitCode.OK;
        }
        if (!result.validity().valid()) {
            return ExitCode.INCONCLUSIVE;
        }
        return result.objectives().stream().allMatch(RunResult.ObjectiveResult::met) ? ExitCode.OK : ExitCode.MISSED;
    }

    /**
     * The server at the end of the run.
     *
     * @param settings empty where it can no longer be asked
     * @param failure why not; empty where it can
     */
    private record ServerState(SortedMap<String, String> settings, String failure) {

        static ServerState of(Target target, ProvidedServer provided) {
            try {
                return new ServerState(target.settings(), "");
            } catch (TargetException gone) {
                String cause = provided.causeOfEnd().get();
                return new ServerState(new TreeMap<>(), cause.isEmpty() ? String.valueOf(gone.getMessage()) : cause);
            }
        }
    }
}
