package siemload.run.procedure;

import siemload.database.TargetException;

/** Ends a server as a power failure of its processes would: without any warning. Used by one thread. */
public interface CrashControl {

    /** For a server that nobody here may kill. */
    CrashControl NONE = () -> {
        throw new TargetException("this server cannot be killed and started again (leave crash out)");
    };

    /**
     * Kills all processes of the server at once and starts it again; returns when it accepts connections.
     *
     * @throws TargetException if it does not start
     */
    void crash();
}
