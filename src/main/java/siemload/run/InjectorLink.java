package siemload.run;

import siemload.database.ServerAddress;
import siemload.measure.ClockOffset;
import siemload.run.LoadOutcome.InjectorOutcome;
import siemload.run.LoadOutcome.InjectorSecond;
import siemload.run.answers.CheckedAnswers;
import siemload.run.answers.FeedLedger;

/** What an injector is to join, and what it tells its coordinator and hears from there, in this order. Thread-safe. */
public interface InjectorLink {

    /** The run, with the shard of this process. */
    RunPlan plan();

    /** The server, which is running. */
    ServerAddress server();

    /** The name by which the run's store is joined. */
    String store();

    /** The injector's number, from 1. */
    int number();

    /**
     * Says that everything is ready, and waits until all others are.
     *
     * @param clock how this process's clock goes with the server's
     * @return when the load begins, on the monotonic clock: in a moment
     */
    long awaitStart(ClockOffset clock);

    /** Tells what was measured in one more second; never waits for an answer. */
    void second(InjectorSecond second);

    /**
     * Tells what the load came to, and waits until the others' have ended.
     *
     * @param ledger takes what the others fed, by this process's clock
     * @return whether answers are to be checked: not where the run has come to nothing, or this process is being stopped
     */
    boolean ended(InjectorOutcome outcome, FeedLedger ledger);

    /**
     * Tells what became of the answers.
     *
     * @param startNanos the start of the load, on the monotonic clock
     */
    void checked(CheckedAnswers answers, long startNanos);
}
