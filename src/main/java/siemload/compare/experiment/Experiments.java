package siemload.compare.experiment;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import siemload.config.Choices;
import siemload.config.ConfigException;
import siemload.config.Origin;
import siemload.config.Property;
import siemload.results.RunFile;
import siemload.results.RunResult.Disturbance;
import siemload.results.RunResultFile;
import siemload.run.ExitCode;
import siemload.run.RunHost;
import siemload.run.RunProcesses;
import siemload.run.TimestampName;

/** The experiments below the directory for results: made anew, or from where they were interrupted. Used by one thread. */
public final class Experiments {
    /** Marks a suite of which everything was made. */
    private static final String COMPLETE = "complete";

    private final RunHost host;
    private final RunProcesses processes;
    private final Start start;
    private final Path root;

    /** Where an experiment begins. */
    public enum Start {
        ANEW,
        WHERE_IT_WAS
    }

    /** Experiments below {@code experiments} in the results directory of the settings. */
    public Experiments(RunHost host, Start start) {
        this.host = host;
        this.processes = new RunProcesses(host);
        this.start = start;
        this.root = host.settings().value(Property.RESULTS).toAbsolutePath().resolve("experiments");
    }

    /**
     * Makes all runs of an experiment that are still missing.
     *
     * @return its directory
     * @throws TargetException if a run broke down
     */
    public Path make(Experiment experiment) throws IOException, InterruptedException {
        return make(experiment, start == Start.ANEW ? Optional.empty() : Ledger.findUnfinished(root, experiment), root);
    }

    /**
     * The same as a part of a suite: what it has already is not made again.
     *
     * @param suite the directory of the suite
     */
    public Path makeIn(Path suite, Experiment experiment) throws IOException, InterruptedException {
        return make(experiment, Ledger.find(suite, experiment), suite);
    }

    /** The directory of a suite that was interrupted, or a new one. */
    public Path suiteDirectory(String suite) throws IOException {
        Path fallback = root.resolve(suite + "-" + TimestampName.of(Instant.now()));
        if (start == Start.ANEW || !Files.isDirectory(root)) {
            return fallback;
        }
        Pattern name = Pattern.compile(Pattern.quote(suite) + "-[0-9]{8}-[0-9]{6}");
        try (Stream<Path> directories = Files.list(root)) {
            return directories
                    .filter(directory ->
                            name.matcher(directory.getFileName().toString()).matches())
                    .filter(directory -> !Files.exists(directory.resolve(COMPLETE)))
                    .max(Comparator.naturalOrder())
                    .orElse(fallback);
        }
    }

    /** Marks a suite as one that does not go on. */
    public void complete(Path suite) throws IOException {
        Files.writeString(suite.resolve(COMPLETE), "");
    }

    private Path make(Experiment experiment, Optional<Path> begun, Path below)
            throws IOException, InterruptedException {
        return SeparateRun.resumable("; start the experiment again to go on from there", () -> {
            Path directory =
                    begun.orElseGet(() -> below.resolve(experiment.name() + "-" + TimestampName.of(Instant.now())));
            if (begun.isPresent()) {
                processes.awaitOrphans();
            }
            try (Ledger ledger =
                    begun.isPresent() ? Ledger.resume(directory, experiment) : Ledger.create(directory, experiment)) {
                if (begun.isPresent()) {
                    host.line(experiment.name() + ": goes on after "
                            + ledger.entries().size() + " of " + experiment.runs() + " runs (--fresh starts anew)");
                }
                new Making(host, processes, ledger).makeMissing();
            }
            return directory;
        });
    }

    /** Makes the runs of an experiment that are still missing, one after the other. */
    record Making(RunHost host, RunProcesses processes, Ledger ledger) {
        /**
         * Returns when all have ended. A run that other programs disturbed is made again once, as long as no more of these are in the log than
         * repeats, and the less disturbed of both counts. A run that is invalid counts, and its files say why; one that broke down ends the
         * experiment, which goes on from there when it is started again.
         *
         * @throws TargetException if a run broke down
         */
        void makeMissing() throws IOException, InterruptedException {
            int ended = ledger.entries().size();
            for (Schedule.Slot slot : ledger.missing()) {
                if (ended++ == experiment().runCells().size()) {
                    checkMetric();
                }
                make(slot);
            }
            host.status("");
        }

        private Experiment experiment() {
            return ledger.experiment();
        }

        private void make(Schedule.Slot slot) throws IOException, InterruptedException {
            Path place = ledger.directoryOf(slot);
            String title = experiment().name() + ": run " + (slot.position() + 1) + " of "
                    + experiment().runs() + ", " + slot.variant().label();
            SeparateRun.Ended kept = make(slot, title, place);
            double otherSeconds = 0;
            Disturbance disturbance = disturbance(kept);
            if (disturbance.seen() && ledger.spare() > 0) {
                host.line(title + ": " + disturbance.sentence() + "; it is made again");
                SeparateRun.Ended first = kept;
                SeparateRun.Ended again =
                        make(slot, title + ", again", place.resolveSibling(place.getFileName() + "-again"));
                boolean better = disturbance(again).percentilesOffPercent() <= disturbance.percentilesOffPercent();
                kept = better ? again : first;
                otherSeconds = (better ? first : again).seconds();
            }
            ledger.add(slot, kept.directory(), ExitCode.OK.number(), kept.seconds(), otherSeconds);
        }

        private static Disturbance disturbance(SeparateRun.Ended run) throws IOException {
            return RunResultFile.read(RunFile.RUN.in(run.directory()))
                    .validity()
                    .disturbance();
        }

        private SeparateRun.Ended make(Schedule.Slot slot, String title, Path place)
                throws IOException, InterruptedException {
            Map<String, String> settings = new LinkedHashMap<>(experiment().settings());
            settings.putAll(slot.variant().settings());
            Map<String, String> environment = ExperimentPlan.connectedAs(
                            experiment(), slot.variant().label())
                    .map(name -> ExperimentPlan.connections(experiment(), host).environment(name))
                    .orElseGet(() -> processes.variables(RunProcesses.Environment.INHERITED));
            return new SeparateRun(title, settings, place)
                    .make(host, processes, environment, going -> progress(slot, title, going));
        }

        /** A metric that no run has is noticed once every variant has run, not after the last run. */
        private void checkMetric() throws IOException {
            Set<String> metrics = new TreeSet<>();
            for (Ledger.Entry entry : ledger.entries()) {
                metrics.addAll(RunFiguresReader.read(ledger.directory().resolve(entry.directory()))
                        .metrics());
            }
            String metric = experiment().judged().metric().name();
            if (!metrics.isEmpty() && !metrics.contains(metric)) {
                throw new ConfigException(
                        new Origin.WholeFile("experiment " + experiment().name()),
                        "no run has a figure '" + metric + "' ("
                                + Choices.names(metrics).help(metric) + ")");
            }
        }

        private String progress(Schedule.Slot slot, String title, SeparateRun.Going going) {
            if (ledger.entries().isEmpty()) {
                return title + ", " + SeparateRun.roughly(going.seconds()) + " so far";
            }
            double left = ledger.missing().stream()
                    .mapToDouble(missing -> {
                        double expected =
                                ledger.expectedSeconds(missing.variant().label());
                        return missing.equals(slot) ? going.leftOf(expected) : expected;
                    })
                    .sum();
            return title + ", " + SeparateRun.roughly(left) + " left";
        }
    }
}
