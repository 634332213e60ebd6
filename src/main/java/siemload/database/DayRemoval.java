package siemload.database;

import java.time.Duration;
import siemload.query.Window;

/**
 * Removes the events of a whole day, as retention demands, while others search and write. What lies in a partition of its own goes
 * with the partition; elsewhere each row is deleted. Used by one thread.
 */
@FunctionalInterface
public interface DayRemoval {

    /**
     * Removes the events of a day, all at once: whoever searches sees all of them or none. Blocks until that is durable.
     *
     * @param day from midnight to midnight in UTC
     * @throws TargetException if nothing was removed, or nobody knows
     */
    Removed remove(Window day);

    /** How a day was removed. */
    enum Means {
        /** With its partition. */
        PARTITION,
        /** Row by row. */
        ROWS
    }

    /**
     * What a removal did.
     *
     * @param waited for locks that others held, before anything was removed
     */
    record Removed(Means means, Duration waited) {}
}
