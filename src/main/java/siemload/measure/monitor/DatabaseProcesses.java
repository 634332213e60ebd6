package siemload.measure.monitor;

import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;
import siemload.measure.monitor.ProcessTimes.Entry;

/**
 * Describes how to find the database's processes on this machine; the database has none if its data are in this process.
 *
 * @param roots the known first processes of servers, whose descendants are found, too; each returns the current process number, which
 *     changes with a restart; empty while the server does not run
 * @param prefixes prefixes of names of processes to find; nobody knows which of several servers of that kind is the run's
 * @param elsewhere whether a server runs on another machine
 */
public record DatabaseProcesses(List<Supplier<OptionalLong>> roots, List<String> prefixes, boolean elsewhere) {
    public static final DatabaseProcesses HERE = new DatabaseProcesses(List.of(), List.of(), false);
    public static final DatabaseProcesses ELSEWHERE = new DatabaseProcesses(List.of(), List.of(), true);

    public static DatabaseProcesses descendingFrom(Supplier<OptionalLong> root) {
        return new DatabaseProcesses(List.of(root), List.of(), false);
    }

    public static DatabaseProcesses named(List<String> prefixes) {
        return new DatabaseProcesses(List.of(), List.copyOf(prefixes), false);
    }

    /** Describes the processes of one or more servers; processes that are found for several servers count once. */
    public static DatabaseProcesses of(List<DatabaseProcesses> servers) {
        return new DatabaseProcesses(
                servers.stream().flatMap(one -> one.roots.stream()).toList(),
                servers.stream()
                        .flatMap(one -> one.prefixes.stream())
                        .distinct()
                        .toList(),
                servers.stream().anyMatch(DatabaseProcesses::elsewhere));
    }

    /**
     * The CPU time that the database's processes and their ended children have used so far, in nanoseconds. Only differences without a
     * restart in between have a meaning; empty if this machine runs no process of the database.
     */
    public OptionalLong cpuNanos() {
        return ProcessTimes.sum(this, entry -> OptionalLong.of(entry.allCpuNanos()));
    }

    /** The bytes that the database's processes had to read from disks, as in {@link #cpuNanos}; empty also if hidden from this user. */
    public OptionalLong diskBytes() {
        return ProcessTimes.sum(this, Entry::diskBytes);
    }

    /** @param generator whether a process generates the load; a database in Java has processes of the same name as a load generator */
    Set<Long> among(Collection<Entry> entries, Predicate<Entry> generator) {
        Set<Long> found = new HashSet<>();
        roots.forEach(root -> root.get().ifPresent(found::add));
        // Repeats the search, since a child precedes its parent if process numbers have started again from 1.
        int before;
        do {
            before = found.size();
            entries.stream()
                    .filter(entry -> found.contains(entry.parent()))
                    .forEach(entry -> found.add(entry.process()));
        } while (found.size() > before);
        entries.stream()
                .filter(entry -> prefixes.stream().anyMatch(entry.name()::startsWith))
                .filter(generator.negate())
                .forEach(entry -> found.add(entry.process()));
        return found;
    }
}
