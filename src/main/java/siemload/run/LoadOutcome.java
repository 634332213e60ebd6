package siemload.run;

import java.util.List;
import java.util.Optional;
import siemload.dataset.FeedEvents;
import siemload.measure.LatencyRecorder;
import siemload.measure.RunClock;
import siemload.measure.monitor.RunMonitor;
import siemload.results.FeederResult.StoredEvents;
import siemload.results.RunResult.GeneratorCpu;
import siemload.results.RunResult.InjectorResult;
import siemload.results.RunResult.PagingTruth;
import siemload.run.answers.AnswerCheck.DroppedDay;
import siemload.run.answers.AnswerSampler;
import siemload.run.answers.CheckedAnswers;
import siemload.run.answers.FeedLedger;
import siemload.run.answers.FeedLedger.Batches;

/**
 * The results of a load at its end.
 *
 * @param seen the activity of database and machine
 * @param kept the answers that are still to be checked
 * @param pagination the results of the paging probe
 * @param fed all events that were fed
 * @param drop the removal of the oldest day; empty if no day was removed, or if the run ended before that
 * @param injected the results that only injectors have; empty if this process made the load
 */
public record LoadOutcome(
        End end,
        LatencyRecorder searches,
        GeneratorCpu generator,
        RunMonitor.Seen seen,
        AnswerSampler kept,
        List<PagingTruth> pagination,
        Fed fed,
        Optional<DroppedDay> drop,
        Optional<Injected> injected) {
    public LoadOutcome {
        pagination = List.copyOf(pagination);
    }

    /** Returns this outcome for a load that was ended because it did harm. */
    LoadOutcome aborted() {
        End aborted = new End(end.clock(), end.nanos(), Ending.ABORTED);
        return new LoadOutcome(aborted, searches, generator, seen, kept, pagination, fed, drop, injected);
    }

    /**
     * The end of the load.
     *
     * @param nanos the instant of the end, on the monotonic clock
     */
    public record End(RunClock clock, long nanos, Ending ending) {

        /** Returns how many seconds were measured. */
        public double seconds() {
            return clock.measuredSeconds(nanos);
        }
    }

    /**
     * All events that were fed, and their batches.
     *
     * @param ledger the fate of the batches of these events
     * @param batches all fed batches with their times, including the batches of earlier runs
     */
    public record Fed(FeedLedger ledger, FeedEvents events, Batches batches) {}

    /**
     * The results that only the injectors of a load have.
     *
     * @param started how many injectors began the load
     * @param injectors the injectors that reported results
     * @param answers the answers that the injectors have checked
     * @param stored the fate of the events, if each injector has its own store; empty if they share a store
     */
    public record Injected(
            int started, List<InjectorResult> injectors, CheckedAnswers answers, Optional<StoredEvents> stored) {
        public Injected {
            injectors = List.copyOf(injectors);
        }
    }

    /** How a load or a procedure ended. */
    public enum Ending {
        COMPLETE,
        INTERRUPTED,
        /** The load did harm, and siemload stopped it: see {@code abortIf}. */
        ABORTED,
        /** An injector failed: the other injectors made their part of the load until then. */
        LOST,
        /** The server was gone at the end. */
        GONE,
        /** The server was restarted during the run. */
        RESTARTED;

        /** Returns this ending, or a graver one if the server is gone or was restarted. */
        Ending on(boolean gone, boolean restarted) {
            if (gone && this != INTERRUPTED) {
                return GONE;
            }
            return restarted && this == COMPLETE ? RESTARTED : this;
        }
    }
}
