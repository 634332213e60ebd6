package siemload.run;

import java.time.Duration;
import java.util.Optional;
import siemload.database.DayRemoval;
import siemload.run.answers.DroppedDay;

/**
 * What became of the day that was to be removed during a load.
 *
 * @param removed how; empty where it failed
 * @param failure why; empty where it did not
 */
public record DayDrop(DroppedDay dropped, Optional<DayRemoval.Removed> removed, String failure) {

    /** One that took place. */
    public static DayDrop of(DroppedDay dropped, DayRemoval.Removed removed) {
        return new DayDrop(dropped, Optional.of(removed), "");
    }

    /** One that did not, or nobody knows. */
    public static DayDrop failed(DroppedDay dropped, String why) {
        return new DayDrop(dropped, Optional.empty(), why);
    }

    /** How long it took, locks included; no time where nobody knows. */
    Duration took() {
        return removed.isEmpty() ? Duration.ZERO : Duration.ofNanos(dropped.endNanos() - dropped.startNanos());
    }
}
