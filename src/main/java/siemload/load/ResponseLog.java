package siemload.load;

import io.gatling.commons.stats.KO$;
import io.gatling.commons.stats.OK$;
import io.gatling.core.CoreComponents;
import io.gatling.core.session.Session;
import io.gatling.core.stats.StatsEngine;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;
import scala.Option;
import siemload.measure.Sample;
import siemload.results.Outcome;
import siemload.results.SearchKey;

/**
 * Reports measured searches to Gatling, so that its report shows what run.json holds: one response a search, from the
 * intended start. They wait here until somebody flushes: it does not matter when Gatling hears of them, but to wake its
 * writer for each costs more than a short search. Those of the warm-up go the same way and into a {@link WarmUpLog}, so
 * that no step is taken for the first time while it is measured. Thread-safe.
 */
final class ResponseLog implements AutoCloseable {
    /** What waits for longer has left the processor's caches, and is copied by the collector first. */
    static final Duration FLUSHED_EVERY = Duration.ofMillis(100);
    /** As many users can add to it at once without getting into each other's way, a power of two. */
    private static final int LANES = 16;

    private final CoreComponents core;
    private final List<Queue<Response>> lanes = Stream.<Queue<Response>>generate(ConcurrentLinkedQueue::new)
            .limit(LANES)
            .toList();

    /** To write a name anew for each answer would take as long as all else that is done with it here. */
    private final Map<SearchKey, String> labels = new ConcurrentHashMap<>();

    private final WarmUpLog warmUp;
    /** What takes the measured ones, and the others, chosen without a branch, see {@link siemload.measure.RunClock#phaseIndex}. */
    private final StatsEngine[] engines;

    /** @throws java.io.UncheckedIOException if no temporary file can be made */
    ResponseLog(CoreComponents core) {
        this.core = core;
        this.warmUp = new WarmUpLog(core);
        this.engines = new StatsEngine[] {core.statsEngine(), warmUp.engine()};
    }

    /** Without the rows that an answer may hold. */
    private record Response(Session session, SearchKey key, int phase, Sample sample, String message) {}

    void add(Session session, SearchRequest request, SearchAnswer answer) {
        lanes.get((int) session.userId() & (LANES - 1))
                .add(new Response(session, request.key(), answer.phase(), answer.sample(), answer.message()));
    }

    /** Hands over what is there; to be called now and then, and before a user leaves. */
    void flush() {
        for (Queue<Response> lane : lanes) {
            for (Response one = lane.poll(); one != null; one = lane.poll()) {
                log(one, engines[one.phase()]);
            }
        }
        warmUp.empty();
    }

    /** To be called when nobody adds or flushes any more. */
    @Override
    public void close() {
        warmUp.close();
    }

    private void log(Response response, StatsEngine engine) {
        Sample sample = response.sample();
        long endMillis = core.clock().nowMillis() - (System.nanoTime() - sample.end()) / 1_000_000;
        boolean ok = sample.outcome() == Outcome.OK;
        engine.logResponse(
                response.session().scenario(),
                response.session().groups(),
                labels.computeIfAbsent(response.key(), SearchKey::label),
                endMillis - sample.responseNanos() / 1_000_000,
                endMillis,
                ok ? OK$.MODULE$ : KO$.MODULE$,
                Option.empty(),
                ok ? Option.empty() : Option.apply(failure(sample, response.message())));
    }

    /** Code first: Gatling cuts messages at 200 characters and groups failures by them. */
    private static String failure(Sample sample, String message) {
        return (sample.code() + " " + sample.outcome().label() + ": " + message).strip();
    }
}
