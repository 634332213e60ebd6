package siemload.compare.experiment;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import siemload.config.Choices;
import siemload.config.ConfigException;
import siemload.config.Origin;
import siemload.database.TargetException;
import siemload.run.ExitCode;
import siemload.run.RunHost;
import siemload.run.RunProcesses;

/** Makes the runs of an experiment that are still missing, one after the other. Used by one thread. */
record ExperimentRuns(RunHost host, RunProcesses processes, Experiment experiment, Ledger ledger) {
    /**
     * Returns when all have ended. A run that is invalid counts, and its files say why; one that broke down ends the
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
        Map<String, String> environment = ExperimentPlan.connectedAs(
                        experiment, slot.variant().label())
                .map(name -> ExperimentPlan.connections(experiment, host).environment(name))
                .orElseGet(() -> processes.variables(RunProcesses.Environment.INHERITED));
        SeparateRun run = new SeparateRun(title(slot), settings(slot), ledger.directoryOf(slot));
        SeparateRun.Ended ended = run.make(host, processes, environment, going -> progress(slot, going));
        ledger.add(slot, ended.directory(), ExitCode.OK.number(), ended.seconds());
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
