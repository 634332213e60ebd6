package siemload.load;

import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import siemload.measure.LatencyRecorder;
import siemload.measure.QuotaRecorder;
import siemload.measure.Sample;

/**
 * Lets so many searches of a group run at once and no more; the others wait, and who has waited the longest is next. A search
 * whose user has lost patience waits on, as it is measured to its end in any case. Thread-safe.
 */
final class GroupQuota implements AutoCloseable {
    private static final String GIVEN_UP = "the run ended before the quota of the group let it search";

    private final int atOnce;
    private final LatencyRecorder recorder;
    private final QuotaRecorder.Group waits;
    private final LongSupplier clock;
    private final Queue<Waiting> waiting = new ArrayDeque<>();
    private int running;
    private boolean open = true;

    /**
     * Nobody waits at first.
     *
     * @param waits takes who has waited for how long
     * @param clock nanoseconds of a monotonic clock, the one that intended starts are told by
     */
    GroupQuota(int atOnce, LatencyRecorder recorder, QuotaRecorder.Group waits, LongSupplier clock) {
        this.atOnce = atOnce;
        this.recorder = recorder;
        this.waits = waits;
        this.clock = clock;
    }

    private record Waiting(
            Admission workers, SearchRequest request, Consumer<SearchAnswer> listener, long sinceNanos) {}

    /** The way through the quota to these workers. */
    Admission before(Admission workers) {
        return (request, listener) -> submit(workers, request, listener);
    }

    private void submit(Admission workers, SearchRequest request, Consumer<SearchAnswer> listener) {
        Waiting search = new Waiting(workers, request, listener, clock.getAsLong());
        if (!isTaken(search)) {
            giveUp(search, search.sinceNanos());
        }
    }

    private synchronized boolean isTaken(Waiting search) {
        if (open && running < atOnce) {
            running++;
            waits.letIn(search.request().intendedStart(), running);
            send(search, 0);
        } else if (open) {
            waiting.add(search);
        }
        return open;
    }

    /** Sent off under the lock, so that who waits is found here or at the workers, and never in between. */
    private void send(Waiting search, long waitedNanos) {
        search.workers().submit(search.request().letInAfter(waitedNanos), answer -> {
            ended();
            search.listener().accept(answer);
        });
    }

    /** However it ended: its place is free, before anybody is told of it. */
    private synchronized void ended() {
        Waiting next = waiting.poll();
        if (next == null) {
            running--;
        } else {
            long waitedNanos = clock.getAsLong() - next.sinceNanos();
            waits.waited(next.request().intendedStart(), waitedNanos);
            waits.letIn(next.request().intendedStart(), running);
            send(next, waitedNanos);
        }
    }

    /** How many wait. */
    synchronized int waiting() {
        return waiting.size();
    }

    /** Ends all that wait, and from now on whatever would have to: they count as unfinished, with the time until now. */
    @Override
    public void close() {
        long now = clock.getAsLong();
        takeAll().forEach(search -> giveUp(search, now));
    }

    private synchronized List<Waiting> takeAll() {
        open = false;
        List<Waiting> all = List.copyOf(waiting);
        waiting.clear();
        return all;
    }

    private void giveUp(Waiting search, long now) {
        SearchRequest request = search.request();
        long waitedNanos = now - search.sinceNanos();
        waits.waited(request.intendedStart(), waitedNanos);
        recorder.started();
        Sample sample = request.letInAfter(waitedNanos).unfinishedAt(now);
        recorder.finished(request.key(), request.asked(), sample);
        int phase = recorder.phaseIndex(request.intendedStart());
        search.listener().accept(new SearchAnswer(sample, phase, 0, GIVEN_UP, Optional.empty(), Optional.empty()));
    }
}
