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
 * Describes how to find the database's processes on this machine; there are none if the data are in this process itself.
 *
 * @param roots the first processes of servers, where known; all their descendants are found, too. Each returns its current process number,
 *     which changes with a restart; empty while it does not run
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

    /** The processes of one or more servers; servers that are found in the same way count once. */
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
     * The CPU time that the database's processes and their ended children have used so far, in nanoseconds. Only differences have a
     * meaning, as long as the server was not restarted; empty if there are none on this machine.
     */
    public OptionalLong cpuNanos() {
        return ProcessTimes.sum(this, entry -> OptionalLong.of(entry.allCpuNanos()));
    }

    /** The bytes that these processes had to read from disks, as in {@link #cpuNanos}; empty also if this user may not see that. */
    public OptionalLong diskBytes() {
        return ProcessTimes.sum(this, Entry::diskBytes);
    }

    /** @param generator whether a process makes the load; if the database runs in Java, too, both have the same name */
    Set<Long> among(Collection<Entry> entries, Predicate<Entry> generator) {
        Set<Long> found = new HashSet<>();
        roots.forEach(root -> root.get().ifPresent(found::add));
        // A child may precede its parent if process numbers have started again from 1.
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
