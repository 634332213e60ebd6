package siemload.run;

import java.util.List;
import siemload.measure.ClockOffset;
import siemload.measure.VisibilityRecorder;
import siemload.results.InjectorResult;
import siemload.results.PagingTruth;
import siemload.results.StoredEvents;

/**
 * What an injector hands over at the end of its load, beside what it told second by second.
 *
 * @param ending how it ended
 * @param endSecond when, in seconds from the start of the measured phase
 * @param clock how its clock went with the server's during the whole load
 * @param cpuNanos what its process used in the measured phase
 * @param result for people; its shares of the whole are not known yet, and are 0
 * @param visibility how long events took to be found that it fed
 * @param pagination what its probe saw of the newest events
 * @param stored what became of its events, where it has a store of its own; empty, or one
 */
public record InjectorOutcome(
        LoadOutcome.Ending ending,
        double endSecond,
        ClockOffset clock,
        long cpuNanos,
        InjectorResult result,
        VisibilityRecorder.Taken visibility,
        List<PagingTruth> pagination,
        List<StoredEvents> stored) {
    public InjectorOutcome {
        pagination = List.copyOf(pagination);
        stored = List.copyOf(stored);
    }
}
