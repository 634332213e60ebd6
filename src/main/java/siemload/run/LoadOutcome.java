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
 * What a simulation hands over at its end.
 *
 * @param seen what database and machine did meanwhile
 * @param kept the answers that are left to check
 * @param pagination what the paging probe saw of the newest events
 * @param fed everything that was fed
 * @param drop what became of the oldest day; empty where the scenario leaves it, or the run ended before
 * @param injected what injectors found out that made the load; empty where this process did
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

    /** The same of a load that was ended since it did harm. */
    LoadOutcome aborted() {
        End aborted = new End(end.clock(), end.nanos(), Ending.ABORTED);
        return new LoadOutcome(aborted, searches, generator, seen, kept, pagination, fed, drop, injected);
    }

    /**
     * The end of the load.
     *
     * @param nanos when it came, on the monotonic clock
     */
    public record End(RunClock clock, long nanos, Ending ending) {

        /** How long was measured. */
        public double seconds() {
            return clock.measuredSeconds(nanos);
        }
    }

    /**
     * Everything that was fed.
     *
     * @param ledger what became of the batches of these events
     * @param batches what was fed when, also before them
     */
    public record Fed(FeedLedger ledger, FeedEvents events, Batches batches) {}

    /**
     * What is known of a load that several injectors made only by them.
     *
     * @param started with how many it began
     * @param injectors those that told what they did
     * @param answers those that each of them has checked
     * @param stored what became of the events, where each has a store of its own; empty where they share one
     */
    public record Injected(
            int started, List<InjectorResult> injectors, CheckedAnswers answers, Optional<StoredEvents> stored) {
        public Injected {
            injectors = List.copyOf(injectors);
        }
    }

    /** How the load, or a procedure, ended. */
    public enum Ending {
        COMPLETE,
        INTERRUPTED,
        /** It did harm and was stopped by siemload itself: see {@code abortIf}. */
        ABORTED,
        /** An injector failed: the others made their part of the load until then. */
        LOST,
        /** The server was gone at the end. */
        GONE,
        /** The server was restarted meanwhile. */
        RESTARTED;

        /** The same where that became of the server. */
        Ending on(boolean gone, boolean restarted) {
            if (gone && this != INTERRUPTED) {
                return GONE;
            }
            return restarted && this == COMPLETE ? RESTARTED : this;
        }
    }
}
