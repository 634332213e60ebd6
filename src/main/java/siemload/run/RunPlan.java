package siemload.run;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import siemload.config.Choices;
import siemload.config.ConfigException;
import siemload.config.Origin;
import siemload.config.Problems;
import siemload.config.Property;
import siemload.config.Setting;
import siemload.config.Settings;
import siemload.config.UrlForm;
import siemload.database.Hint;
import siemload.database.IndexSet;
import siemload.database.LayoutFolder;
import siemload.database.Partitions;
import siemload.database.Provision;
import siemload.database.TargetPlugin;
import siemload.database.TargetPlugin.Abilities;
import siemload.database.TargetPlugin.Offer;
import siemload.database.TargetPlugin.OwnLayouts;
import siemload.database.Variant;
import siemload.dataset.Datasets;
import siemload.dataset.EventSource;
import siemload.dataset.ExistingData;
import siemload.dataset.ValuePools;
import siemload.query.PageClass;
import siemload.query.Paging;
import siemload.query.Search;
import siemload.query.SearchName;
import siemload.query.Window;
import siemload.results.RunResult.TargetRecord;
import siemload.run.LoadRun.ReadRouting;
import siemload.run.LoadRun.Shard;
import siemload.scenario.AnalystGroup;
import siemload.scenario.LoadModel;
import siemload.scenario.Procedure;
import siemload.scenario.Procedure.CacheState;
import siemload.scenario.Procedure.Transactions;
import siemload.scenario.Scenario;
import siemload.scenario.Scenario.Phases;
import siemload.scenario.ScenarioReader;
import siemload.scenario.SearchDraw;
import siemload.scenario.StatementPlan;

/**
 * The plan of a run: everything that is decided before a server is contacted. Immutable.
 *
 * @param settings the user's settings
 * @param scenario the scenario after all overrides
 * @param choice the target and its variant
 * @param source the data set
 * @param shard the part of the load that this process makes
 */
public record RunPlan(Settings settings, Scenario scenario, TargetChoice choice, EventSource source, Shard shard) {
    /** Settings about directories and output do not affect measurements. */
    private static final Set<String> WITHOUT_EFFECT = Set.of(
            Property.RESULTS.name(),
            Property.CACHE.name(),
            Property.YES.name(),
            Property.DETAILS.name(),
            Property.VERBOSE.name(),
            Property.FAIL_ON.name());

    /** Settings without a meaning for existing data. */
    private static final List<Property<?>> OF_DATASETS =
            List.of(Property.DATASET, Property.AMPLIFY, Property.FORMAT, Property.RELOAD);

    /** Connections in addition to those of the workers and the feeder: for loading, copying, checking, probing and counting. */
    static final int OTHER_CONNECTIONS = 9;

    /** Connections to existing data in addition to those of the workers: two for counters, and one for all other queries. */
    private static final int OTHERS_TO_EXISTING_DATA = 3;

    /**
     * Reads the scenario and the data set that the settings name.
     *
     * @param home the directory with scenarios/ and datasets/
     * @param status shows the current step if reading takes long
     * @throws ConfigException with all problems of the first of these that has any: target, scenario, data set
     */
    public static RunPlan read(Settings settings, Path home, Consumer<String> status) {
        TargetChoice choice = TargetChoice.of(settings);
        Scenario scenario = ScenarioReader.read(home, settings);
        RunPlan draft = new RunPlan(settings, scenario, choice, new ExistingData(), Shard.WHOLE);
        draft.new Rules().beforeData();
        boolean existing = draft.asksExisting();
        EventSource source = existing ? draft.source() : Datasets.open(home, scenario.dataset(), settings, status);
        RunPlan plan = new RunPlan(settings, scenario, choice, source, Shard.WHOLE);
        plan.new Rules().withData();
        return plan;
    }

    /** Returns whether the run is a procedure, without a load. */
    public boolean isProcedure() {
        return scenario().procedure().isPresent();
    }

    /** Returns whether users execute statements on existing data, instead of searching for events of a data set. */
    public boolean asksStatements() {
        return !scenario().statements().isEmpty();
    }

    /** Returns the word for the requests of users: statements or searches. */
    public String asked() {
        return asksStatements() ? "statements" : "searches";
    }

    /** Returns whether existing data are used, by statements or by searches. */
    public boolean asksExisting() {
        return settings.value(Property.DATA).equals("existing");
    }

    /** Returns the settings that have a meaning for the run, in order: statements have no layout, existing data no data set. */
    public List<Setting> meaningfulSettings() {
        List<Setting> all = asksStatements() ? ScenarioReader.settingsOfStatements(settings) : settings.list();
        return asksExisting() ? Setting.without(OF_DATASETS, all) : all;
    }

    /** Returns the values of the scenario that have a meaning for the run: existing data have no data set. */
    public List<Setting> values() {
        return asksExisting() ? Setting.without(OF_DATASETS, scenario.values()) : scenario.values();
    }

    /** Returns the length of the load with its warm-up, in seconds; empty for a procedure, whose length depends on the database. */
    public OptionalDouble expectedSeconds() {
        Phases phases = scenario().phases();
        double seconds =
                phases.warmup().toSeconds() + (double) phases.measurement().toSeconds();
        return isProcedure() ? OptionalDouble.empty() : OptionalDouble.of(seconds);
    }

    /** Returns a draw of values for searches, from the data set, and for statements, from their own values. */
    SearchDraw searchDraw(ValuePools pools, List<StatementPlan> statements) {
        return new SearchDraw(pools, source, scenario.catalog(), statements);
    }

    /**
     * Returns everything that determines what is searched and how, by the names of settings and the paths of values. Compared runs must
     * agree in all this, except for the intended difference.
     */
    public Map<String, String> described() {
        Map<String, String> values = new TreeMap<>();
        for (Setting setting : meaningfulSettings()) {
            if (!WITHOUT_EFFECT.contains(setting.name())) {
                values.put(setting.name(), setting.shown());
            }
        }
        values().forEach(setting -> values.put(setting.name(), setting.value()));
        values.put("name", scenario().name());
        values.put("description", scenario().description());
        values.put("workers", Integer.toString(workers()));
        values.putAll(variantRecord().parts());
        return values;
    }

    /** Returns the names of the users' searches, sorted; none for a procedure. */
    public List<String> searches() {
        return scenario().analysts().stream()
                .flatMap(group -> group.searched().mix().weights().entrySet().stream())
                .filter(search -> search.getValue() > 0)
                .map(search -> search.getKey().name())
                .distinct()
                .sorted()
                .toList();
    }

    /** Returns whether the run begins without the events of the data set, since the run loads them itself. */
    boolean startsEmpty() {
        return scenario().procedure().filter(Procedure::startsEmpty).isPresent();
    }

    /** Returns whether tasks make the database store trends. */
    boolean storesTrends() {
        return scenario().analysts().stream().anyMatch(AnalystGroup::storesTrend);
    }

    /** Returns how many servers the run uses. */
    int servers() {
        return scenario().procedure().map(Procedure::servers).orElse(1);
    }

    /** Returns whether stored data change: events are added or removed during searches, trends are stored, or the procedure writes. */
    boolean writes() {
        return scenario()
                .procedure()
                .map(Procedure::writes)
                .orElse(scenario().feeder().isOn() || scenario().retention().isPresent() || storesTrends());
    }

    /**
     * Returns the times of the events that the run writes: after the data set, and also within it if the run starts without events. The
     * length of the run is a generous estimate; a procedure counts as a day.
     */
    Window writtenTimes() {
        Instant from = startsEmpty() ? source.first() : source.until();
        Duration load =
                Duration.ofSeconds(2 * (long) expectedSeconds().orElse(0)).plusHours(1);
        return new Window(from, source.until().plus(isProcedure() ? Duration.ofDays(1) : load));
    }

    /** Returns the first day of the data set, which retention removes, from midnight to midnight in UTC. */
    public Window oldestDay() {
        Instant midnight = source.first().truncatedTo(ChronoUnit.DAYS);
        return new Window(midnight, midnight.plus(Duration.ofDays(1)));
    }

    /** Estimates how many bytes a procedure creates in its store instead of events; empty if the procedure stores events. */
    Optional<Long> bytesOfSetup() {
        return scenario().procedure().flatMap(Procedure::transactions).map(Transactions::bytes);
    }

    /** Returns the variant of the target. */
    public Variant variant() {
        return choice.variant();
    }

    /** Returns the variant in the form that results have. */
    TargetRecord.VariantRecord variantRecord() {
        Variant variant = variant();
        return asksStatements()
                ? TargetRecord.VariantRecord.NONE
                : new TargetRecord.VariantRecord(
                        variant.layout(),
                        variant.partitions().label(),
                        variant.indexes().label(),
                        variant.hint().label(),
                        variant.paging().label());
    }

    /** Returns this plan with events about which more is known now. */
    RunPlan on(EventSource known) {
        return new RunPlan(settings, scenario, choice, known, shard);
    }

    /** Returns this plan for another variant of the target. */
    RunPlan with(Variant other) {
        return new RunPlan(settings, scenario, new TargetChoice(choice.plugin, other, choice.provision), source, shard);
    }

    /** Returns this plan for a process that makes a part of the load. */
    public RunPlan with(Shard part) {
        return new RunPlan(settings, scenario, choice, source, part);
    }

    /**
     * Returns the number of workers: by default one for each closed-load user of this process, and further users queue. The workers of a
     * run are divided among its shards like its users.
     */
    public int workers() {
        return settings.find(Property.WORKERS).map(shard::of).orElseGet(this::users);
    }

    /** Returns the urls of the replicas that answer the searches; none if the run's own server answers them. */
    public List<String> readUrls() {
        return settings.find(Property.READ_URLS).orElse(List.of());
    }

    /** Returns the assignment of users to replicas. */
    public ReadRouting routing() {
        return new ReadRouting(scenario().analysts(), Math.max(1, readUrls().size()));
    }

    /**
     * Returns how many of the {@link #workers} of this process search on a replica; without replicas, all of them.
     *
     * @param replica the replica's index, from 0
     */
    public int workers(int replica) {
        return readUrls().isEmpty()
                ? workers()
                : routing()
                        .workers(shard, replica, settings.find(Property.WORKERS).orElse(0));
    }

    /** Returns how many users of this process may search at once, estimated for an open load. A procedure has one, or one for each item. */
    int users() {
        int analysts = scenario().analysts().stream()
                .mapToInt(group -> shard.of(group.load().defaultWorkers()))
                .sum();
        return scenario().procedure().map(Procedure::searchers).orElse(analysts);
    }

    /** Returns the state of the caches that a procedure asks for before its reads; a load fills the caches in any case. */
    CacheState caches() {
        return scenario().procedure().map(Procedure::caches).orElse(CacheState.AS_FOUND);
    }

    /** Returns how many connections the server must accept at once. */
    int sessions() {
        int searching =
                readUrls().isEmpty() ? workers() + cursors() : readUrls().size();
        if (asksExisting()) {
            return searching + OTHERS_TO_EXISTING_DATA;
        }
        int feeders = scenario()
                .procedure()
                .map(Procedure::connections)
                .orElse(scenario().feeder().connections());
        int beside = isInjected() ? injectors() : 0;
        return searching + Math.max(feeders, beside) + OTHER_CONNECTIONS * (1 + beside);
    }

    /** Returns how many connections users may keep from page to page. */
    int cursors() {
        return variant().paging() == Paging.CURSOR ? users() : 0;
    }

    /** Returns how many processes generate the load. */
    public int injectors() {
        return settings.value(Property.INJECTORS);
    }

    /** Returns whether injectors generate the load, and this process coordinates the injectors. */
    public boolean isInjected() {
        return injectors() > 1 && shard.isWhole();
    }

    /** Returns parameters of the server, or of sessions there, which are only for this run. */
    Map<String, String> parameters() {
        return settings.find(Property.PARAMETERS)
                .<Map<String, String>>map(given -> given)
                .orElse(Map.of());
    }

    /** Returns the time limit of a search. */
    public Duration searchTimeout() {
        return settings.value(Property.TIMEOUT);
    }

    /** Returns the seed of all random numbers. */
    public long seed() {
        return settings.value(Property.SEED);
    }

    Path cache() {
        return settings.value(Property.CACHE).toAbsolutePath();
    }

    /** Returns the exception for a wrong setting. */
    ConfigException refusal(Property<?> property, String why) {
        return new ConfigException(settings.origin(property), why);
    }

    /** @throws ConfigException if {@code holds} is true */
    void refuseIf(boolean holds, Property<?> property, String why) {
        if (holds) {
            throw refusal(property, why);
        }
    }

    /**
     * The rules for runs that do not depend on a server: {@code golden/refused-runs.txt} has an example of each. Each rule has the
     * condition under which it is broken, the place, and the message. Used by one thread.
     */
    private final class Rules {
        private final Scenario scenario = scenario();
        private final String name = scenario.name();
        private final Optional<Transactions> transactions = scenario.procedure().flatMap(Procedure::transactions);
        private final Provision provision = choice.provision();
        private final boolean removes = scenario.retention().isPresent();
        private final boolean existing = asksExisting();
        private final boolean statements = asksStatements();
        private final Problems problems = new Problems();

        private void refuse(boolean broken, Property<?> property, String why) {
            refuse(broken, settings.origin(property), why);
        }

        private void refuse(boolean broken, Origin origin, String why) {
            if (broken) {
                problems.add(origin, why);
            }
        }

        /** @param place the beginning or the end of a path in the scenario */
        private Origin at(String place) {
            return scenario.origin(path -> path.startsWith(place) || path.endsWith(place));
        }

        /** @param what the needed ability, in words */
        private void require(boolean needed, Offer offer, Origin origin, String what) {
            String names = TargetPlugin.names(one -> one.offers(offer));
            String why = "target " + choice.plugin().id() + " does not offer " + what + " (allowed: " + names + ")";
            refuse(needed && !choice.plugin().offers(offer), origin, why);
        }

        /** Applies the rules that do not depend on the data set. @throws ConfigException with all broken rules */
        void beforeData() {
            Origin target = settings.origin(Property.TARGET);
            require(transactions.isPresent(), Offer.TRANSACTIONS, target, "transactions of your own statements");
            boolean crashes = transactions.flatMap(Transactions::crash).isPresent();
            String killed = "needs provision=embedded to kill the server, but provision is " + provision.label();
            refuse(crashes && provision != Provision.EMBEDDED, at("procedure.crash"), killed + " (remove one)");
            boolean allowed = settings.value(Property.ALLOW_WRITES);
            String executes = "makes the server execute this file's statements, in a database that the run creates"
                    + " (to allow it, set -DallowWrites=true)";
            boolean elsewhere = provision == Provision.EXTERNAL;
            refuse(transactions.isPresent() && elsewhere && !allowed, at("procedure.setup[0]"), executes);
            existingData(target);
            writingStatements(allowed);
            problems.throwIfAny();
        }

        /** Statements, and layouts without loading, need existing data; no other run may use existing data. */
        private void existingData(Origin target) {
            boolean layout = choice.isForSearchesAlone();
            String sayIt = " existing data (set -Ddata=existing, and give the url: -Durl)";
            require(statements, Offer.STATEMENTS, target, "statements of a scenario");
            String label = "the layout " + choice.variant().layout();
            String none = "existing needs statements in the scenario, or a -Dlayout with loading: none, but " + name
                    + " searches with " + label + " (give one of them, or leave this out)";
            refuse(existing && !statements && !layout, Property.DATA, none);
            Origin place = scenario.origin(path -> path.startsWith("statements.") || path.startsWith("replay."));
            refuse(statements && !existing, place, "the statements of " + name + " need" + sayIt);
            refuse(layout && !existing, Property.LAYOUT, label + " has loading: none, so it searches" + sayIt);
            String where = "existing data are in your own database (give its url: -Durl)";
            refuse(existing && provision != Provision.EXTERNAL, Property.DATA, where);
            // The message for parts of a scenario that need a data set.
            String why = "has no meaning for existing data (remove it; to remove a feeder, -Deps=0 is enough)";
            boolean searches = existing && !statements;
            refuse(searches && isProcedure(), at("procedure."), why);
            refuse(searches && scenario.feeder().isOn(), at("feeder."), why);
            refuse(searches && removes, at("retention.after"), why);
            refuse(searches && storesTrends(), at(".trend"), why);
            if (searches) {
                settings.refuseGiven(OF_DATASETS, why, problems);
            }
        }

        private void writingStatements(boolean allowed) {
            boolean replays = scenario.replays();
            boolean none = scenario.writing().isEmpty() && transactions.isEmpty();
            String mark = replays
                    ? "take writing statements with learn-queries --replay --writes"
                    : "set writes: true for a statement that does";
            String why = "no statement of " + name + " writes (leave this out, or " + mark + ")";
            refuse(allowed && none, Property.ALLOW_WRITES, why);
            for (SearchName writing : scenario.writing()) {
                Origin place = scenario.origin(
                        Predicate.isEqual(replays ? "replay.recording" : "statements." + writing + ".writes"));
                String leave = replays ? ", or remove it from the replay: without: [" + writing + "])" : ")";
                String stays = writing + " writes, and its changes stay (to allow it, set -DallowWrites=true";
                refuse(!allowed, place, stays + leave);
            }
        }

        /** Applies the rules that need the data set. @throws ConfigException with all broken rules */
        void withData() {
            String data = "data set " + source.name();
            // Named values belong to a data set: another data set may have other named values, or none.
            Map<String, ?> known = source.searched();
            String drawn = EventSource.DRAWN;
            String wanted = scenario.procedure()
                    .flatMap(Procedure::asked)
                    .map(Procedure.Asked::searched)
                    .orElse(drawn);
            String names = known.isEmpty() ? "none" : String.join(", ", known.keySet());
            String unknown = data + " has no values with the name '" + wanted + "' (it has " + names + "; searched="
                    + drawn + " draws values that occur in it)";
            refuse(!wanted.equals(drawn) && !known.containsKey(wanted), at("procedure.searched"), unknown);
            require(removes, Offer.DAY_REMOVAL, at("retention.after"), "removal of days");
            boolean oneDay = !oldestDay().until().isBefore(source.until());
            String first = data + " has only one day, which new events belong to (give a data set of several days)";
            refuse(removes && oneDay, at("retention.after"), first);
            require(storesTrends(), Offer.TRENDS, at(".trend"), "trends");
            String several = "procedure.servers: several servers need provision=embedded, not " + provision.label();
            refuse(servers() > 1 && provision != Provision.EMBEDDED, at("procedure.servers"), several + " (give 1)");
            Property<?> urls = Property.READ_URLS;
            boolean replicas = !readUrls().isEmpty();
            String told = "replicas do not work with procedures, existing data or trends (remove one)";
            refuse(replicas && (isProcedure() || existing || storesTrends()), urls, told);
            require(replicas, Offer.REPLICAS, settings.origin(urls), "replicas");
            boolean primary = settings.find(Property.URL).stream().anyMatch(readUrls()::contains);
            refuse(primary, urls, "has the url of the primary, which takes writes (remove it here)");
            if (isInjected()) {
                injected();
            }
            boolean viaAlone = injectors() == 1 && settings.find(Property.VIA).isPresent();
            String noInjectors = "starts injectors, but there are none (give -Dinjectors=2, or remove it)";
            refuse(viaAlone, Property.VIA, noInjectors);
            problems.throwIfAny();
        }

        /** Refuses too many injectors: one without users or workers would wait for the end, and report nothing. */
        private void injected() {
            Property<?> injectors = Property.INJECTORS;
            boolean tasks = scenario.analysts().stream().anyMatch(group -> group.load() instanceof LoadModel.Scheduled);
            String told = "injectors do not work with procedures, existing data, retention or tasks (remove one)";
            boolean alone = isProcedure() || existing || removes || tasks;
            refuse(alone, injectors, told);
            require(true, Offer.SHARED_STORES, settings.origin(injectors), "injectors");
            int most = scenario.analysts().stream()
                    .map(AnalystGroup::load)
                    .mapToInt(load -> load instanceof LoadModel.Open ? workers() : load.defaultWorkers())
                    .max()
                    .orElse(0);
            int few = Math.min(most, workers());
            String one = "with " + few + " users in the largest group, or workers, some injectors would have none";
            String allowed = " (allowed: 1 to " + Math.max(1, few) + "; more with -Dusers or -Dworkers)";
            refuse(!alone && few < injectors(), injectors, one + allowed);
        }
    }

    /**
     * The target of a run, and a variant that the target offers. Immutable.
     *
     * @param provision where the target's server comes from
     */
    public record TargetChoice(TargetPlugin plugin, Variant variant, Provision provision) {

        /**
         * Returns the choice that the settings make.
         *
         * @throws ConfigException if the settings name something that the target does not offer
         */
        public static TargetChoice of(Settings settings) {
            String id = settings.value(Property.TARGET);
            Origin target = settings.origin(Property.TARGET);
            Choices<?> known = Choices.names(
                    TargetPlugin.all().stream().map(TargetPlugin::id).toList());
            TargetPlugin plugin = TargetPlugin.find(id)
                    .orElseThrow(() -> new ConfigException(target, "'" + id + "' is unknown (" + known.help(id) + ")"));
            Problems problems = new Problems();
            Optional<LayoutFolder> own = ownLayout(plugin, settings);
            Abilities abilities =
                    own.map(folder -> layouts(plugin, folder).abilities(folder)).orElseGet(plugin::abilities);
            Selection selection = new Selection(id, settings, problems);
            Variant variant = new Variant(
                    own.map(LayoutFolder::label)
                            .orElseGet(() -> selection.choose(Property.LAYOUT, abilities.layouts(), layout -> layout)),
                    selection.choose(Property.PARTITIONS, abilities.partitions(), Partitions::label),
                    selection.choose(Property.INDEXES, abilities.indexSets(), IndexSet::label),
                    selection.choose(Property.HINT, abilities.hints(), Hint::label),
                    selection.choose(Property.PAGING, abilities.pagings(), Paging::label),
                    own);
            Provision provision = selection.choose(Property.PROVISION, abilities.provisions(), Provision::label);
            if (provision != Provision.CONTAINER) {
                // The limits of a container have defaults, so it is known only here whether they are needed.
                settings.refuseGiven(
                        List.of(Property.CONTAINER_MEMORY, Property.CONTAINER_CPUS),
                        "is for provision=container, but provision is " + provision.label() + ": remove one",
                        problems);
            }
            if (provision == Provision.EXTERNAL && settings.find(Property.URL).isEmpty()) {
                problems.add(target, "target " + id + " needs your own server (give its url: -Durl)");
            }
            refuseForeignUrls(plugin, settings, problems);
            problems.throwIfAny();
            plugin.refusal(variant)
                    .ifPresent(why -> problems.add(settings.origin(Property.HINT), "target " + id + ": " + why));
            settings.find(Property.PARAMETERS)
                    .flatMap(parameters -> plugin.refusal(variant, provision, parameters))
                    .ifPresent(why -> problems.add(settings.origin(Property.PARAMETERS), "target " + id + ": " + why));
            problems.throwIfAny();
            return new TargetChoice(plugin, variant, provision);
        }

        /** Refuses urls of other targets, which the driver would refuse only when it connects. */
        private static void refuseForeignUrls(TargetPlugin plugin, Settings settings, Problems problems) {
            List<UrlForm> forms = plugin.urlForms();
            String examples = forms.stream().map(UrlForm::example).distinct().collect(Collectors.joining(" or "));
            Map<Property<?>, List<String>> given = new LinkedHashMap<>();
            given.put(Property.URL, settings.find(Property.URL).stream().toList());
            given.put(Property.READ_URLS, settings.find(Property.READ_URLS).orElse(List.of()));
            given.forEach((property, urls) -> {
                boolean isOwn =
                        urls.stream().allMatch(url -> forms.stream().anyMatch(form -> url.startsWith(form.start())));
                if (!forms.isEmpty() && !isOwn) {
                    String why = "is not a url of target " + plugin.id() + " (write for example " + examples + ")";
                    problems.add(settings.origin(property), why);
                }
            });
        }

        /** Returns the layout if it is given as a folder; the name of one of the target's own layouts never counts as one. */
        private static Optional<LayoutFolder> ownLayout(TargetPlugin plugin, Settings settings) {
            return settings.setting(Property.LAYOUT)
                    .filter(layout -> !plugin.abilities().layouts().contains(layout.value())
                            && LayoutFolder.isMeant(layout.value()))
                    .map(layout -> LayoutFolder.read(layout.value(), layout.origin(), plugin));
        }

        private static OwnLayouts layouts(TargetPlugin plugin, LayoutFolder folder) {
            return plugin.ownLayouts()
                    .orElseThrow(() -> new ConfigException(
                            new Origin.WholeFile(folder.shownAs()),
                            "target " + plugin.id() + " does not accept your own layouts (allowed: layout "
                                    + String.join(", ", plugin.abilities().layouts()) + "; or target "
                                    + TargetPlugin.names(one -> one.ownLayouts().isPresent()) + ")"));
        }

        /** Returns the abilities of the target with this layout. */
        Abilities abilities() {
            return variant.ownLayout()
                    .map(folder -> layouts(plugin, folder).abilities(folder))
                    .orElseGet(plugin::abilities);
        }

        /** Returns whether the layout only describes how to search existing data, and neither loads nor feeds events. */
        boolean isForSearchesAlone() {
            return variant.ownLayout()
                    .filter(folder -> layouts(plugin, folder).isForSearchesAlone(folder))
                    .isPresent();
        }

        /** Returns a function that finds the blocks that a layout only for searches lacks; empty for any other layout. */
        Optional<BiFunction<Search, PageClass, Optional<String>>> missingBlocks() {
            return variant.ownLayout()
                    .filter(folder -> isForSearchesAlone())
                    .map(folder -> layouts(plugin, folder).missing(variant));
        }

        /** Chooses from the offers of a target according to the settings. */
        private record Selection(String target, Settings settings, Problems problems) {

            <T> T choose(Property<?> property, List<T> offered, Function<T, String> label) {
                Optional<Setting> given = settings.given(property);
                Optional<T> chosen = offered.stream()
                        .filter(one -> given.stream()
                                .allMatch(setting -> setting.value().equals(label.apply(one))))
                        .findFirst();
                if (chosen.isEmpty()) {
                    String wanted = given.orElseThrow().value();
                    String help =
                            Choices.names(offered.stream().map(label).toList()).help(wanted);
                    String why = "target " + target + " does not offer '" + wanted + "' (" + help + ")";
                    problems.add(given.orElseThrow().origin(), why);
                }
                return chosen.orElse(offered.get(0));
            }
        }
    }
}
