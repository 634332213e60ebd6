package siemload.measure.monitor;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import siemload.measure.monitor.ProcessTable.Entry;

/**
 * Adds up the CPU time of processes that come and go: those of the database, and the others by name. Of the others,
 * what one used between the last look and its end is not known. Used by one thread.
 */
final class ProcessTimes {
    private static final int MOST_READ_AGAIN = 10;
    /** Threads that have ended are forgotten when there are so many more of them than of others. */
    private static final int MOST_ENDED = 1_000;

    private final DatabaseProcesses database;
    private final boolean endedChildrenKnown;
    private final long self;
    private final Map<String, Long> others = new HashMap<>();
    private Map<Long, Long> lastOthers = Map.of();
    private Map<Long, Entry> lastOurs = Map.of();
    private OptionalLong root = OptionalLong.empty();
    private Set<Long> generators = Set.of();
    private long startedNanos;
    private long ended;
    private long databaseNanos;
    private long kernelNanos;
    /** Of all threads that were seen, since the kernel may leave out some of them when others end meanwhile. */
    private final Map<Long, Long> lastWaits = new HashMap<>();

    private long waitedNanos;

    /**
     * @param endedChildrenKnown whether the entries hold the times of ended children
     * @param self the process of the load generator, which is neither, as are those that it starts
     */
    ProcessTimes(DatabaseProcesses database, boolean endedChildrenKnown, long self) {
        this.database = database;
        this.endedChildrenKnown = endedChildrenKnown;
        this.self = self;
    }

    /** These work for the load generator from now on, whoever has started them. */
    void countAsGenerator(Set<Long> processes) {
        generators = Set.copyOf(processes);
    }

    /**
     * Takes a look at all processes.
     *
     * @param table reads them, one after the other
     */
    void look(Supplier<List<Entry>> table) {
        look(table, process -> Map.of());
    }

    /**
     * The same.
     *
     * @param waits for how long the threads of a process have waited for a CPU, as {@link ProcessTable#waits}
     */
    void look(Supplier<List<Entry>> table, Function<Entry, Map<Long, Long>> waits) {
        List<Entry> entries = settled(table);
        look(entries);
        boolean first = lastWaits.isEmpty();
        Map<Long, Long> nowWaits = new HashMap<>();
        for (Entry entry : entries) {
            if (lastOurs.containsKey(entry.process()) || isGenerator(entry)) {
                boolean whole = !first && entry.kind() == ProcessTable.Kind.ONE_THREAD;
                waits.apply(entry).forEach((thread, now) -> {
                    if (now > 0) {
                        waitedNanos += since(lastWaits.getOrDefault(thread, whole ? 0L : now), now);
                        nowWaits.put(thread, now);
                    }
                });
            }
        }
        if (lastWaits.size() > 2 * nowWaits.size() + MOST_ENDED) {
            lastWaits.clear();
        }
        lastWaits.putAll(nowWaits);
    }

    /**
     * A process of the database that ends while they are read may be missing twice: its parent was read before it ended, and it
     * would have been read afterwards. All users of a run may end in the same moment, which is that of the last look. So all are
     * read once more, until none of the database has ended meanwhile.
     */
    private List<Entry> settled(Supplier<List<Entry>> table) {
        List<Entry> entries = table.get();
        Set<Long> there = stillThere(entries);
        for (int again = 0;
                again < MOST_READ_AGAIN && endedChildrenKnown && !there.equals(lastOurs.keySet());
                again++) {
            entries = table.get();
            Set<Long> before = there;
            there = stillThere(entries);
            if (there.equals(before)) {
                break;
            }
        }
        return entries;
    }

    private Set<Long> stillThere(List<Entry> entries) {
        return entries.stream()
                .map(Entry::process)
                .filter(lastOurs::containsKey)
                .collect(Collectors.toSet());
    }

    private void look(List<Entry> entries) {
        noteRestart();
        Set<Long> ofDatabase = ofDatabase(
                root.isPresent() ? new DatabaseProcesses.Tree(() -> root) : database, entries, this::isGenerator);
        Map<Long, Entry> nowOurs = new HashMap<>();
        Map<Long, Long> nowOthers = new HashMap<>();
        for (Entry entry : entries) {
            if (ofDatabase.contains(entry.process())) {
                nowOurs.put(entry.process(), entry);
            } else if (entry.process() != self) {
                nowOthers.put(entry.process(), entry.cpuNanos());
                if (isGenerator(entry)) {
                    startedNanos += usedSinceLastLook(entry);
                } else if (entry.kind() == ProcessTable.Kind.KERNEL) {
                    kernelNanos += usedSinceLastLook(entry);
                } else {
                    others.merge(entry.name(), usedSinceLastLook(entry), Long::sum);
                }
            }
        }
        addDatabase(nowOurs);
        lastOthers = nowOthers;
    }

    private boolean isGenerator(Entry entry) {
        return isOf(self, entry) || generators.contains(entry.process());
    }

    /** Whether a process is this one, or was started by it. */
    static boolean isOf(long self, Entry entry) {
        return entry.process() == self || entry.parent() == self;
    }

    /** What the database's processes have used, since some time before the first look. */
    long databaseNanos() {
        return databaseNanos;
    }

    /** What those have used since the first look that the load generator has started, here or elsewhere: it shares its work with them. */
    long startedNanos() {
        return startedNanos;
    }

    /** What threads of the kernel have used since the first look. */
    long kernelNanos() {
        return kernelNanos;
    }

    /**
     * For how long threads of the database and the load generator were ready to run while others ran, since the first look. What one that
     * has ended waited after the last look at it is missing.
     */
    long waitedNanos() {
        return waitedNanos;
    }

    /** What all others have used since the first look, by name; a copy. */
    Map<String, Long> others() {
        return Map.copyOf(others);
    }

    /** The database's processes at the last look. */
    Set<Long> databaseProcesses() {
        return Set.copyOf(lastOurs.keySet());
    }

    /** Whether any process of the database was seen at the last look. */
    boolean seesDatabase() {
        return !lastOurs.isEmpty();
    }

    /** The first process of a server that was stopped stays ours until there is another. */
    private void noteRestart() {
        if (database instanceof DatabaseProcesses.Tree tree) {
            OptionalLong now = tree.process().get();
            root = now.isPresent() ? now : root;
        }
    }

    /**
     * An ended process lives on in the times of its parent; where nobody tells them, or the parent has ended, too, as all of
     * a server that was stopped, in ours.
     */
    private void addDatabase(Map<Long, Entry> nowOurs) {
        for (Entry entry : lastOurs.values()) {
            if (!nowOurs.containsKey(entry.process()) && !(endedChildrenKnown && hasAncestorIn(nowOurs, entry))) {
                ended += used(entry);
            }
        }
        long running = nowOurs.values().stream().mapToLong(ProcessTimes::used).sum();
        databaseNanos = Math.max(databaseNanos, ended + running);
        lastOurs = nowOurs;
    }

    private boolean hasAncestorIn(Map<Long, Entry> nowOurs, Entry entry) {
        Entry child = entry;
        for (int i = 0; i <= lastOurs.size() && child != null; i++) {
            if (nowOurs.containsKey(child.parent())) {
                return true;
            }
            child = lastOurs.get(child.parent());
        }
        return false;
    }

    private static long used(Entry entry) {
        return entry.cpuNanos() + entry.endedChildrenNanos();
    }

    /** A process that was not there at the last look has used all of its time since then. */
    private long usedSinceLastLook(Entry entry) {
        if (lastOthers.isEmpty()) {
            return 0;
        }
        return since(lastOthers.getOrDefault(entry.process(), 0L), entry.cpuNanos());
    }

    /** A number that has become smaller is that of another thread, or process, which began after the last look. */
    private static long since(long before, long now) {
        return now >= before ? now - before : now;
    }

    /**
     * Which of these processes are the database's.
     *
     * @param generator whether one makes the load: where the database runs in Java, too, both have the same name
     */
    static Set<Long> ofDatabase(DatabaseProcesses database, List<Entry> entries, Predicate<Entry> generator) {
        Set<Long> found = new HashSet<>();
        if (database instanceof DatabaseProcesses.Tree tree) {
            tree.process().get().ifPresent(found::add);
            // A child may stand before its parent where numbers have started anew.
            int before;
            do {
                before = found.size();
                entries.stream()
                        .filter(entry -> found.contains(entry.parent()))
                        .forEach(entry -> found.add(entry.process()));
            } while (found.size() > before);
        } else if (database instanceof DatabaseProcesses.Named named) {
            entries.stream()
                    .filter(entry -> named.prefixes().stream().anyMatch(entry.name()::startsWith))
                    .filter(generator.negate())
                    .forEach(entry -> found.add(entry.process()));
        } else if (database instanceof DatabaseProcesses.Together several) {
            several.servers().forEach(server -> found.addAll(ofDatabase(server, entries, generator)));
        }
        return found;
    }
}
