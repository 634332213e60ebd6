package siemload.run;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import siemload.config.Choices;
import siemload.config.Origin;
import siemload.config.Problems;
import siemload.config.Property;
import siemload.config.Setting;
import siemload.config.Settings;
import siemload.database.Provision;
import siemload.database.TargetPlugin.Offer;
import siemload.query.SearchName;
import siemload.run.RunPlan.TrendOffer;
import siemload.scenario.CacheState;
import siemload.scenario.Procedure;
import siemload.scenario.ResolvedScenario;
import siemload.scenario.Scenario;

/** What asks data that are there already: statements, or searches by a layout of one's own. Not with every target. Stateless. */
final class ExistingOffer {
    private static final String EXISTING = "existing";
    private static final String REPLAYED = "replay.recording";

    private static final List<Property<?>> OF_DATASETS =
            List.of(Property.DATASET, Property.AMPLIFY, Property.FORMAT, Property.RELOAD);

    private ExistingOffer() {}

    /** Whether the settings ask for data that are there already. */
    static boolean isAskedFor(Settings settings) {
        return settings.value(Property.DATA).equals(EXISTING);
    }

    /** Settings, or values of a scenario, but those of data sets, which data that are there already are not. */
    static List<Setting> meaningful(List<Setting> all) {
        return Setting.without(OF_DATASETS, all);
    }

    /**
     * Looks at what is to be asked and where.
     *
     * @throws siemload.config.ConfigException if one is asked for without the other, or the target or its server cannot be asked
     */
    static void require(ResolvedScenario resolved, TargetChoice choice, Settings settings) {
        Problems problems = new Problems();
        boolean existing = isAskedFor(settings);
        boolean statements = !resolved.scenario().statements().isEmpty();
        boolean layout = choice.isForSearchesAlone();
        if (statements) {
            choice.refusal(Offer.STATEMENTS, "target %s cannot be asked statements yet (allowed: %s)")
                    .ifPresent(why -> problems.add(settings.origin(Property.TARGET), why));
            problems.throwIfAny();
        }
        if (existing && !statements && !layout) {
            problems.add(
                    settings.origin(Property.DATA),
                    "existing is for the statements of a scenario, or for searches by a layout without loading, but "
                            + resolved.scenario().name()
                            + " searches for events by the layout "
                            + choice.variant().layout()
                            + ", which are in no data but siemload's own (write statements: {name: {sql: SELECT ...}}"
                            + " into the scenario, give a -Dlayout with loading: none, or leave this out)");
        }
        if (statements && !existing) {
            problems.add(
                    resolved.origin(path -> path.startsWith("statements.") || path.startsWith("replay.")),
                    "the statements of " + resolved.scenario().name() + " ask data that are there already (say so by"
                            + " -Ddata=existing, and where by -Durl)");
        }
        if (layout && !existing) {
            problems.add(
                    settings.origin(Property.LAYOUT),
                    "the layout " + choice.variant().layout()
                            + " has loading: none, so that it searches data that are there already and no others (say so"
                            + " by -Ddata=existing, and where by -Durl)");
        }
        problems.throwIfAny();
        if (existing) {
            requireAskable(choice, settings, problems);
            if (!statements) {
                requireReading(resolved, settings, problems);
            }
            problems.throwIfAny();
        }
        requireAllowed(resolved, choice, settings, problems);
        problems.throwIfAny();
    }

    private static void requireAllowed(
            ResolvedScenario resolved, TargetChoice choice, Settings settings, Problems problems) {
        boolean allowed = settings.value(Property.ALLOW_WRITES);
        Set<SearchName> writing = resolved.scenario().writing();
        boolean replays = resolved.scenario().replays();
        boolean sets = resolved.scenario()
                .procedure()
                .flatMap(Procedure::transactions)
                .isPresent();
        if (allowed && writing.isEmpty() && !sets) {
            problems.add(
                    settings.origin(Property.ALLOW_WRITES),
                    "no statement of " + resolved.scenario().name() + " writes (leave this out, or "
                            + (replays
                                    ? "take those that do by learn-queries --replay --writes)"
                                    : "mark those that do by writes: true in the scenario)"));
        }
        for (SearchName name : writing) {
            Origin origin = resolved.origin(replays ? REPLAYED : "statements." + name + ".writes");
            Optional<String> refusal =
                    choice.refusal(Offer.WRITING_STATEMENTS, "target %s cannot be asked for (allowed: %s)");
            if (refusal.isPresent()) {
                problems.add(origin, name + " writes, which " + refusal.get());
            } else if (!allowed) {
                problems.add(
                        origin,
                        name + " writes, and what it writes stays (say that it may by -DallowWrites=true"
                                + (replays ? ", or leave it out of the replay by without: [" + name + "])" : ")"));
            }
        }
    }

    /** What a scenario can do to events but search them, and what is said of events that siemload would make. */
    private static void requireReading(ResolvedScenario resolved, Settings settings, Problems problems) {
        Scenario scenario = resolved.scenario();
        if (scenario.procedure().isPresent()) {
            problems.add(
                    resolved.origin(path -> path.startsWith("procedure.")),
                    "the steps of a procedure need siemload's own events (allowed with existing data: analysts)");
        }
        if (scenario.feeder().isOn()) {
            problems.add(
                    resolved.origin(path -> path.startsWith("feeder.")),
                    "nothing is fed into data that are there already (leave the feeder out, or give -Deps=0)");
        }
        if (scenario.retention().isPresent()) {
            problems.add(
                    resolved.origin("retention.after"),
                    "nothing is removed from data that are there already (leave retention out)");
        }
        if (TrendOffer.isIn(scenario)) {
            problems.add(
                    resolved.origin(path -> path.endsWith(".trend")),
                    "nothing is stored beside data that are there already (leave the groups with a trend out)");
        }
        settings.refuseGiven(
                OF_DATASETS,
                "means nothing to data that are there already, which are as they are (leave it out)",
                problems);
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
