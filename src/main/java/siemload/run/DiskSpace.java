package siemload.run;

import java.io.IOException;
import java.nio.file.Files;
import java.util.Locale;
import siemload.config.directory.Reason;
import siemload.database.Provision;
import siemload.database.TargetException;

/** Whether what a run is about to write fits on the disk of an embedded server; others' disks are theirs. Immutable. */
final class DiskSpace {
    /** For the server's own files, its write-ahead log and the fed events. */
    private static final long RESERVE_BYTES = 512L << 20;

    private final RunPlan plan;

    DiskSpace(RunPlan plan) {
        this.plan = plan;
    }

    /** @throws TargetException if not even the server's own files fit */
    void requireForServer() {
        require(0, "the server's own files");
    }

    /** @throws TargetException if what a run is about to store does not fit */
    void requireFor(StoredCopies copies) {
        if (copies.number() > 0) {
            require(copies.number(), copies.words());
        }
    }

    /** The procedure makes all that it works with. @throws TargetException if that does not fit */
    void requireForEmptyStore() {
        require(plan.bytesOfAccounts() > 0 ? 0 : OtherServers.count(plan), "what the procedure stores");
    }

    private void require(int copies, String what) {
        if (plan.choice().provision() != Provision.EMBEDDED) {
            return;
        }
        long needed = plan.bytesOfCopy() * copies + plan.bytesOfAccounts() + RESERVE_BYTES;
        long free = freeBytes();
        if (free < needed) {
            throw new TargetException(String.format(
                    Locale.ROOT,
                    "%s: %,d MB free, but %s would take about %,d MB (choose another disk with -Dcache=DIR, a smaller data set, or fewer accounts)",
                    plan.cache(),
                    free >> 20,
                    what,
                    needed >> 20));
        }
    }

    private long freeBytes() {
        try {
            return Files.getFileStore(plan.cache()).getUsableSpace();
        } catch (IOException unusable) {
            throw new TargetException(
                    "nobody can tell how much space " + plan.cache() + " has: " + Reason.of(unusable)
                            + " (choose another with -Dcache=DIR)",
                    unusable);
        }
    }
}
