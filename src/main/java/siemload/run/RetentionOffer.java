package siemload.run;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import siemload.config.ConfigException;
import siemload.config.Origin;
import siemload.database.TargetPlugin;
import siemload.database.TargetPlugins;
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
        if (!choice.plugin().removesDays()) {
            String offering = TargetPlugins.offering(TargetPlugin::removesDays);
            throw new ConfigException(
                    origin,
                    "target " + choice.plugin().id() + " removes no days while others search (allowed: " + offering
                            + "; or leave retention out)");
        }
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
