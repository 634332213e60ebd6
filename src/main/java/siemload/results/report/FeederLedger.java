package siemload.results.report;

import java.util.Locale;
import siemload.results.RunResult.FeederResult;

/** What became of the events that were fed, in words. */
final class FeederLedger {
    private FeederLedger() {}

    static String words(FeederResult feeder) {
        if (feeder.lost() < 0) {
            return "nobody could look for the events";
        }
        String known = String.format(Locale.ROOT, "%d lost, %d twice", feeder.lost(), feeder.duplicated());
        String stored = feeder.storedUnacknowledged() > 0
                ? ", " + feeder.storedUnacknowledged() + " stored without an acknowledgement"
                : "";
        return known + stored + (feeder.unknown() > 0 ? ", " + feeder.unknown() + " unknown" : "");
    }
}
