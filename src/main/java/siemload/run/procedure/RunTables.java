package siemload.run.procedure;

import java.io.IOException;
import siemload.database.TargetException;
import siemload.results.RunFile;
import siemload.results.RunWriter;
import siemload.results.TableWriter;

/**
 * Where a procedure writes what it measures second by second. Immutable.
 *
 * @param startNanos the instant on the monotonic clock that seconds are counted from in all tables of the run
 */
public record RunTables(RunWriter writer, long startNanos) {

    TableWriter open(RunFile table) {
        try {
            return writer.table(table);
        } catch (IOException unwritable) {
            throw new TargetException(table.fileName() + " cannot be written: " + unwritable.getMessage(), unwritable);
        }
    }

    /** Closes a table. @throws TargetException if something of it could not be written */
    static void close(TableWriter table) {
        try {
            table.close();
        } catch (IOException incomplete) {
            throw new TargetException(String.valueOf(incomplete.getMessage()), incomplete);
        }
    }

    /** Seconds from the start of the run to an instant. */
    double second(long nanos) {
        return (nanos - startNanos) / 1e9;
    }
}
