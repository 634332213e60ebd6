package siemload.load;

import io.gatling.commons.stats.KO$;
import io.gatling.commons.stats.OK$;
import io.gatling.core.CoreComponents;
import io.gatling.core.session.Session;
import io.gatling.core.stats.StatsEngine;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import scala.Option;
import siemload.measure.Sample;
import siemload.measure.StripedQueue;
import siemload.results.Outcome;
import siemload.results.SearchKey;

/**
 * Reports measured searches to Gatling, so that its report shows what run.json holds: one response a search, from the
 * intended start. They wait here until somebody flushes: it does not matter when Gatling hears of them, but to wake its
 * writer for each costs more than a short search. Those of the warm-up go the same way and into a {@link WarmUpLog}, so
 * that no step is taken for the first time while it is measured. Thread-safe.
 */
final class ResponseLog implements AutoCloseable {
    private final CoreComponents core;
    private final StripedQueue<Response> responses = new StripedQueue<>();

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
        responses.add(new Response(session, request.key(), answer.phase(), answer.sample(), answer.message()));
    }

    /** Hands over what is there, also what somebody else is just handing over; to be called now and then, and before a user leaves. */
    synchronized void flush() {
        long nowMillis = core.clock().nowMillis();
        long nowNanos = System.nanoTime();
        responses.drainTo(one -> {
            long endMillis = nowMillis - (nowNanos - one.sample().end()) / 1_000_000;
            log(one, endMillis, engines[one.phase()]);
        });
        warmUp.empty();
    }

    /** To be called when nobody adds or flushes any more. */
    @Override
    public void close() {
        warmUp.close();
    }

    private void log(Response response, long endMillis, StatsEngine engine) {
        Sample sample = response.sample();
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
