package siemload.database.registry;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import siemload.config.DaemonThread;
import siemload.database.Store.DatasetKey;
import siemload.database.TargetException;
import siemload.database.registry.Entry.Purpose;
import siemload.database.registry.ServerObjects.Drop;
import siemload.database.registry.ServerObjects.Sessions;

/**
 * Sees to it that siemload drops only what it made itself, and only when nobody uses it any more. Whatever is made on a
 * server is written down there first, under a name with a random part, with the process that holds it; the holder gives a
 * sign of life every ten seconds as long as it lives. Another process takes something over only if its holder is a process
 * of the same machine that is gone, or if by the server's clock three minutes passed without a sign of life and none came
 * while this process watched: a clock that jumps is no reason. Thread-safe.
 */
public final class Registry implements AutoCloseable {
    private static final int RANDOM_DIGITS = 8;

    private final RegistryStorage storage;
    private final ServerObjects objects;
    private final Times times;
    private final String self;
    private final List<Claim> held = new CopyOnWriteArrayList<>();
    private final Map<String, Watched> watched = new HashMap<>();
    private final ScheduledExecutorService signs =
            Executors.newSingleThreadScheduledExecutor(DaemonThread.named("siemload-registry"));

    /** With the usual times. */
    public Registry(RegistryStorage storage, ServerObjects objects) {
        this(storage, objects, Times.USUAL, Holder.ofThisProcess().text());
    }

    /** @param self the text of who holds what is claimed here */
    Registry(RegistryStorage storage, ServerObjects objects, Times times, String self) {
        this.storage = storage;
        this.objects = objects;
        this.times = times;
        this.self = self;
        long nanos = times.renewal().toNanos();
        var unused = signs.scheduleWithFixedDelay(
                () -> held.forEach(Claim::giveSignOfLife), nanos, nanos, TimeUnit.NANOSECONDS);
    }

    /**
     * How patient processes are with each other.
     *
     * @param renewal how often a holder gives a sign of life
     * @param patience how old the last sign must be, by the server's clock
     * @param observation how long this process must have watched without seeing one, more than two renewals
     */
    record Times(Duration renewal, Duration patience, Duration observation) {
        static final Times USUAL = new Times(Duration.ofSeconds(10), Duration.ofMinutes(3), Duration.ofSeconds(25));
    }

    /** An entry without a sign of life, and since when this process has seen it so. */
    private record Watched(long beat, long sinceNanos) {}

    /** A name that nobody else has: the end of the text where all of it would be too long, and random digits. */
    public static String name(String prefix, String text, int longest) {
        int room = longest - prefix.length() - RANDOM_DIGITS - 1;
        String end = text.substring(Math.max(0, text.length() - room));
        return prefix + end + "_"
                + HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextInt());
    }

    /**
     * Writes down what is about to be made.
     *
     * @param name from {@link #name}
     * @param identity how the object will be told from others; empty if that is only known once it is there
     */
    public Claim claim(Purpose purpose, String name, String fingerprint, String label, String identity) {
        Entry entry = new Entry(name, purpose, fingerprint, label, identity, "", 0, self, 0, storage.now());
        if (!storage.insert(entry)) {
            throw new TargetException("the name " + name + " is taken on this server; try again");
        }
        Claim claim = new Claim(entry, storage, objects, held::remove);
        held.add(claim);
        return claim;
    }

    /**
     * Writes down that a complete data set is about to be read: as long as the claim is held it is not dropped.
     *
     * @param name from {@link #name}; nothing of this name is made
     * @param read the name of the data set on the server
     */
    public Claim claimReading(String name, DatasetKey key, String read, String label) {
        return claim(Purpose.READING, name, key.fingerprint(), label, read);
    }

    /**
     * Writes down that something which another process holds is about to be written into: as long as the claim is held nobody drops
     * it, and whoever holds it leaves it where that is to be {@link #release released}.
     *
     * @param name from {@link #name}; nothing of this name is made
     * @param written the name of what is written into
     */
    public Claim claimWriting(String name, String written) {
        return claim(Purpose.READING, name, "", "writes into " + written, written);
    }

    /** Drops what was claimed here; where others write into it still, whoever comes after them and this process does. */
    public void release(Claim claim) {
        boolean isRead = !readers(claim.name()).isEmpty();
        if (isRead) {
            sweep();
            isRead = !readers(claim.name()).isEmpty();
        }
        if (isRead) {
            claim.leave();
        } else {
            claim.release();
        }
    }

    /** Who reads the data set of this name, or writes into it, as far as they have not been found gone. */
    public List<Entry> readers(String name) {
        return storage.entries().stream()
                .filter(entry ->
                        entry.purpose() == Purpose.READING && entry.identity().equals(name))
                .toList();
    }

    /** The complete data set with this fingerprint, if it is there. */
    public Optional<Entry> kept(String fingerprint) {
        return entry(fingerprint).filter(objects::isThere);
    }

    private Optional<Entry> entry(String fingerprint) {
        return storage.entries().stream()
                .filter(entry -> entry.purpose() == Purpose.DATA_SET
                        && entry.fingerprint().equals(fingerprint))
                .findFirst();
    }

    /** All that is written down, by whichever process of this user. */
    public List<Entry> entries() {
        return storage.entries();
    }

    /** Gives a complete data set up: nobody finds it any more, and it is dropped as soon as nobody uses it. */
    public void discard(String fingerprint) {
        Optional<Entry> found = entry(fingerprint);
        if (found.isPresent()) {
            Entry kept = found.orElseThrow();
            Claim doomed = claim(Purpose.LOADING, kept.name(), fingerprint, kept.label(), kept.identity());
            if (!storage.delete(kept)) {
                doomed.forget();
            } else if (readers(kept.name()).isEmpty()) {
                doomed.release(Sessions.RESPECT);
            } else {
                doomed.leave();
            }
        }
    }

    /** Drops what processes left behind that are gone. */
    public synchronized void sweep() {
        List<Entry> entries = storage.entries();
        watched.keySet().retainAll(entries.stream().map(Entry::key).collect(Collectors.toSet()));
        // Readers first: what they read is dropped only after them.
        entries.stream()
                .filter(entry -> entry.purpose() != Purpose.DATA_SET && isAbandoned(entry))
                .sorted(Comparator.comparing(entry -> entry.purpose() != Purpose.READING))
                .forEach(this::takeAndDrop);
    }

    private boolean isAbandoned(Entry entry) {
        return switch (Holder.of(entry.holder())) {
            case ALIVE -> false;
            case GONE -> true;
            case UNKNOWN -> gaveNoSignOfLife(entry);
        };
    }

    private boolean gaveNoSignOfLife(Entry entry) {
        if (storage.now().isBefore(entry.seen().plus(times.patience()))) {
            watched.remove(entry.key());
            return false;
        }
        long now = System.nanoTime();
        Watched before = watched.get(entry.key());
        if (before == null || before.beat() != entry.beat()) {
            watched.put(entry.key(), new Watched(entry.beat(), now));
            return false;
        }
        return now - before.sinceNanos() >= times.observation().toNanos();
    }

    private void takeAndDrop(Entry entry) {
        Entry taken = entry.changed(entry.identity(), self, storage.now());
        if (!storage.replace(entry, taken)) {
            return; // Somebody was faster, or the holder lives after all.
        }
        if (keptNames().contains(entry.name()) || isDropped(taken)) {
            storage.delete(taken);
        } else {
            storage.replace(taken, taken.changed(entry.identity(), entry.holder(), storage.now()));
        }
    }

    private boolean isDropped(Entry entry) {
        try {
            return readers(entry.name()).isEmpty() && objects.drop(entry, Sessions.RESPECT) != Drop.IN_USE;
        } catch (TargetException refused) {
            return false; // Some later run may have more luck; this one can do without.
        }
    }

    /** A process that was killed right after it completed a data set leaves both entries of it. */
    private Set<String> keptNames() {
        return storage.entries().stream()
                .filter(entry -> entry.purpose() == Purpose.DATA_SET)
                .map(Entry::name)
                .collect(Collectors.toSet());
    }

    /** Ends the signs of life; what is still claimed is left to others. */
    @Override
    public void close() {
        signs.shutdownNow();
    }

    /**
     * A process that uses something on a server, so that others of the same machine see whether it is still there. Immutable.
     *
     * @param machine the start of the operating system and the space of its process numbers; empty where that cannot be told
     * @param process its number
     * @param start when it started, in the system's own count since its own start
     */
    record Holder(String machine, long process, String start) {
        private static final Pattern TEXT = Pattern.compile("(\\S+) (\\d{1,18}) (\\d+)");
        private static final Path BOOT = Path.of("/proc/sys/kernel/random/boot_id");
        private static final Path SPACE = Path.of("/proc/self/ns/pid");
        /** In what follows the name of the program in {@code /proc/<number>/stat}, which may hold blanks. */
        private static final int START_FIELD = 19;

        /** This process. */
        static Holder ofThisProcess() {
            long process = ProcessHandle.current().pid();
            return new Holder(thisMachine(), process, startOf(process).orElse("0"));
        }

        /** As it is written down. */
        String text() {
            return (machine.isEmpty() ? "?" : machine) + " " + process + " " + start;
        }

        /** What became of whoever wrote this text, as far as this machine knows. */
        static Life of(String text) {
            Matcher written = TEXT.matcher(text);
            String machine = thisMachine();
            if (!written.matches() || machine.isEmpty() || !written.group(1).equals(machine)) {
                return Life.UNKNOWN;
            }
            return startOf(Long.parseLong(written.group(2)))
                            .filter(start -> start.equals(written.group(3)))
                            .isPresent()
                    ? Life.ALIVE
                    : Life.GONE;
        }

        /** What is known of a holder. */
        enum Life {
            ALIVE,
            GONE,
            /** It runs elsewhere. */
            UNKNOWN
        }

        private static String thisMachine() {
            try {
                return Files.readString(BOOT).strip() + "/"
                        + Files.readSymbolicLink(SPACE).toString().replaceAll("\\D", "");
            } catch (IOException anotherSystem) {
                return "";
            }
        }

        private static Optional<String> startOf(long process) {
            try {
                String state = Files.readString(Path.of("/proc", Long.toString(process), "stat"));
                String[] fields =
                        state.substring(state.lastIndexOf(')') + 1).strip().split(" ", -1);
                return fields.length > START_FIELD && !fields[0].equals("Z")
                        ? Optional.of(fields[START_FIELD])
                        : Optional.empty();
            } catch (IOException gone) {
                return Optional.empty();
            }
        }
    }
}
