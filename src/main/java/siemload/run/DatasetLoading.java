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
            if (plan.asksExisting()) {
                throw new ConfigException(
                        plan.settings().origin(Property.DATA), "existing data are there already: nothing is loaded");
            }
            if (plan.isInjected()) {
                throw new ConfigException(
                        plan.settings().origin(Property.INJECTORS),
                        "one process loads a data set (leave injectors out)");
            }
            plan.source().warnings().forEach(host::line);
            if (plan.choice().provision() == Provision.CONTAINER) {
                throw new ConfigException(
                        plan.settings()
                                .setting(Property.PROVISION)
                                .orElseThrow()
                                .origin(),
                        "a data set loaded into a container is gone with it (load it into another server)");
            }
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
        String storage = switch (variant.partitions()) {
            case NONE -> variant.layout();
            case DAY -> variant.layout() + " by day";
        };
        String label = String.join(
                ", ",
                plan.source().name(),
                storage,
                variant.indexes().label(),
                plan.choice().plugin().id() + " " + target.version());
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
        try {
            return load(target, key(plan, target));
        } catch (TargetException e) {
            String cause = causeOfEnd(server);
            if (cause.isEmpty()) {
                throw e;
            }
            throw new TargetException(
                    source.name() + " is not loaded, since the server has ended by itself: " + cause, e);
        }
    }

    /** A connection is lost some moments before its server has ended. */
    private static String causeOfEnd(ProvidedServer server) {
        String cause = server.causeOfEnd().get();
        if (server.provision() == Provision.EMBEDDED) {
            for (int look = 0; look < LOOKS && cause.isEmpty(); look++) {
                Pause.millis(BETWEEN_LOOKS_MILLIS, "looking why the data set could not be loaded");
                cause = server.causeOfEnd().get();
            }
        }
        return cause;
    }

    private ValuePools load(Target target, DatasetKey key) {
        boolean anew = plan.settings().value(Property.RELOAD);
        if (anew) {
            target.discard(key);
        }
        StoredCopies copies = StoredCopies.of(plan, target, key);
        if (copies.number() > 0) {
            requireDisk(plan, copies.number(), copies.words());
        }
        if (!copies.loads()) {
            return values();
        }
        Optional<ValuePools> known = anew ? Optional.empty() : keptValues();
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
                        bar.step(source.name() + ": store the last events");
                        bytes.set(load.store());
                        storedNanos.set(System.nanoTime());
                    },
                    step -> bar.step(source.name() + ": " + step));
            host.status("");
            sayHowLong(
                    (storedNanos.get() - startNanos) / 1e9, bytes.get(), (System.nanoTime() - storedNanos.get()) / 1e9);
        }
        return known.orElseGet(() -> keep(counted.build()));
    }

    /**
     * Refuses what does not fit on the disk of an embedded server; others' disks are theirs.
     *
     * @param copies how often the data set is to be stored, beside what a procedure makes in place of events
     * @param what it is, for people, as the subject of a sentence
     * @throws TargetException if there is less room than that takes, with some for the server's own files, its log and the fed events
     */
    static void requireDisk(RunPlan plan, int copies, String what) {
        if (plan.choice().provision() != Provision.EMBEDDED) {
            return;
        }
        long needed = plan.bytesOfCopy() * copies + plan.bytesOfSetup().orElse(0) + RESERVE_BYTES;
        try {
            long free = Files.getFileStore(plan.cache()).getUsableSpace();
            if (free < needed) {
                throw new TargetException(String.format(
                        Locale.ROOT,
                        "%s: %,d MB free, but %s would take about %,d MB (choose another disk with -Dcache=DIR, a smaller data set, or a smaller scale)",
                        plan.cache(),
                        free >> 20,
                        what,
                        needed >> 20));
            }
        } catch (IOException unusable) {
            throw new TargetException(
                    "nobody can tell how much space " + plan.cache() + " has: " + Reason.of(unusable)
                            + " (choose another with -Dcache=DIR)",
                    unusable);
        }
    }

    /** The values to search for, without loading anything. */
    ValuePools values() {
        return keptValues().orElseGet(() -> keep(collectValues()));
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
        try (ProgressBar bar = new ProgressBar(host, "reading " + source.name(), source.count())) {
            source.read(BATCH, events -> {
                values.add(events);
                bar.advance(events.size());
            });
        }
        return values.build();
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
            Files.move(unfinished, valuesFile, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException notKept) {
            System.getLogger(DatasetLoading.class.getName()).log(System.Logger.Level.DEBUG, "values not kept", notKept);
        }
        return values;
    }

    /**
     * What a run stores that takes about as much space as its data set. Immutable.
     *
     * @param loads whether it loads the data set, which is kept for later runs
     * @param own whether it has events of its own: a copy of the data set, or what it loads as a part of the run
     */
    record StoredCopies(boolean loads, boolean own) {

        /** Of a run on a target as it is now. */
        static StoredCopies of(RunPlan plan, Target target, DatasetKey key) {
            return new StoredCopies(
                    !plan.startsEmpty() && !target.holds(key), plan.writes() || !target.readsInPlace(key));
        }

        int number() {
            return (loads ? 1 : 0) + (own ? 1 : 0);
        }

        /** For people, as the subject of a sentence. */
        String words() {
            if (loads) {
                return own ? "the data set and a copy of it" : "the data set";
            }
            return own ? "a copy of the data set" : "nothing but the data set, which is there and is only read";
        }
    }
}
