package siemload.run;

import java.util.Optional;
import siemload.config.ConfigException;
import siemload.config.Property;
import siemload.database.Offer;
import siemload.scenario.AnalystGroup;
import siemload.scenario.CacheState;

/** Whether the searches of a run can be answered by replicas, before any server is touched. Stateless. */
final class ReplicaOffer {
    private ReplicaOffer() {}

    /** @throws ConfigException if they cannot, with what speaks against it */
    static void require(RunPlan plan) {
        if (plan.readUrls().isEmpty()) {
            return;
        }
        refusal(plan).ifPresent(why -> {
            throw new ConfigException(
                    plan.settings().origin(Property.READ_URLS),
                    "replicas cannot answer the searches of this run: " + why);
        });
    }

    private static Optional<String> refusal(RunPlan plan) {
        if (plan.isProcedure()) {
            return Optional.of("scenario " + plan.scenario().name()
                    + " is a procedure, which works with the server of url alone (leave readUrls out)");
        }
        if (plan.asksExisting()) {
            return Optional.of(
                    "it asks existing data at url alone (give the url of a replica as url, and leave readUrls out)");
        }
        return plan.choice()
                .refusal(Offer.REPLICAS, "target %s is searched at url alone (allowed: %s; or leave readUrls out)")
                .or(() -> refusalOfSettings(plan));
    }

    private static Optional<String> refusalOfSettings(RunPlan plan) {
        if (plan.settings().find(Property.URL).stream().anyMatch(plan.readUrls()::contains)) {
            return Optional.of("readUrls has the url of the primary, which takes writes (leave it out of readUrls)");
        }
        if (plan.scenario().countsTickIo()) {
            return Optional.of("what single ticks read is counted at url alone (leave ticks.io or readUrls out)");
        }
        if (plan.caches() != CacheState.AS_FOUND) {
            return Optional.of("nobody here empties the caches of replicas (leave caches or readUrls out)");
        }
        return plan.scenario().analysts().stream()
                .filter(AnalystGroup::storesTrend)
                .findFirst()
                .map(group -> "the tasks of group " + group.name()
                        + " store trends, but a replica takes no writes (leave them out: --set analysts." + group.name()
                        + ".tasks=0)");
    }
}
