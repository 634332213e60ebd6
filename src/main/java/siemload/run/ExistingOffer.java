package siemload.run;

import java.util.Optional;
import java.util.Set;
import siemload.config.Choices;
import siemload.config.Origin;
import siemload.config.Problems;
import siemload.config.Property;
import siemload.config.Settings;
import siemload.database.Provision;
import siemload.database.TargetPlugin;
import siemload.database.TargetPlugins;
import siemload.query.SearchName;
import siemload.scenario.CacheState;
import siemload.scenario.ResolvedScenario;

/** Statements and data that are there already: neither goes without the other, nor with every target. Stateless. */
final class ExistingOffer {
    private static final String EXISTING = "existing";

    private ExistingOffer() {}

    /** @throws siemload.config.ConfigException if only one of them is asked for, or the target or its server cannot be asked */
    static void require(ResolvedScenario resolved, TargetChoice choice, Settings settings) {
        Problems problems = new Problems();
        boolean existing = settings.value(Property.DATA).equals(EXISTING);
        boolean statements = !resolved.scenario().statements().isEmpty();
        if (statements && !choice.plugin().asksStatements()) {
            problems.add(
                    settings.origin(Property.TARGET),
                    "target " + choice.plugin().id() + " cannot be asked statements yet (allowed: "
                            + TargetPlugins.offering(TargetPlugin::asksStatements) + ")");
        }
        problems.throwIfAny();
        if (existing && !statements) {
            problems.add(
                    settings.origin(Property.DATA),
                    "existing is for the statements of a scenario, but "
                            + resolved.scenario().name()
                            + " searches for events, which are in no data but siemload's own"
                            + " (write statements: {name: {sql: SELECT ...}} into the scenario, or leave this out)");
        }
        if (statements && !existing) {
            problems.add(
                    resolved.origin(path -> path.startsWith("statements.") || path.startsWith("replay.")),
                    "the statements of " + resolved.scenario().name() + " ask data that are there already (say so by"
                            + " -Ddata=existing, and where by -Durl)");
        }
        problems.throwIfAny();
        if (existing) {
            requireAskable(choice, settings, problems);
            problems.throwIfAny();
        }
        requireAllowed(resolved, choice, settings, problems);
        problems.throwIfAny();
    }

    private static void requireAllowed(
            ResolvedScenario resolved, TargetChoice choice, Settings settings, Problems problems) {
        boolean allowed = settings.value(Property.ALLOW_WRITES);
        Set<SearchName> writing = resolved.scenario().writing();
        if (allowed && writing.isEmpty()) {
            problems.add(
                    settings.origin(Property.ALLOW_WRITES),
                    "no statement of " + resolved.scenario().name()
                            + " writes (leave this out, or mark those that do by" + " writes: true in the scenario)");
        }
        for (SearchName name : writing) {
            Origin origin = resolved.origin("statements." + name + ".writes");
            if (!choice.plugin().asksWritingStatements()) {
                problems.add(
                        origin,
                        name + " writes, which target " + choice.plugin().id() + " cannot be asked for (allowed: "
                                + TargetPlugins.offering(TargetPlugin::asksWritingStatements) + ")");
            } else if (!allowed) {
                problems.add(
                        origin, name + " writes, and what it writes stays (say that it may by -DallowWrites=true)");
            }
        }
    }

    private static void requireAskable(TargetChoice choice, Settings settings, Problems problems) {
        if (choice.provision() != Provision.EXTERNAL) {
            problems.add(
                    settings.origin(Property.DATA),
                    "existing data are in a database of yours (say where it is by -Durl)");
        }
        Optional<CacheState> caches = settings.find(Property.CACHES).flatMap(Choices.camelCase(CacheState.class)::find);
        if (caches.filter(state -> state == CacheState.COLD || state == CacheState.LUKEWARM)
                .isPresent()) {
            problems.add(
                    settings.origin(Property.CACHES),
                    "a server with existing data is not restarted to empty its caches (allowed: asFound, hot)");
        }
    }
}
