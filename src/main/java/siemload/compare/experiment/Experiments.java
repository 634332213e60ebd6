package siemload.compare.experiment;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import siemload.compare.experiment.ExperimentReader.Content;
import siemload.config.ConfigException;
import siemload.config.Origin;
import siemload.config.Property;
import siemload.database.TargetException;
import siemload.run.RunHost;
import siemload.run.RunProcesses;
import siemload.run.TimestampName;

/** The experiments below the directory for results: made anew, or from where they were interrupted. Used by one thread. */
public final class Experiments {
    /** Marks a suite of which everything was made. */
    private static final String COMPLETE = "complete";

    private static final String GO_ON = "; start the experiment again to go on from there";

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
     * What a file says: one experiment, or those of a suite.
     *
     * @param home the directory with experiments/
     * @throws ConfigException if a suite names another one, or an experiment that cannot be read
     */
    public static List<Experiment> of(Content content, Path home) {
        if (content instanceof Content.Single single) {
            return List.of(single.experiment());
        }
        List<Experiment> experiments = new ArrayList<>();
        if (content instanceof Content.Suite suite) {
            for (String member : suite.experiments()) {
                if (ExperimentReader.read(home, member) instanceof Content.Single single) {
                    experiments.add(single.experiment());
                } else {
                    throw new ConfigException(
                            new Origin.WholeFile("experiments/" + suite.name() + ".yaml"),
                            "suite: '" + member + "' is a suite itself (name the experiments in it)");
                }
            }
        }
        return experiments;
    }

    /**
     * Makes all runs of an experiment that are still missing.
     *
     * @return its directory
     * @throws TargetException if a run broke down
     */
    public Path make(Experiment experiment) throws IOException, InterruptedException {
        Optional<Path> begun = start == Start.ANEW ? Optional.empty() : Ledger.findUnfinished(root, experiment);
        return make(experiment, begun, root);
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
        try (Stream<Path> directories = Files.list(root)) {
            return directories
                    .filter(directory ->
                            directory.getFileName().toString().matches(Pattern.quote(suite) + "-[0-9]{8}-[0-9]{6}"))
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
        try (Ledger ledger = open(experiment, begun, below, processes)) {
            new ExperimentRuns(host, processes, experiment, ledger).makeMissing();
            return ledger.directory();
        } catch (TargetException brokeDown) {
            throw new TargetException(brokeDown.getMessage() + GO_ON, brokeDown);
        } catch (InterruptedException interrupted) {
            throw new InterruptedException(Objects.requireNonNullElse(interrupted.getMessage(), "interrupted") + GO_ON);
        }
    }

    private Ledger open(Experiment experiment, Optional<Path> begun, Path below, RunProcesses processes)
            throws IOException {
        if (begun.isPresent()) {
            processes.awaitOrphans();
            Ledger ledger = Ledger.resume(begun.get(), experiment);
            host.line(experiment.name() + ": goes on after " + ledger.entries().size() + " of " + experiment.runs()
                    + " runs (--fresh starts anew)");
            return ledger;
        }
        return Ledger.create(below.resolve(experiment.name() + "-" + TimestampName.of(Instant.now())), experiment);
    }
}
