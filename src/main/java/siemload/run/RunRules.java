package siemload.run;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import siemload.config.Origin;
import siemload.config.Problems;
import siemload.config.Property;
import siemload.config.Setting;
import siemload.config.Settings;
import siemload.database.Provision;
import siemload.database.TargetPlugin.Offer;
import siemload.dataset.EventSource;
import siemload.query.SearchName;
import siemload.scenario.AnalystGroup;
import siemload.scenario.LoadModel;
import siemload.scenario.Procedure;
import siemload.scenario.Procedure.Transactions;
import siemload.scenario.ResolvedScenario;
import siemload.scenario.Scenario;

/**
 * What does not go together in a run, told before any server is touched: {@code golden/refused-runs.txt} has an example of each rule.
 * Used by one thread.
 */
final class RunRules {
    private static final String REPLAYED = "replay.recording";
    /** Settings that data which are there already leave without a meaning. */
    private static final List<Property<?>> OF_DATASETS =
            List.of(Property.DATASET, Property.AMPLIFY, Property.FORMAT, Property.RELOAD);

    private final RunPlan plan;
    private final Settings settings;
    private final ResolvedScenario resolved;
    private final Scenario scenario;
    private final TargetChoice choice;
    private final Problems problems = new Problems();

    private RunRules(RunPlan plan) {
        this.plan = plan;
        this.settings = plan.settings();
        this.resolved = plan.resolved();
        this.scenario = plan.scenario();
        this.choice = plan.choice();
    }

    /** The rules that do not depend on the data set. @throws siemload.config.ConfigException with what is wrong */
    static void beforeData(RunPlan plan) {
        RunRules rules = new RunRules(plan);
        rules.caches();
        rules.transactions();
        rules.existingData();
        rules.writingStatements();
    }

    /** The others. @throws siemload.config.ConfigException with what is wrong */
    static void withData(RunPlan plan) {
        RunRules rules = new RunRules(plan);
        rules.searchedValues();
        rules.retention();
        rules.trends();
        rules.servers();
        rules.replicas();
        rules.injectors();
    }

    /** Settings, or values of a scenario, but those of data sets, which data that are there already are not. */
    static List<Setting> withoutDataset(List<Setting> all) {
        return Setting.without(OF_DATASETS, all);
    }

    private void refuse(Property<?> property, String why) {
        problems.add(settings.origin(property), why);
    }

    /** @param place the beginning, or the end, of the place in the scenario */
    private Origin inScenario(String place) {
        return resolved.origin(path -> path.startsWith(place) || path.endsWith(place));
    }

    private void caches() {
        if (!plan.isProcedure()
                && settings.find(Property.CACHES)
                        .filter(state -> !state.equals("asFound"))
                        .isPresent()) {
            refuse(
                    Property.CACHES,
                    "is for procedures, whose steps find them in this state: a load fills them within seconds (leave it out)");
        }
        problems.throwIfAny();
    }

    private void transactions() {
        Optional<Transactions> asked = scenario.procedure().flatMap(Procedure::transactions);
        if (asked.isEmpty()) {
            return;
        }
        choice.refusal(
                        Offer.TRANSACTIONS,
                        "target %s has no transactions of own statements, which this procedure needs (allowed: %s)")
                .ifPresent(why -> refuse(Property.TARGET, why));
        if (asked.flatMap(Transactions::crash).isPresent() && choice.provision() != Provision.EMBEDDED) {
            problems.add(
                    resolved.origin("procedure.crash"),
                    "is for provision=embedded, whose server siemload may kill, but it is "
                            + choice.provision().label() + " (leave one out)");
        }
        if (choice.provision() == Provision.EXTERNAL && !settings.value(Property.ALLOW_WRITES)) {
            problems.add(
                    resolved.origin("procedure.setup[0]"),
                    "has the server execute statements of this file, in a database that the run makes (say that you allow it"
                            + " by -DallowWrites=true)");
        }
        problems.throwIfAny();
    }

    /** Statements, and layouts without loading, ask data that are there already, and nothing else does. */
    private void existingData() {
        boolean existing = plan.asksExisting();
        boolean statements = plan.asksStatements();
        boolean layout = choice.isForSearchesAlone();
        if (statements) {
            choice.refusal(Offer.STATEMENTS, "target %s cannot be asked statements yet (allowed: %s)")
                    .ifPresent(why -> refuse(Property.TARGET, why));
            problems.throwIfAny();
        }
        if (existing && !statements && !layout) {
            refuse(
                    Property.DATA,
                    "existing is for the statements of a scenario, or for searches by a layout without loading, but "
                            + scenario.name()
                            + " searches for events by the layout "
                            + choice.variant().layout()
                            + ", which are in no data but siemload's own (write statements: {name: {sql: SELECT ...}}"
                            + " into the scenario, give a -Dlayout with loading: none, or leave this out)");
        }
        if (statements && !existing) {
            problems.add(
                    resolved.origin(path -> path.startsWith("statements.") || path.startsWith("replay.")),
                    "the statements of " + scenario.name() + " ask data that are there already (say so by"
                            + " -Ddata=existing, and where by -Durl)");
        }
        if (layout && !existing) {
            refuse(
                    Property.LAYOUT,
                    "the layout " + choice.variant().layout()
                            + " has loading: none, so that it searches data that are there already and no others (say so"
                            + " by -Ddata=existing, and where by -Durl)");
        }
        problems.throwIfAny();
        if (existing) {
            if (choice.provision() != Provision.EXTERNAL) {
                refuse(Property.DATA, "existing data are in a database of yours (say where it is by -Durl)");
            }
            if (!statements) {
                searchesOfExistingEvents();
            }
            problems.throwIfAny();
        }
    }

    /** What a scenario can do to events but search them, and what is said of events that siemload would make. */
    private void searchesOfExistingEvents() {
        if (plan.isProcedure()) {
            problems.add(
                    inScenario("procedure."),
                    "the steps of a procedure need siemload's own events (allowed with existing data: analysts)");
        }
        if (scenario.feeder().isOn()) {
            problems.add(
                    inScenario("feeder."),
                    "nothing is fed into data that are there already (leave the feeder out, or give -Deps=0)");
        }
        if (scenario.retention().isPresent()) {
            problems.add(
                    inScenario("retention.after"),
                    "nothing is removed from data that are there already (leave retention out)");
        }
        if (plan.storesTrends()) {
            problems.add(
                    inScenario(".trend"),
                    "nothing is stored beside data that are there already (leave the groups with a trend out)");
        }
        settings.refuseGiven(
                OF_DATASETS,
                "means nothing to data that are there already, which are as they are (leave it out)",
                problems);
    }

    private void writingStatements() {
        boolean allowed = settings.value(Property.ALLOW_WRITES);
        boolean replays = scenario.replays();
        boolean sets = scenario.procedure().flatMap(Procedure::transactions).isPresent();
        if (allowed && scenario.writing().isEmpty() && !sets) {
            refuse(
                    Property.ALLOW_WRITES,
                    "no statement of " + scenario.name() + " writes (leave this out, or "
                            + (replays
                                    ? "take those that do by learn-queries --replay --writes)"
                                    : "mark those that do by writes: true in the scenario)"));
        }
        Optional<String> refusal =
                choice.refusal(Offer.WRITING_STATEMENTS, "target %s cannot be asked for (allowed: %s)");
        for (SearchName name : scenario.writing()) {
            Origin origin = resolved.origin(replays ? REPLAYED : "statements." + name + ".writes");
            if (refusal.isPresent()) {
                problems.add(origin, name + " writes, which " + refusal.get());
            } else if (!allowed) {
                problems.add(
                        origin,
                        name + " writes, and what it writes stays (say that it may by -DallowWrites=true"
                                + (replays ? ", or leave it out of the replay by without: [" + name + "])" : ")"));
            }
        }
        problems.throwIfAny();
    }

    /** Values by a name are those of the data set: another one may have others, or none. */
    private void searchedValues() {
        Map<String, ?> known = plan.source().searched();
        scenario.procedure()
                .flatMap(Procedure::asked)
                .map(Procedure.Asked::searched)
                .filter(wanted -> !wanted.equals(EventSource.DRAWN) && !known.containsKey(wanted))
                .ifPresent(wanted -> problems.add(
                        resolved.origin("procedure.searched"),
                        "data set " + plan.source().name() + " has no values with the name '" + wanted + "' (it has "
                                + (known.isEmpty() ? "none" : String.join(", ", known.keySet()))
                                + "; searched=" + EventSource.DRAWN + " draws values that occur in it)"));
        problems.throwIfAny();
    }

    private void retention() {
        if (scenario.retention().isEmpty()) {
            return;
        }
        Origin origin = resolved.origin("retention.after");
        choice.refusal(
                        Offer.DAY_REMOVAL,
                        "target %s removes no days while others search (allowed: %s; or leave retention out)")
                .ifPresent(why -> problems.add(origin, why));
        problems.throwIfAny();
        if (!plan.oldestDay().until().isBefore(plan.source().until())) {
            problems.add(
                    origin,
                    "the data set " + plan.source().name()
                            + " has no other day than its first one, which new events belong to"
                            + " (give one of several days)");
        }
        problems.throwIfAny();
    }

    private void trends() {
        if (plan.storesTrends()) {
            choice.refusal(
                            Offer.TRENDS,
                            "target %s stores no trends (allowed: %s; or leave the groups with a trend out)")
                    .ifPresent(why -> problems.add(inScenario(".trend"), why));
            problems.throwIfAny();
        }
    }

    private void servers() {
        Provision provision = choice.provision();
        if (plan.servers() > 1 && provision != Provision.EMBEDDED) {
            problems.add(
                    resolved.origin("procedure.servers"),
                    "procedure.servers: " + plan.servers()
                            + " servers were asked for, but siemload starts several embedded ones only, and it is provision="
                            + provision.label() + " (give 1)");
        }
        problems.throwIfAny();
    }

    private void replicas() {
        if (!plan.readUrls().isEmpty()) {
            againstReplicas()
                    .ifPresent(why ->
                            refuse(Property.READ_URLS, "replicas cannot answer the searches of this run: " + why));
        }
        problems.throwIfAny();
    }

    private Optional<String> againstReplicas() {
        if (plan.isProcedure()) {
            return Optional.of("scenario " + scenario.name()
                    + " is a procedure, which works with the server of url alone (leave readUrls out)");
        }
        if (plan.asksExisting()) {
            return Optional.of(
                    "it asks existing data at url alone (give the url of a replica as url, and leave readUrls out)");
        }
        Optional<String> refusal = choice.refusal(
                Offer.REPLICAS, "target %s is searched at url alone (allowed: %s; or leave readUrls out)");
        if (refusal.isPresent()) {
            return refusal;
        }
        if (settings.find(Property.URL).stream().anyMatch(plan.readUrls()::contains)) {
            return Optional.of("readUrls has the url of the primary, which takes writes (leave it out of readUrls)");
        }
        return scenario.analysts().stream()
                .filter(AnalystGroup::storesTrend)
                .findFirst()
                .map(group -> "the tasks of group " + group.name()
                        + " store trends, but a replica takes no writes (leave them out: --set analysts."
                        + group.name()
                        + ".tasks=0)");
    }

    private void injectors() {
        if (plan.isInjected()) {
            againstInjectors()
                    .ifPresent(why ->
                            refuse(Property.INJECTORS, plan.injectors() + " injectors cannot make this load: " + why));
        } else if (plan.injectors() == 1 && settings.find(Property.VIA).isPresent()) {
            refuse(Property.VIA, "starts injectors, but there are none (give -Dinjectors=2 or more, or leave it out)");
        }
        problems.throwIfAny();
    }

    private Optional<String> againstInjectors() {
        if (plan.isProcedure()) {
            return Optional.of(
                    "scenario " + scenario.name() + " is a procedure, which one process follows (leave injectors out)");
        }
        if (plan.asksExisting()) {
            return Optional.of("scenario " + scenario.name() + " asks "
                    + (plan.asksStatements() ? "statements of " : "")
                    + "existing data, which one process does (leave injectors out)");
        }
        Optional<String> refusal = choice.refusal(
                Offer.SHARED_STORES,
                "on target %s only one process can work on the store of a run (allowed: %s; or leave injectors out)");
        if (refusal.isPresent()) {
            return refusal;
        }
        if (scenario.retention().isPresent()) {
            return Optional.of(
                    "retention drops a day by one of them, and the others could not tell right answers (leave"
                            + " retention or injectors out)");
        }
        return scenario.analysts().stream()
                .filter(group -> group.load() instanceof LoadModel.Scheduled)
                .findFirst()
                .map(group -> "the tasks of group " + group.name()
                        + " go by the clock of one process (leave the group or injectors out)")
                .or(this::tooFewForInjectors);
    }

    /** One without users would wait for the end, and tell nothing. */
    private Optional<String> tooFewForInjectors() {
        boolean arrive = scenario.analysts().stream().anyMatch(group -> group.load() instanceof LoadModel.Open);
        int most = scenario.analysts().stream()
                .mapToInt(group -> group.load().defaultWorkers())
                .max()
                .orElse(0);
        if (!arrive && most < plan.injectors()) {
            return Optional.of("its largest group has " + most + " users, so that some would have none (allowed: 1 to "
                    + Math.max(1, most) + ", or more -Dusers)");
        }
        int workers = plan.workers();
        return workers < plan.injectors()
                ? Optional.of("there are " + workers + " -Dworkers, so that some would have none (allowed: 1 to "
                        + workers + ")")
                : Optional.empty();
    }
}
