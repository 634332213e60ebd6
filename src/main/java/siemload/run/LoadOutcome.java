package siemload.run;

import java.util.List;
import java.util.function.Consumer;
import siemload.measure.FeederRecorder;
import siemload.measure.LatencyRecorder;
import siemload.measure.RunClock;
import siemload.measure.monitor.RunMonitor;
import siemload.results.GeneratorCpu;
import siemload.results.PagingTruth;
import siemload.results.VisibilityResult;
import siemload.run.answers.AnswerSampler;
import siemload.run.answers.FedBatches;

/**
 * What a simulation hands over at its end.
 *
 * @param endNanos when the load ended, on the monotonic clock
 * @param seen what database and machine did meanwhile
 * @param acknowledgedIds hands over the ids of all acknowledged fed events, list by list
 * @param unacknowledgedIds likewise those of events that were sent without being acknowledged
 * @param answers those to be checked
 * @param visibility how long fed events took to be found
 * @param pagination what somebody saw who paged through the newest events
 * @param fed everything that was fed, and when
 */
public record LoadOutcome(
        RunClock clock,
        long endNanos,
        Ending ending,
        LatencyRecorder searches,
        FeederRecorder feeder,
        GeneratorCpu generator,
        RunMonitor.Seen seen,
        Consumer<Consumer<List<String>>> acknowledgedIds,
        Consumer<Consumer<List<String>>> unacknowledgedIds,
        AnswerSampler answers,
        VisibilityResult visibility,
        List<PagingTruth> pagination,
        FedBatches fed) {

    /** How the load ended. */
    public enum Ending {
        COMPLETE,
        INTERRUPTED,
        /** It did harm, and stopped by itself. */
        ABORTED
    }
}
