package siemload.run;

import java.util.List;
import siemload.measure.RecordedFeeder;
import siemload.measure.RecordedSearches;
import siemload.run.answers.FeedLedger;

/**
 * What an injector measured in one second.
 *
 * @param second when that ended, in seconds from the start of the measured phase, negative before it
 * @param entries what became of its batches
 */
public record InjectorSecond(
        double second, RecordedSearches searches, RecordedFeeder feeder, List<FeedLedger.Entry> entries) {
    public InjectorSecond {
        entries = List.copyOf(entries);
    }
}
