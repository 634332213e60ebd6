package siemload.database.server;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import siemload.config.DaemonThread;
import siemload.database.TargetException;
import siemload.database.server.Registry.Entry.Purpose;

/**
 * Makes sure that siemload drops only objects that it made itself and that nobody uses any more. Every object created on a server is
 * registered there first, under a name with a random part, with the process that holds it; the holder renews its lease every ten seconds.
 * Another process takes an object over only if the holder was a process of the same machine that has ended, or if the lease was not renewed
 * for three minutes by the server's clock. Thread-safe.
 */
public final class Registry implements AutoCloseable {
    private static final int RANDOM_DIGITS = 8;
    private static final Duration RENEWAL = Duration.ofSeconds(10);
    /** After this time without a renewal, by the server's clock, a lease has expired. */
    private static final Duration LEASE = Duration.ofMinutes(3);

    /** The text form of a holder: the machine, and the process with the time of its start. */
    private static final Pattern HOLDER = Pattern.compile("(\\S+) ((\\d{1,18}) \\d+)");
    /** The index of the start time in {@code /proc/<number>/stat}, counted after the program's name, which may contain blanks. */
    private static final int START_FIELD = 19;

    private static final String MACHINE = machine();
    static final String THIS_PROCESS =
            MACHINE + " " + start(Long.toString(ProcessHandle.current().pid())).orElse("0 0");

    final Server server;
    private final List<Claim> claims = new CopyOnWriteArrayList<>();
    private final String self;
    private final ScheduledExecutorService signs =
            Executors.newSingleThreadScheduledExecutor(DaemonThread.named("siemload-registry"));

    /**
     * The registry's view of a server: the entries of one user, and their objects. Each change of an entry is atomic, so that only one of
     * two processes can make the same change. Thread-safe; every call blocks and throws a {@link TargetException} if the server cannot be
     * reached, or refuses.
     */
    public interface Server {

        /** The server's time, the only one that two machines share. */
        Instant now();

        List<Entry> entries();

        /** Adds an entry. @return whether the entry's key was free */
        boolean insert(Entry entry);

        /** Replaces an entry by another entry with its key, or removes it. @return whether the entry was still there, unchanged */
        boolean change(Entry entry, Optional<Entry> changed);

        /** Returns whether the object of an entry exists, and is proven to be the object that siemload made. */
        boolean isThere(Entry entry);

        /**
         * Drops the object of an entry, if that object was provably made by siemload and belongs to the current user. Any other object of
         * this name stays untouched.
         *
         * @return whether the object is gone; false while somebody is connected to it
         */
        boolean drop(Entry entry, Sessions sessions);
    }

    /** The treatment of connections to an object that is to be dropped. */
    public enum Sessions {
        /** The connections belong to this process and may be closed. */
        END,
        /** The object is not dropped while connections to it exist. */
        RESPECT
    }

    public Registry(Server server) {
        this(server, RENEWAL, THIS_PROCESS);
    }

    /**
     * Creates a registry with any holder and any rate of renewals, for tests.
     *
     * @param renewal how often leases are renewed
     * @param self the holder of everything that is claimed here
     */
    Registry(Server server, Duration renewal, String self) {
        this.server = server;
        this.self = self;
        long nanos = renewal.toNanos();
        var unused = signs.scheduleWithFixedDelay(
                () -> claims.forEach(Claim::giveSignOfLife), nanos, nanos, TimeUnit.NANOSECONDS);
    }

    /** A unique name: the prefix, the text (only its end if it is too long) and random digits. */
    public static String name(String prefix, String text, int longest) {
        int room = longest - prefix.length() - RANDOM_DIGITS - 1;
        String end = text.substring(Math.max(0, text.length() - room));
        return prefix + end + "_"
                + HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextInt());
    }

    /**
     * Registers an object that is about to be made, or a data set that is about to be read.
     *
     * @param name from {@link #name}
     * @param identity the identity of the object; empty if that is only known once it exists
     */
    public Claim claim(Purpose purpose, String name, String fingerprint, String label, String identity) {
        Entry entry = new Entry(name, purpose, fingerprint, label, identity, "", 0, self, 0, now());
        if (!server.insert(entry)) {
            throw new TargetException("the name " + name + " is taken on this server; try again");
        }
        Claim claim = new Claim(entry);
        claims.add(claim);
        return claim;
    }

    List<Entry> entries(Predicate<Entry> wanted) {
        return server.entries().stream().filter(wanted).toList();
    }

    /** Returns the readers of the data set of this name, including ended readers whose entries are not removed yet. */
    List<Entry> readers(String name) {
        return entries(
                entry -> entry.purpose() == Purpose.READING && entry.identity().equals(name));
    }

    /** Returns the complete data set with this fingerprint, if the registry has one. */
    public Optional<Entry> kept(String fingerprint) {
        return entry(fingerprint).filter(server::isThere);
    }

    Optional<Entry> entry(String fingerprint) {
        return entries(entry -> entry.purpose() == Purpose.DATA_SET
                        && entry.fingerprint().equals(fingerprint))
                .stream()
                .findFirst();
    }

    /** Discards a complete data set: no process finds it any more, and it is dropped as soon as no process uses it. */
    public void discard(String fingerprint) {
        entry(fingerprint).ifPresent(kept -> {
            Claim doomed = claim(Purpose.LOADING, kept.name(), fingerprint, kept.label(), kept.identity());
            if (server.change(kept, Optional.empty())) {
                doomed.leave();
                sweep();
            } else {
                doomed.forget();
            }
        });
    }

    /** Drops the objects that ended processes have left behind. */
    public synchronized void sweep() {
        // Readers are swept first, since a data set can be dropped only after its readers.
        server.entries().stream()
                .filter(entry -> entry.purpose() != Purpose.DATA_SET && isAbandoned(entry))
                .sorted(Comparator.comparing(entry -> entry.purpose() != Purpose.READING))
                .forEach(this::takeAndDrop);
    }

    private void takeAndDrop(Entry entry) {
        Entry taken = entry.changed(entry.identity(), self, now());
        if (!server.change(entry, Optional.of(taken))) {
            return; // Another process was faster, or the holder is alive after all.
        }
        // A process killed right after completing a data set leaves two entries of it: as loading and as complete.
        boolean isKept = !entries(other ->
                        other.purpose() == Purpose.DATA_SET && other.name().equals(entry.name()))
                .isEmpty();
        if (isKept || isDropped(taken)) {
            server.change(taken, Optional.empty());
        } else {
            server.change(taken, Optional.of(taken.changed(entry.identity(), entry.holder(), now())));
        }
    }

    private boolean isDropped(Entry entry) {
        try {
            return readers(entry.name()).isEmpty() && server.drop(entry, Sessions.RESPECT);
        } catch (TargetException refused) {
            return false; // A later run may succeed; this one does not need it.
        }
    }

    private boolean isAbandoned(Entry entry) {
        Matcher holder = HOLDER.matcher(entry.holder());
        boolean here = holder.matches() && holder.group(1).equals(MACHINE);
        return here
                ? !start(holder.group(3)).equals(Optional.of(holder.group(2)))
                : entry.holder().isEmpty() || now() > entry.seen() + LEASE.toMillis();
    }

    /** The time by the server's clock, the only one that two machines share. */
    long now() {
        return server.now().toEpochMilli();
    }

    /** Identifies the current boot of the operating system and its namespace of process numbers; empty if unknown. */
    private static String machine() {
        try {
            return Files.readString(Path.of("/proc/sys/kernel/random/boot_id")).strip() + "/"
                    + Files.readSymbolicLink(Path.of("/proc/self/ns/pid"))
                            .toString()
                            .replaceAll("\\D", "");
        } catch (IOException anotherSystem) {
            return "";
        }
    }

    /** The number of a process of this machine and its start time, by the system's count; empty if it has ended. */
    private static Optional<String> start(String process) {
        try {
            String state = Files.readString(Path.of("/proc", process, "stat"));
            String[] fields =
                    state.substring(state.lastIndexOf(')') + 1).strip().split(" ", -1);
            return fields.length > START_FIELD && !fields[0].equals("Z")
                    ? Optional.of(process + " " + fields[START_FIELD])
                    : Optional.empty();
        } catch (IOException gone) {
            return Optional.empty();
        }
    }

    /** Ends the renewals; objects that are still claimed are left for other processes to drop. */
    @Override
    public void close() {
        signs.shutdownNow();
    }

    /** An object on a server that this process holds, from just before the object is made. Thread-safe. */
    public final class Claim implements AutoCloseable {
        private Entry entry;
        private boolean held = true;

        private Claim(Entry entry) {
            this.entry = entry;
        }

        public synchronized String name() {
            return entry.name();
        }

        /**
         * Notes that the object has been made.
         *
         * @param identity distinguishes the object on the server from another one of the same name
         * @throws TargetException if another process took it over as abandoned
         */
        public synchronized void made(String identity) {
            if (!held || !(replaced(identity) || (adoptStored() && replaced(identity)))) {
                throw new TargetException(entry.name() + " was considered abandoned by another siemload, since this"
                        + " one was silent for minutes; start siemload again");
            }
        }

        private boolean replaced(String identity) {
            Entry changed = entry.changed(identity, entry.holder(), now());
            boolean replaced = server.change(entry, Optional.of(changed));
            entry = replaced ? changed : entry;
            return replaced;
        }

        /** A change may have been made although its acknowledgement was lost: then the stored entry is this process's own. */
        private boolean adoptStored() {
            List<Entry> stored = entries(
                    other -> other.key().equals(entry.key()) && other.holder().equals(entry.holder()));
            entry = stored.isEmpty() ? entry : stored.get(0);
            return !stored.isEmpty();
        }

        synchronized void giveSignOfLife() {
            if (held) {
                try {
                    made(entry.identity());
                } catch (TargetException missed) {
                    // There is time for several more attempts; a process that has taken the object over keeps it.
                }
            }
        }

        /**
         * Makes a loaded data set the data set that all runs use, unless another process has completed it before.
         *
         * @param contents a summary of its events
         * @return whether all runs now use this data set
         * @throws TargetException if another process took it over as abandoned
         */
        public synchronized boolean keep(String contents, long events) {
            made(entry.identity());
            Entry complete = entry.complete(contents, events, now());
            boolean kept = server.insert(complete)
                    || entry(complete.fingerprint())
                            .filter(other -> !server.isThere(other))
                            .map(gone -> server.change(gone, Optional.empty()) && server.insert(complete))
                            .orElse(false);
            if (kept) {
                forget();
            }
            return kept;
        }

        /** Drops the object, closing connections of this process to it, and removes its entry. Closing twice is harmless. */
        @Override
        public synchronized void close() {
            if (held && server.drop(entry, Sessions.END)) {
                forget();
            }
            end();
        }

        /** Leaves the object to the next clean-up, without waiting for the lease to expire. */
        synchronized void leave() {
            boolean unused = held && server.change(entry, Optional.of(entry.changed(entry.identity(), "", now())));
            end();
        }

        synchronized void forget() {
            if (held) {
                server.change(entry, Optional.empty());
                end();
            }
        }

        private void end() {
            held = false;
            claims.remove(this);
        }
    }

    /**
     * An object that siemload has made on a server, or is about to make, with the lease of the process that uses the object. Immutable.
     *
     * @param name the name of the database, collection or group of tables; its last part is random, so that nobody else chooses it
     * @param fingerprint of the data set in it; empty where there is none
     * @param label a name for people who find it on the server
     * @param identity distinguishes the object on the server from another object of its name; empty until it has been made
     * @param contents a summary of all events in it, which shows damage; empty until it is complete
     * @param events how many events are in it; 0 until it is complete
     * @param holder the process that uses it, as {@link #THIS_PROCESS}; empty for discarded objects, and for complete data sets, which
     *     belong to no process
     * @param beat increased by every change and renewal
     * @param seen the server's time of the last change, in milliseconds since 1970
     */
    public record Entry(
            String name,
            Purpose purpose,
            String fingerprint,
            String label,
            String identity,
            String contents,
            long events,
            String holder,
            long beat,
            long seen) {

        public static final List<String> NAMES = Arrays.stream(Entry.class.getRecordComponents())
                .map(RecordComponent::getName)
                .toList();

        private static final ObjectMapper VALUES = JsonMapper.builder()
                .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
                .enable(DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES)
                .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                .build();

        public enum Purpose {
            /** A data set that is still being loaded, and that other processes cannot use. */
            LOADING,
            /** A data set that is complete and kept. */
            DATA_SET,
            RUN,
            /**
             * A reader's claim on a complete data set, whose name is the claim's identity. Such a claim has no object of its own; while it
             * is held, nobody drops the data set.
             */
            READING
        }

        /** The entry's values in the registry: texts, and numbers as {@code Long}. */
        public Map<String, Object> values() {
            return VALUES.convertValue(this, new TypeReference<LinkedHashMap<String, Object>>() {});
        }

        /** Returns the entry with these values, ignoring unknown names; empty for values that siemload did not write. */
        public static Optional<Entry> of(Map<String, ?> values) {
            try {
                return Optional.of(VALUES.convertValue(values, Entry.class));
            } catch (IllegalArgumentException another) {
                return Optional.empty();
            }
        }

        /** Returns the key of the entry; for a complete data set this is the fingerprint, so that no second one can be stored. */
        public String key() {
            return purpose == Purpose.DATA_SET ? fingerprint : name;
        }

        Entry changed(String newIdentity, String newHolder, long now) {
            return new Entry(
                    name, purpose, fingerprint, label, newIdentity, contents, events, newHolder, beat + 1, now);
        }

        Entry complete(String summary, long count, long now) {
            return new Entry(name, Purpose.DATA_SET, fingerprint, label, identity, summary, count, "", 0, now);
        }
    }
}
