package siemload.measure.monitor;

import java.util.List;
import java.util.OptionalLong;
import java.util.function.Supplier;

/** How to find the processes of the database on this machine. */
public sealed interface DatabaseProcesses {
    /**
     * How long they have used CPUs up to now, in nanoseconds, with their children that have ended. Only differences mean anything, as long as
     * the server was not restarted; empty where there are none on this machine.
     */
    default OptionalLong cpuNanos() {
        return ProcessTimes.sum(this, entry -> OptionalLong.of(entry.allCpuNanos()));
    }

    /** What they had to fetch from disks, in bytes, likewise; empty where this user may look into none of them, too. */
    default OptionalLong diskBytes() {
        return ProcessTimes.sum(this, ProcessTimes.Entry::diskBytes);
    }

    /**
     * All that descend from one process, and itself.
     *
     * @param process its number at this moment, which is another one after a restart; empty while it does not run
     */
    record Tree(Supplier<OptionalLong> process) implements DatabaseProcesses {}

    /** All whose names begin like one of these: nobody knows which of several servers of that kind is ours. */
    record Named(List<String> prefixes) implements DatabaseProcesses {
        public Named {
            prefixes = List.copyOf(prefixes);
        }
    }

    /** Those of several servers. */
    record Together(List<DatabaseProcesses> servers) implements DatabaseProcesses {
        public Together {
            servers = List.copyOf(servers);
        }
    }

    /** Those of one or more servers; several that are found in the same way are found once. */
    static DatabaseProcesses of(List<DatabaseProcesses> servers) {
        List<DatabaseProcesses> different = servers.stream().distinct().toList();
        return different.size() == 1 ? different.get(0) : new Together(different);
    }

    /** There are none: the server runs on another machine. */
    record Elsewhere() implements DatabaseProcesses {}

    /** There are none: the data lie in this very process. */
    record Here() implements DatabaseProcesses {}
}
