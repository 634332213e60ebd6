package siemload.run;

import java.util.List;
import java.util.Optional;
import siemload.config.AbortCondition;
import siemload.config.AbortCondition.Figure;
import siemload.config.ConfigException;
import siemload.config.Property;
import siemload.config.Settings;
import siemload.database.Offer;
import siemload.database.Replication;
import siemload.database.ReplicationReading;
import siemload.database.SearchException;
import siemload.database.Target;
import siemload.database.TargetException;
import siemload.measure.monitor.ReplicationWatch;
import siemload.scenario.ResolvedScenario;

/** Whether it can be watched how far standbys are behind, where {@code abortIf} asks for that. Stateless. */
final class ReplicationOffer {
    private ReplicationOffer() {}

    /** Whether a condition of {@code abortIf} asks for it. */
    static boolean isAsked(Settings settings) {
        return settings.find(Property.ABORT_IF).orElse(List.of()).stream()
                .map(AbortCondition::figure)
                .anyMatch(Figure.REPLICATION_LAG::equals);
    }

    /** @throws ConfigException if nothing would watch it, or the target does not tell it */
    static void require(ResolvedScenario resolved, TargetChoice choice, Settings settings) {
        if (!isAsked(settings)) {
            return;
        }
        if (resolved.scenario().procedure().isPresent()) {
            throw refusal(
                    settings,
                    "is watched during a load, but " + resolved.scenario().name()
                            + " is a procedure (leave this condition out)");
        }
        choice.refusal(Offer.REPLICATION_LAG, "is not told by target %s (allowed: %s; or leave this condition out)")
                .ifPresent(why -> {
                    throw refusal(settings, why);
                });
    }

    /**
     * Asks the server, before anything is made on it.
     *
     * @throws ConfigException if it has nothing to tell
     */
    static void requireStandbys(Settings settings, Target target) {
        open(settings, target).ifPresent(ReplicationWatch::close);
    }

    /** Gets ready to watch; empty where nobody asks for that. @throws ConfigException as {@link #requireStandbys} */
    static Optional<ReplicationWatch> open(Settings settings, Target target) {
        return isAsked(settings)
                ? target.openReplication().map(replication -> watch(settings, replication))
                : Optional.empty();
    }

    private static ReplicationWatch watch(Settings settings, Replication replication) {
        try {
            ReplicationReading first = replication.read();
            first.untold().ifPresent(why -> {
                throw refusal(settings, "cannot be watched: " + why);
            });
            return new ReplicationWatch(replication, first, System.nanoTime());
        } catch (SearchException silent) {
            replication.close();
            throw new TargetException(
                    "the server does not tell how far standbys are behind: " + silent.getMessage(), silent);
        } catch (ConfigException nothing) {
            replication.close();
            throw nothing;
        }
    }

    private static ConfigException refusal(Settings settings, String why) {
        return new ConfigException(settings.origin(Property.ABORT_IF), Figure.REPLICATION_LAG.label() + " " + why);
    }
}
