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
import siemload.results.Disturbance;
import siemload.results.RunFile;
import siemload.results.RunResultFile;
import siemload.run.ExitCode;
import siemload.run.RunHost;
import siemload.run.RunProcesses;

/** Makes the runs of an experiment that are still missing, one after the other. Used by one thread. */
record ExperimentRuns(RunHost host, RunProcesses processes, Experiment experiment, Ledger ledger) {
    /**
     * Returns when all have ended. A run that other programs disturbed is made again once, as long as there are no more of these than repeats, and
     * the less disturbed of both counts. A run that is invalid counts, and its files say why; one that broke down ends the
     * experiment, which goes on from there when it is started again.
     *
     * @throws TargetException if a run broke down
     */
    void makeMissing() throws IOException, InterruptedException {
        int ended = ledger.entries().size();
        int spare = experiment.repeats();
        for (Schedule.Slot slot : ledger.missing()) {
            if (ended == experiment.runCells().size()) {
                checkMetric();
            }
            spare -= make(slot, spare);
            ended++;
        }
        host.status("");
    }

    /**
     * Makes a run.
     *
     * @param spare how many runs may be made again
     * @return how many were: 0 or 1
     */
    private int make(Schedule.Slot slot, int spare) throws IOException, InterruptedException {
        SeparateRun.Ended first = make(slot, title(slot), ledger.directoryOf(slot));
        Disturbance disturbance = disturbance(first);
        if (!disturbance.seen() || spare == 0) {
            ledger.add(slot, first.directory(), ExitCode.OK.number(), first.seconds());
            return 0;
        }
        host.line(title(slot) + ": " + disturbance.sentence() + "; it is made again");
        Path place = ledger.directoryOf(slot);
        SeparateRun.Ended again =
                make(slot, title(slot) + ", again", place.resolveSibling(place.getFileName() + "-again"));
        boolean better = disturbance(again).percentilesOffPercent() <= disturbance.percentilesOffPercent();
        SeparateRun.Ended kept = better ? again : first;
        ledger.add(slot, kept.directory(), ExitCode.OK.number(), kept.seconds());
        return 1;
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
        return run.make(host, processes, environment, going -> progress(slot, going));
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

    private String progress(Schedule.Slot slot, SeparateRun.Going going) {
        if (ledger.entries().isEmpty()) {
            return title(slot) + ", " + SeparateRun.roughly(going.seconds()) + " so far";
        }
        double left = ledger.missing().stream()
                .mapToDouble(missing ->
                        missing.equals(slot) ? going.leftOf(expectedSeconds(slot)) : expectedSeconds(missing))
                .sum();
        return title(slot) + ", " + SeparateRun.roughly(left) + " left";
    }

    /** As the same variant took so far, or, before it has run, as all the others. */
    private double expectedSeconds(Schedule.Slot slot) {
        return ledger.entries().stream()
                .filter(entry -> entry.variant().equals(slot.variant().label()))
                .mapToDouble(Ledger.Entry::seconds)
                .average()
                .orElseGet(() -> ledger.entries().stream()
                        .mapToDouble(Ledger.Entry::seconds)
                        .average()
                        .orElseThrow());
    }
}
