package siemload.run;

import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import siemload.dataset.EventSource;
import siemload.dataset.ValuePools;
import siemload.dataset.ValuePoolsBuilder;
import siemload.target.DatasetKey;
import siemload.target.DatasetLoad;
import siemload.target.Provision;
import siemload.target.Target;
import siemload.target.TargetException;

/** Loads a data set into a target with a progress bar, unless the target keeps it from an earlier run. */
final class DatasetLoading {
    private static final int BATCH = 1_000;
    private static final int COPIES = 2;
    /** For the server's own files, its write-ahead log and the fed events. */
    private static final long RESERVE_BYTES = 512L << 20;

    private final RunHost host;
    private final EventSource source;
    private final ValuePoolsFile valuesFile;
    private final Provision provision;

    DatasetLoading(RunHost host, RunPlan plan) {
        this.host = host;
        this.source = plan.source();
        this.valuesFile = new ValuePoolsFile(plan.cache(), source);
        this.provision = plan.choice().provision();
    }

    /** Loads the data set if need be; the values to search for are collected on the way. */
    ValuePools load(Target target, DatasetKey key) {
        if (target.holds(key)) {
            return values();
        }
        long startNanos = System.nanoTime();
        ValuePoolsBuilder values = new ValuePoolsBuilder();
        try (DatasetLoad load = target.load(key)) {
            ProgressBar bar = new ProgressBar(host, "loading " + source.name(), source.count());
            source.read(BATCH, events -> {
                load.write(events);
                values.add(events);
                bar.advance(events.size());
            });
            bar.step(source.name() + ": store the last events");
            load.store();
            long storedNanos = System.nanoTime();
            load.finish(step -> bar.step(source.name() + ": " + step));
            bar.close();
            sayHowLong((storedNanos - startNanos) / 1e9, (System.nanoTime() - storedNanos) / 1e9);
        }
        return valuesFile.write(values.build());
    }

    /** The values to search for, without loading anything. */
    ValuePools values() {
        return valuesFile.readOr(this::collectValues);
    }

    private void sayHowLong(double storing, double finishing) {
        host.line(String.format(
                Locale.ROOT,
                "loaded %s: %,d events stored in %.1f s (%,.0f events/s), indexes and statistics in %.1f s; %s",
                source.name(),
                source.count(),
                storing,
                source.count() / storing,
                finishing,
                provision == Provision.CONTAINER ? "kept as long as the container" : "kept for later runs"));
    }

    private ValuePools collectValues() {
        ValuePoolsBuilder values = new ValuePoolsBuilder();
        ProgressBar bar = new ProgressBar(host, "reading " + source.name(), source.count());
        source.read(BATCH, events -> {
            values.add(events);
            bar.advance(events.size());
        });
        bar.close();
        return values.build();
    }

    /**
     * Refuses a load that would fill the disk: the data set and one run's copy of it must fit.
     *
     * @param directory where an embedded server keeps its data
     */
    static void requireSpace(Path directory, long events, int bytesPerEvent) {
        long needed = events * bytesPerEvent * COPIES + RESERVE_BYTES;
        long free = freeBytes(directory);
        if (free < needed) {
            throw new TargetException(String.format(
                    Locale.ROOT,
                    "%s: %,d MB free, but the data set and a run's copy of it need about %,d MB"
                            + " (choose another disk with -Dcache=DIR, or a smaller data set)",
                    directory,
                    free >> 20,
                    needed >> 20));
        }
    }

    private static long freeBytes(Path directory) {
        try {
            Files.createDirectories(directory);
            FileStore store = Files.getFileStore(directory);
            return store.getUsableSpace();
        } catch (IOException unusable) {
            throw new TargetException(
                    directory + " cannot be used: " + unusable.getMessage() + " (choose another with -Dcache=DIR)",
                    unusable);
        }
    }
}
