package siemload.run.selftest;

import java.util.List;
import java.util.Locale;
import siemload.results.FeederResult;
import siemload.results.RunResult;
import siemload.run.selftest.SelftestResult.Check;

/** Holds the run of {@code feed.yaml}, 1,000 events a second into a database, against its timetable. Stateless. */
public final class EventCount {
    /** 13 s at 1,000 events a second, in batches of 50. */
    private static final long EVENTS = 13_000;

    private EventCount() {}

    /** The checks of this run. */
    public static List<Check> of(RunResult run) {
        FeederResult feeder = run.measured().feeder();
        boolean allSent = feeder.events().sent() == EVENTS && feeder.events().acknowledged() == EVENTS;
        boolean allThere = feeder.events().lost() == 0 && feeder.events().duplicated() == 0;
        boolean inTime = feeder.achievedRatio() >= 0.99;
        return List.of(
                new Check(
                        "events at 1000/s",
                        EVENTS + " acknowledged",
                        feeder.events().acknowledged() + " of "
                                + feeder.events().sent() + " sent",
                        allSent,
                        allSent ? "" : "the database did not keep up, or events were dropped"),
                new Check(
                        "events found afterwards",
                        "each one once",
                        feeder.events().lost() + " lost, " + feeder.events().duplicated() + " twice",
                        allThere,
                        allThere ? "" : "the database lost events, or the ledger is wrong: tell the developers"),
                new Check(
                        "rate of the feeder",
                        "1000 events/s, or 1 % less",
                        String.format(Locale.ROOT, "%.1f events/s", feeder.achievedEventsPerSecond()),
                        inTime,
                        inTime ? "" : "the disk or the processors are too slow for 1000 events/s beside a self-test"));
    }
}
