package siemload.results.report;

import java.util.Locale;
import siemload.results.FeederResult.FedEventCounts;

/** What became of the events that were fed, in words. */
final class FeederLedger {
    private FeederLedger() {}

    static String words(FedEventCounts events) {
        if (events.lost() < 0) {
            return "nobody could look for the events";
        }
        String known = String.format(Locale.ROOT, "%d lost, %d twice", events.lost(), events.duplicated());
        String stored = events.storedUnacknowledged() > 0
                ? ", " + events.storedUnacknowledged() + " stored without an acknowledgement"
                : "";
        return known + stored + (events.unknown() > 0 ? ", " + events.unknown() + " unknown" : "");
    }
}
