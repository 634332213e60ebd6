package siemload.run;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import siemload.config.ConfigException;
import siemload.config.Origin;
import siemload.database.Offer;
import siemload.dataset.EventSource;
import siemload.query.Window;
import siemload.scenario.ResolvedScenario;

/** Whether a target and a data set have what retention needs, before any server is touched. Stateless. */
final class RetentionOffer {

    private RetentionOffer() {}

    /** @throws ConfigException if the target removes no days, or no other day would be left */
    static void require(ResolvedScenario resolved, TargetChoice choice, EventSource source) {
        if (resolved.scenario().retention().isEmpty()) {
            return;
        }
        Origin origin = resolved.origin("retention.after");
        choice.require(
                Offer.DAY_REMOVAL,
                origin,
                "target %s removes no days while others search (allowed: %s; or leave retention out)");
        if (!firstDay(source).until().isBefore(source.until())) {
            throw new ConfigException(
                    origin,
                    "the data set " + source.name() + " has no other day than its first one, which new events belong to"
                            + " (give one of several days)");
        }
    }

    /** From midnight to midnight in UTC. */
    static Window firstDay(EventSource source) {
        Instant midnight = source.first().truncatedTo(ChronoUnit.DAYS);
        return new Window(midnight, midnight.plus(Duration.ofDays(1)));
    }
}
