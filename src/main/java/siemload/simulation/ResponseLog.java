package siemload.simulation;

import io.gatling.commons.stats.KO$;
import io.gatling.commons.stats.OK$;
import io.gatling.core.CoreComponents;
import io.gatling.core.session.Session;
import scala.Option;
import siemload.measure.Outcome;
import siemload.measure.Sample;

/**
 * Reports measured searches to Gatling, so that its report shows what run.json holds: one response a search, from the
 * intended start. Thread-safe.
 */
final class ResponseLog {
    private final CoreComponents core;

    ResponseLog(CoreComponents core) {
        this.core = core;
    }

    void log(Session session, SearchRequest request, SearchAnswer answer) {
        if (!answer.measured()) {
            return;
        }
        Sample sample = answer.sample();
        long endMillis = core.clock().nowMillis() - (System.nanoTime() - sample.end()) / 1_000_000;
        boolean ok = sample.outcome() == Outcome.OK;
        core.statsEngine()
                .logResponse(
                        session.scenario(),
                        session.groups(),
                        request.key().label(),
                        endMillis - sample.responseNanos() / 1_000_000,
                        endMillis,
                        ok ? OK$.MODULE$ : KO$.MODULE$,
                        Option.empty(),
                        ok ? Option.empty() : Option.apply(failure(sample, answer.message())));
    }

    /** Code first: Gatling cuts messages at 200 characters and groups failures by them. */
    private static String failure(Sample sample, String message) {
        return (sample.code() + " " + sample.outcome().label() + ": " + message).strip();
    }
}
