package siemload.run;

import java.util.Locale;
import siemload.config.Property;
import siemload.database.DatasetKey;
import siemload.database.DatasetLoad;
import siemload.database.Provision;
import siemload.database.Target;
import siemload.dataset.EventSource;
import siemload.dataset.ValuePools;
import siemload.dataset.ValuePoolsBuilder;

/** Loads a data set into a target with a progress bar, unless the target keeps it from an earlier run. */
final class DatasetLoading {
    private static final int BATCH = 1_000;

    private final RunHost host;
    private final EventSource source;
    private final ValuePoolsFile valuesFile;
    private final RunPlan plan;

    DatasetLoading(RunHost host, RunPlan plan) {
        this.host = host;
        this.source = plan.source();
        this.valuesFile = new ValuePoolsFile(plan.cache(), source);
        this.plan = plan;
    }

    /** Loads the data set if need be; the values to search for are collected on the way. */
    ValuePools load(Target target, DatasetKey key) {
        if (plan.settings().value(Property.RELOAD)) {
            target.discard(key);
        }
        StoredCopies copies = plan.copies(target, key);
        new DiskSpace(plan).requireFor(copies);
        if (!copies.loads()) {
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
            long bytes = load.store();
            long storedNanos = System.nanoTime();
            load.finish(step -> bar.step(source.name() + ": " + step));
            bar.close();
            sayHowLong((storedNanos - startNanos) / 1e9, bytes, (System.nanoTime() - storedNanos) / 1e9);
        }
        return valuesFile.write(values.build());
    }

    /** The values to search for, without loading anything. */
    ValuePools values() {
        return valuesFile.readOr(this::collectValues);
    }

    private void sayHowLong(double storing, long bytes, double finishing) {
        host.line(String.format(
                Locale.ROOT,
                "loaded %s: %,d events stored in %.1f s (%,.0f events/s, %,.0f KB/s), indexes and statistics in %.1f s; %s",
                source.name(),
                source.count(),
                storing,
                source.count() / storing,
                bytes / storing / 1000,
                finishing,
                plan.choice().provision() == Provision.CONTAINER
                        ? "kept as long as the container"
                        : "kept for later runs"));
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
}
