package siemload.compare;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import siemload.compare.Experiment.ComparedVariant;
import siemload.config.Choices;
import siemload.config.ConfigException;
import siemload.config.Origin;
import siemload.run.RunDirectory;
import siemload.run.RunHost;

/**
 * The runs of one experiment: their order, and which of them have ended. {@code experiment.json} says what it is. Not thread-safe.
 *
 * <p>The order is interleaved, so that what the host does meanwhile happens to all variants, and balanced, so that a drift does not
 * favour those that come first. Each block runs every cell once, in an order drawn by seed; every second block turns the order of the
 * one before it around (A B, B A). More repeats only add blocks at the end.
 */
public final class Ledger extends RunLog {
    /** What a directory of an experiment says that it is. */
    public static final ResultFile<Experiment> FILE = new ResultFile<>("experiment.json", Experiment.class);

    private final Experiment experiment;

    /** Begins an experiment in a new directory, or goes on with the same one, perhaps with more repeats. */
    public Ledger(Path directory, Experiment experiment) throws IOException {
        super(directory, FILE, experiment, experiment.name());
        this.experiment = experiment;
    }

    /** A run that is to be made; position and block are 0 for the first. Runs of one block are compared with each other. */
    record Slot(int position, int block, ComparedVariant variant) {}

    /** All runs of an experiment in their order. */
    static List<Slot> slots(Experiment experiment) {
        return slots(experiment.runCells(), experiment.repeats(), experiment.seed());
    }

    static List<Slot> slots(List<ComparedVariant> cells, int blocks, long seed) {
        List<Slot> slots = new ArrayList<>();
        for (int block = 0; block < blocks; block++) {
            List<ComparedVariant> order = new ArrayList<>(cells);
            SplittableRandom random = new SplittableRandom(seed + block / 2);
            for (int i = order.size() - 1; i > 0; i--) {
                Collections.swap(order, i, random.nextInt(i + 1));
            }
            if (block % 2 == 1) {
                Collections.reverse(order);
            }
            for (ComparedVariant cell : order) {
                slots.add(new Slot(slots.size(), block, cell));
            }
        }
        return slots;
    }

    /**
     * Makes all runs of an experiment that are still missing, where it was begun, or in a new directory below this one.
     *
     * @return its directory
     * @throws siemload.database.TargetException if a run broke down
     */
    public static Path make(RunHost host, Experiment experiment, Path below, Optional<Path> begun)
            throws IOException, InterruptedException {
        String name = experiment.name() + "-" + RunDirectory.timestamp(Instant.now());
        try (Ledger ledger = new Ledger(begun.orElse(below.resolve(name)), experiment)) {
            return ledger.make(host, "the experiment");
        }
    }

    /** The newest directory below this one that holds the same experiment and misses runs, if there is one. */
    public static Optional<Path> findUnfinished(Path below, Experiment experiment) throws IOException {
        Optional<Path> newest = find(below, experiment);
        return newest.isPresent() && entries(newest.get()).size() < experiment.runs() ? newest : Optional.empty();
    }

    /** The newest directory below this one that holds the same experiment, perhaps with fewer repeats, if there is one. */
    public static Optional<Path> find(Path below, Experiment experiment) throws IOException {
        return FILE.newest(
                below,
                begun -> begun.with(begun.settings(), experiment.repeats()).equals(experiment));
    }

    /** The runs that are still to be made, in their order. */
    public List<Slot> missing() {
        return slots(experiment).stream()
                .filter(slot -> entries().stream()
                        .noneMatch(entry -> entry.block() == slot.block()
                                && entry.variant().equals(slot.variant().label())))
                .toList();
    }

    /** As many as there are repeats, in all processes that work at the experiment. */
    @Override
    protected int spare() {
        long again =
                entries().stream().filter(entry -> entry.otherSeconds() > 0).count();
        return (int) Math.max(0, experiment.repeats() - again);
    }

    @Override
    protected Optional<Next> next(RunHost host) throws IOException {
        List<Slot> missing = missing();
        if (!missing.isEmpty() && entries().size() == experiment.runCells().size()) {
            checkMetric();
        }
        return missing.stream().findFirst().map(slot -> {
            String label = slot.variant().label();
            return new Next(
                    slot.position() + 1,
                    "" + experiment.runs(),
                    slot.block(),
                    label,
                    label,
                    Experiment.over(experiment.settings(), slot.variant().settings()),
                    VariantConnections.of(experiment, host).variables(experiment, label));
        });
    }

    /** As the runs took so far, whichever variants these were. */
    @Override
    protected String left(double seconds) {
        double mean = entries().stream()
                .mapToDouble(entry -> entry.seconds() + entry.otherSeconds())
                .average()
                .orElse(0);
        return mean == 0
                ? roughly(seconds) + " so far"
                : roughly(Math.max(0, missing().size() * mean - seconds)) + " left";
    }

    /** A metric that no run has is noticed once every variant has run, not after the last run. */
    private void checkMetric() throws IOException {
        Set<String> metrics = new TreeSet<>();
        for (Entry entry : entries()) {
            Path run = directory().resolve(entry.directory());
            RunFigures.read(run).figures().values().forEach(values -> metrics.addAll(values.keySet()));
        }
        String metric = experiment.metric().name();
        if (!metrics.isEmpty() && !metrics.contains(metric)) {
            throw new ConfigException(
                    new Origin.WholeFile("experiment " + experiment.name()),
                    "no run has a figure '" + metric + "' ("
                            + Choices.names(metrics).help(metric) + ")");
        }
    }
}
