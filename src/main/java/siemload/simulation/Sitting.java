package siemload.simulation;

import io.gatling.core.session.Session;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * A user at the screen, from sitting down to leaving. The user goes on when the answer is there, or when patience runs
 * out; the search is measured to its end in either case.
 *
 * <p>The steps follow one another on whatever thread is at hand: the worker that brings an answer sends off the next
 * search if it is due, and only a wait takes the user back to the event loop. To wake another thread costs more than
 * everything else that a short search needs of the client. Waits are counted in nanoseconds, not in Gatling's whole
 * milliseconds, which are longer than some searches take.
 */
final class Sitting {
    private static final long AFTER_CRASH_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final AnalystAction action;
    private final LoadEngine engine;
    private final Session session;
    private final Seat seat;
    private final Patience patience;

    Sitting(AnalystAction action, Session session, Seat seat, Duration patience) {
        this.action = action;
        this.engine = action.engine();
        this.session = session;
        this.seat = seat;
        this.patience = new Patience(patience, this::after, System::nanoTime, () -> guarded(this::giveUp));
    }

    /**
     * Takes the next action when it is due, or leaves; a wait does not last beyond the end of the run. What was due before
     * the end is done, however late the load generator is: to leave it out would be to measure only those in time.
     */
    void goOn() {
        if (engine.isOverAt(seat.dueNanos()) || seat.isDone()) {
            leave();
            return;
        }
        seat.delayDue(seat.analyst().waitBeforeNext().toNanos());
        long now = System.nanoTime();
        long wait = Math.min(seat.dueNanos() - now, engine.endNanos() - now);
        if (wait > 0) {
            after(() -> guarded(this::act), wait);
        } else {
            act();
        }
    }

    private void act() {
        if (engine.isOverAt(seat.dueNanos())) {
            leave();
            return;
        }
        SearchRequest request = seat.analyst()
                .next(System.nanoTime())
                .dueAt(seat.dueNanos(), seat.analyst().lot());
        seat.send(() -> submit(request));
    }

    /** The user's patience starts here: before, the search waited for a tab, and there was none to go on in. */
    private void submit(SearchRequest request) {
        long turn = patience.start(System.nanoTime());
        engine.submit(request, answer -> guarded(() -> answered(request, answer, turn)));
    }

    private void answered(SearchRequest request, SearchAnswer answer, long turn) {
        seat.ended();
        action.log().add(session, request, answer);
        if (patience.stop(turn)) {
            seat.analyst().answered(answer);
            seat.free(System.nanoTime());
            goOn();
        }
    }

    private void giveUp() {
        seat.analyst().gaveUp();
        seat.free(System.nanoTime());
        goOn();
    }

    private void leave() {
        seat.analyst().leave();
        action.proceed(session);
    }

    /** On the event loop; no longer, once Gatling has stopped it. */
    private void after(Runnable step, long nanos) {
        if (!session.eventLoop().isShuttingDown()) {
            var unused = session.eventLoop().schedule(step, nanos, TimeUnit.NANOSECONDS);
        }
    }

    /** No exception may cost a user. */
    private void guarded(Runnable step) {
        try {
            step.run();
        } catch (RuntimeException crash) {
            action.crashed(session, crash);
            after(() -> guarded(this::giveUp), AFTER_CRASH_NANOS);
        }
    }
}
