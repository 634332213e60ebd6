package siemload.compare.experiment;

import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import siemload.config.Choices;
import siemload.config.ConfigException;
import siemload.config.Origin;
import siemload.database.TargetException;
import siemload.results.RunFile;
import siemload.results.RunResult.Disturbance;
import siemload.results.RunResultFile;
import siemload.run.ExitCode;
import siemload.run.RunHost;
import siemload.run.RunProcesses;

/** Makes the runs of an experiment that are still missing, one after the other. Used by one thread. */
record ExperimentRuns(RunHost host, RunProcesses processes, Experiment experiment, Ledger ledger) {
    /**
     * Returns when all have ended. A run that other programs disturbed is made again once, as long as no more of these are in the log than repeats, and
     * the less disturbed of both counts. A run that is invalid counts, and its files say why; one that broke down ends the
     * experiment, which goes on from there when it is started again.
     *
     * @throws TargetException if a run broke down
     */
    void makeMissing() throws IOException, InterruptedException {
        int ended = ledger.entries().size();
        for (Schedule.Slot slot : ledger.missing()) {
            if (ended == experiment.runCells().size()) {
                checkMetric();
            }
            make(slot);
            ended++;
        }
        host.status("");
    }

    private void make(Schedule.Slot slot) throws IOException, InterruptedException {
        Path place = ledger.directoryOf(slot);
        SeparateRun.Ended first = make(slot, title(slot), place);
        Disturbance disturbance = disturbance(first);
        if (!disturbance.seen() || ledger.spare() == 0) {
            ledger.add(slot, first.directory(), ExitCode.OK.number(), first.seconds());
            return;
        }
        host.line(title(slot) + ": " + disturbance.sentence() + "; it is made again");
        SeparateRun.Ended again =
                make(slot, title(slot) + ", again", place.resolveSibling(place.getFileName() + "-again"));
        boolean better = disturbance(again).percentilesOffPercent() <= disturbance.percentilesOffPercent();
        SeparateRun.Ended kept = better ? again : first;
        SeparateRun.Ended other = better ? first : again;
        ledger.add(slot, kept.directory(), ExitCode.OK.number(), kept.seconds(), other.seconds());
    }

    private static Disturbance disturbance(SeparateRun.Ended run) throws IOException {
        return RunResultFile.read(RunFile.RUN.in(run.directory())).validity().disturbance();
    }

    private SeparateRun.Ended make(Schedule.Slot slot, String title, Path place)
            throws IOException, InterruptedException {
        Map<String, String> environment = ExperimentPlan.connectedAs(
                        experiment, slot.variant().label())
                .map(name -> ExperimentPlan.connections(experiment, host).environment(name))
                .orElseGet(() -> processes.variables(RunProcesses.Environment.INHERITED));
        SeparateRun run = new SeparateRun(title, settings(slot), place);
        return run.make(host, processes, environment, going -> progress(slot, title, going));
    }

    /** A metric that no run has is noticed once every variant has run, not after the last run. */
    private void checkMetric() throws IOException {
        Set<String> metrics = new TreeSet<>();
        for (Ledger.Entry entry : ledger.entries()) {
            RunFigures figures = RunFiguresReader.read(ledger.directory().resolve(entry.directory()));
            metrics.addAll(figures.metrics());
        }
        String metric = experiment.judged().metric().name();
        if (!metrics.isEmpty() && !metrics.contains(metric)) {
            throw new ConfigException(
                    new Origin.WholeFile("experiment " + experiment.name()),
                    "no run has a figure '" + metric + "' ("
                            + Choices.names(metrics).help(metric) + ")");
        }
    }

    private Map<String, String> settings(Schedule.Slot slot) {
        Map<String, String> settings = new LinkedHashMap<>(experiment.settings());
        settings.putAll(slot.variant().settings());
        return settings;
    }

    private String title(Schedule.Slot slot) {
        return experiment.name() + ": run " + (slot.position() + 1) + " of " + experiment.runs() + ", "
                + slot.variant().label();
    }

    private String progress(Schedule.Slot slot, String title, SeparateRun.Going going) {
        if (ledger.entries().isEmpty()) {
            return title + ", " + SeparateRun.roughly(going.seconds()) + " so far";
        }
        double left = ledger.missing().stream()
                .mapToDouble(missing -> {
                    double expected = ledger.expectedSeconds(missing.variant().label());
                    return missing.equals(slot) ? going.leftOf(expected) : expected;
                })
                .sum();
        return title + ", " + SeparateRun.roughly(left) + " left";
    }
}
