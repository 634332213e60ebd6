package siemload.measure.monitor;

import java.util.List;
import java.util.Map;

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
     * For how long the threads of a process have been ready to run while others ran, in nanoseconds, by the number of each; without those
     * that compile Java, for which no search waits. Empty where nobody tells.
     */
    Map<Long, Long> waits(Entry process);

    /**
     * One process.
     *
     * @param name of its program, without directory and arguments
     * @param cpuNanos CPU time it has used, user and system
     * @param endedChildrenNanos the same of all its children that have ended, and of theirs
     * @param kind what it is
     * @param waitedNanos for how long it has been ready to run while others ran, where it has one thread; else 0
     */
    record Entry(
            long process,
            long parent,
            String name,
            long cpuNanos,
            long endedChildrenNanos,
            Kind kind,
            long waitedNanos) {}

    /** What a process is. */
    enum Kind {
        ONE_THREAD,
        SEVERAL_THREADS,
        /** A thread of the kernel: a part of the system, and no program. */
        KERNEL
    }

    /** The cheapest one that this machine has. */
    static ProcessTable ofThisMachine() {
        return LinuxProcesses.isThere() ? new LinuxProcesses() : new JavaProcesses();
    }
}
