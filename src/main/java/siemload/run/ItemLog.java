package siemload.run;

import java.io.IOException;
import java.util.Optional;
import siemload.measure.RunClock;
import siemload.results.JobItem;
import siemload.results.LoggedJob;
import siemload.results.RunFile;
import siemload.results.RunWriter;
import siemload.results.TableWriter;
import siemload.run.procedure.ItemSink;

/** Writes the items of jobs as they end; a run without any has no such file. Thread-safe. */
final class ItemLog implements ItemSink, AutoCloseable {
    private final RunWriter writer;
    private Optional<RunClock> clock = Optional.empty();
    private Optional<TableWriter> table = Optional.empty();
    private Optional<String> incomplete = Optional.empty();
    private boolean closed;

    ItemLog(RunWriter writer) {
        this.writer = writer;
    }

    /** From now on there is something to measure. */
    synchronized void start(RunClock measured) {
        clock = Optional.of(measured);
    }

    @Override
    public synchronized void add(int job, int level, long endNanos, JobItem item) {
        if (closed) {
            incomplete = Optional.of(RunFile.ITEMS.fileName() + " lacks items that ended after the run");
            return;
        }
        try {
            TableWriter open = table.isPresent() ? table.get() : writer.table(RunFile.ITEMS);
            table = Optional.of(open);
            LoggedJob.write(open, clock.orElseThrow().second(endNanos), job, level, item);
        } catch (IOException unwritable) {
            incomplete = Optional.of(RunFile.ITEMS.fileName() + " cannot be written: " + unwritable);
        }
    }

    /** Why not all items are in the file; empty where they are. */
    synchronized Optional<String> incomplete() {
        return incomplete;
    }

    /** Closes the file; closing twice is harmless. */
    @Override
    public synchronized void close() {
        try {
            if (table.isPresent()) {
                table.get().close();
            }
        } catch (IOException full) {
            incomplete = Optional.of(String.valueOf(full.getMessage()));
        }
        table = Optional.empty();
        closed = true;
    }
}
