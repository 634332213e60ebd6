package siemload.monitor;

import java.util.List;

/** How to find the processes of the database on this machine. */
public sealed interface DatabaseProcesses {

    /** All that descend from this one, and itself. */
    record Tree(long process) implements DatabaseProcesses {}

    /** All whose names begin like one of these: nobody knows which of several servers of that kind is ours. */
    record Named(List<String> prefixes) implements DatabaseProcesses {
        public Named {
            prefixes = List.copyOf(prefixes);
        }
    }

    /** There are none: the server runs on another machine. */
    record Elsewhere() implements DatabaseProcesses {}

    /** There are none: the data lie in this very process. */
    record Here() implements DatabaseProcesses {}
}
