package siemload.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import siemload.config.ConfigException;
import siemload.config.Property;
import siemload.config.Sha256;
import siemload.config.directory.Ownership;
import siemload.config.directory.Reason;
import siemload.database.Partitions;
import siemload.database.Pause;
import siemload.database.Provision;
import siemload.database.Store.DatasetKey;
import siemload.database.Target;
import siemload.database.TargetException;
import siemload.database.Variant;
import siemload.database.provision.ProvidedServer;
import siemload.dataset.EventSource;
import siemload.dataset.ValuePools;
import siemload.dataset.ValuePoolsBuilder;
import siemload.run.Bench.Opening;
import siemload.run.RunHost.ProgressBar;

/** Loads a data set into a target with a progress bar, unless the target keeps it from an earlier run. */
public final class DatasetLoading {
    /** Raised when a target stores the same events, or sums up what it stores, in another way than before. */
    private static final int STORAGE_VERSION = 2;

    private static final int BATCH = 1_000;
    /** For the server's own files, its write-ahead log and the fed events. */
    private static final long RESERVE_BYTES = 512L << 20;

    private static final String VALUES = "values";
    private static final int LOOKS = 10;
    private static final long BETWEEN_LOOKS_MILLIS = 200;

    private final RunHost host;
    private final EventSource source;
    private final Path valuesFile;
    private final RunPlan plan;

    DatasetLoading(RunHost host, RunPlan plan) {
        this.host = host;
        this.source = plan.source();
        this.valuesFile = plan.cache().resolve(VALUES).resolve(source.fingerprint() + ".json");
        this.plan = plan;
    }

    /**
     * Loads the data set of the settings without a run, and keeps it for later ones.
     *
     * @throws ConfigException if settings or files are wrong
     * @throws TargetException if the database cannot be had
     */
    public static void keep(RunHost host) {
        try (Resources resources = new Resources()) {
            host.onShutdown(resources::close);
            RunPlan plan = RunPlan.read(host.settings(), host.home(), host::status);
            boolean contained = plan.choice().provision() == Provision.CONTAINER;
            String gone = "a data set loaded into a container is gone with it (load it into another server)";
            plan.refuseIf(plan.asksExisting(), Property.DATA, "existing data are there already: nothing is loaded");
            plan.refuseIf(plan.isInjected(), Property.INJECTORS, "one process loads a data set (leave injectors out)");
            plan.refuseIf(contained, Property.PROVISION, gone);
            plan.source().warnings().forEach(host::line);
            Opening opening = new Opening(host, plan, resources);
            ProvidedServer server = opening.server();
            Target target = opening.connect(server, RunPlan.OTHER_CONNECTIONS);
            opening.look(target, server);
            DatasetKey key = key(plan, target);
            if (target.holds(key) && !plan.settings().value(Property.RELOAD)) {
                host.line(key.label() + ": already loaded (-Dreload=true loads it anew)");
            } else {
                new DatasetLoading(host, plan).load(target, server);
            }
        }
    }

    /** Names the loaded data set so that equal names mean equal contents. */
    static DatasetKey key(RunPlan plan, Target target) {
        Variant variant = plan.variant();
        Partitions partitions = variant.partitions();
        String storage = variant.layout() + (partitions == Partitions.NONE ? "" : " by " + partitions.label());
        String database = plan.choice().plugin().id() + " " + target.version();
        String label = String.join(
                ", ", plan.source().name(), storage, variant.indexes().label(), database);
        String all = String.join("\n", label, plan.source().fingerprint(), String.valueOf(STORAGE_VERSION));
        return new DatasetKey(Sha256.fingerprint(all), label, plan.source().count());
    }

    /**
     * Loads the data set if need be; the values to search for are collected on the way, unless they are known of an earlier load, into
     * whatever target.
     *
     * @param server of the target
     * @throws TargetException if it cannot be loaded; where the server has ended by itself, with what its log says of that
     */
    ValuePools load(Target target, ProvidedServer server) {
        DatasetKey key = key(plan, target);
        boolean anew = plan.settings().value(Property.RELOAD);
        if (anew) {
            target.discard(key);
        }
        if (target.holds(key)) {
            return values();
        }
        try {
            return load(target, key, anew ? Optional.empty() : keptValues());
        } catch (TargetException e) {
            String cause = server.server().causeOfEnd();
            // A connection is lost some moments before its server has ended.
            for (int look = 0; look < LOOKS && cause.isEmpty() && server.provision() == Provision.EMBEDDED; look++) {
                Pause.millis(BETWEEN_LOOKS_MILLIS, "looking why the data set could not be loaded");
                cause = server.server().causeOfEnd();
            }
            String text = source.name() + " is not loaded, since the server has ended by itself: " + cause;
            throw cause.isEmpty() ? e : new TargetException(text, e);
        }
    }

    /** @param known values of an earlier load */
    private ValuePools load(Target target, DatasetKey key, Optional<ValuePools> known) {
        ValuePoolsBuilder counted = new ValuePoolsBuilder();
        try (ProgressBar bar = new ProgressBar(host, "loading " + source.name(), source.count())) {
            AtomicLong bytes = new AtomicLong();
            AtomicLong storedNanos = new AtomicLong();
            long startNanos = System.nanoTime();
            target.load(
                    key,
                    load -> {
                        source.read(BATCH, load::prepare, prepared -> {
                            prepared.write();
                            if (known.isEmpty()) {
                                counted.add(prepared.events());
                            }
                            bar.advance(prepared.events().size());
                        });
                        host.status(source.name() + ": store the last events");
                        bytes.set(load.store());
                        storedNanos.set(System.nanoTime());
                    },
                    step -> host.status(source.name() + ": " + step));
            host.status("");
            double storing = (storedNanos.get() - startNanos) / 1e9;
            double finishing = (System.nanoTime() - storedNanos.get()) / 1e9;
            boolean contained = plan.choice().provision() == Provision.CONTAINER;
            long count = source.count();
            String told = String.format(
                    Locale.ROOT,
                    "loaded %s: %,d events stored in %.1f s (%,.0f events/s, %,.0f KB/s), indexes and statistics in %.1f s",
                    source.name(),
                    count,
                    storing,
                    count / storing,
                    bytes.get() / storing / 1000,
                    finishing);
            host.line(told + "; kept " + (contained ? "as long as the container" : "for later runs"));
        }
        return known.orElseGet(() -> keep(counted.build()));
    }

    /**
     * What a run stores on its server, about, in bytes: what its procedure makes in place of events, or its data set once where it loads it,
     * and once as a copy or as events of its own.
     */
    static long bytesNeeded(RunPlan plan, Target target, DatasetKey key) {
        boolean loads = !plan.startsEmpty() && !target.holds(key);
        boolean own = plan.writes() || !target.readsInPlace(key);
        long events = plan.servers() * plan.source().count() * ((loads ? 1 : 0) + (own ? 1 : 0));
        return plan.bytesOfSetup()
                .orElse(events * plan.choice().plugin().abilities().bytesPerEvent());
    }

    /**
     * Refuses what does not fit on the disk of an embedded server; others' disks are theirs.
     *
     * @throws TargetException if there is less room than that takes, with some for the server's own files, its log and the fed events
     */
    static void requireDisk(RunPlan plan, long bytes) {
        if (plan.choice().provision() != Provision.EMBEDDED) {
            return;
        }
        try {
            long free = Files.getFileStore(plan.cache()).getUsableSpace();
            long needed = bytes + RESERVE_BYTES;
            if (free < needed) {
                throw new TargetException(String.format(
                        Locale.ROOT,
                        "%s: %,d MB free, but this run needs about %,d MB (choose another disk with -Dcache=DIR,"
                                + " a smaller data set, or a smaller scale)",
                        plan.cache(),
                        free >> 20,
                        needed >> 20));
            }
        } catch (IOException unusable) {
            String why = "nobody can tell how much space " + plan.cache() + " has: " + Reason.of(unusable);
            throw new TargetException(why + " (choose another with -Dcache=DIR)", unusable);
        }
    }

    /** The values to search for, without loading anything. */
    ValuePools values() {
        return keptValues().orElseGet(() -> {
            ValuePoolsBuilder values = new ValuePoolsBuilder();
            try (ProgressBar bar = new ProgressBar(host, "reading " + source.name(), source.count())) {
                source.read(BATCH, events -> {
                    values.add(events);
                    bar.advance(events.size());
                });
            }
            return keep(values.build());
        });
    }

    /** The values that were kept beside the loaded data sets; none where there are none, or the file is of another version or damaged. */
    private Optional<ValuePools> keptValues() {
        try {
            return Optional.of(ValuePools.fromJson(Files.readString(valuesFile)));
        } catch (IOException | IllegalArgumentException unusable) {
            return Optional.empty();
        }
    }

    /** Keeps the values, so that a second run need not read all events again; where they cannot be kept they are made again next time. */
    private ValuePools keep(ValuePools values) {
        try {
            Path directory = plan.cache().resolve(VALUES);
            Ownership.ofThisUser().makePrivate(directory);
            Path unfinished = Files.createTempFile(directory, VALUES, ".tmp");
            Files.writeString(unfinished, values.toJson());
            Files.move(unfinished, valuesFile, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException notKept) {
            System.getLogger(DatasetLoading.class.getName()).log(System.Logger.Level.DEBUG, "values not kept", notKept);
        }
        return values;
    }
}
