package siemload.measure.monitor;

import java.util.List;

/**
 * All processes of this machine. Used by one thread.
 *
 * <p>OSHI has one, too, but reads half a dozen files for each process: 10 to 20 ms of CPU on a machine with 90 of them,
 * against 1.5 ms here.
 */
interface ProcessTable {

    /** Those that run now and can be seen. */
    List<Entry> read();

    /** Whether {@link Entry#endedChildrenNanos} is known. */
    boolean knowsEndedChildren();

    /**
     * One process.
     *
     * @param name of its program, without directory and arguments
     * @param cpuNanos CPU time it has used, user and system
     * @param endedChildrenNanos the same of all its children that have ended, and of theirs
     */
    record Entry(long process, long parent, String name, long cpuNanos, long endedChildrenNanos) {}

    /** The cheapest one that this machine has. */
    static ProcessTable ofThisMachine() {
        return LinuxProcesses.isThere() ? new LinuxProcesses() : new JavaProcesses();
    }
}
