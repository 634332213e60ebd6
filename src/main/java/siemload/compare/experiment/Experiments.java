package siemload.compare.experiment;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Comparator;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import siemload.config.Property;
import siemload.run.RunHost;
import siemload.run.RunProcesses;
import siemload.run.TimestampName;

/** The experiments below the directory for results: made anew, or from where they were interrupted. Used by one thread. */
public final class Experiments {
    /** Marks a suite of which everything was made. */
    private static final String COMPLETE = "complete";

    private final RunHost host;
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
        RunProcesses processes = new RunProcesses(host);
        Path directory =
                begun.orElseGet(() -> below.resolve(experiment.name() + "-" + TimestampName.of(Instant.now())));
        if (begun.isPresent()) {
            processes.awaitOrphans();
        }
        try (Ledger ledger = new Ledger(directory, experiment)) {
            if (begun.isPresent()) {
                host.line(experiment.name() + ": goes on after "
                        + ledger.entries().size() + " of " + experiment.runs() + " runs (--fresh starts anew)");
            }
            ledger.makeAll(host, processes, "the experiment");
        }
        return directory;
    }
}
