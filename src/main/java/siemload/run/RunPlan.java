package siemload.run;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.function.Consumer;
import siemload.config.AbortCondition;
import siemload.config.AbortCondition.Figure;
import siemload.config.Choices;
import siemload.config.ConfigException;
import siemload.config.Origin;
import siemload.config.Problems;
import siemload.config.Property;
import siemload.config.Setting;
import siemload.config.Settings;
import siemload.database.Provision;
import siemload.database.Replica.Replication;
import siemload.database.ReplicationReading;
import siemload.database.SearchException;
import siemload.database.Store;
import siemload.database.Store.DatasetKey;
import siemload.database.Store.Trends;
import siemload.database.Target;
import siemload.database.TargetException;
import siemload.database.TargetPlugin.Offer;
import siemload.database.Variant;
import siemload.dataset.Datasets;
import siemload.dataset.EventSource;
import siemload.dataset.ExistingData;
import siemload.dataset.ValuePools;
import siemload.measure.monitor.ReplicationWatch;
import siemload.query.Paging;
import siemload.query.Window;
import siemload.results.TargetRecord;
import siemload.run.DatasetKeys.StoredCopies;
import siemload.run.ExistingDatabase.OtherServers;
import siemload.run.LayoutTrial.LayoutSearches;
import siemload.run.LayoutTrial.RetentionOffer;
import siemload.run.LoadRun.ReadRouting;
import siemload.run.LoadRun.Shard;
import siemload.run.answers.CheckedAnswers;
import siemload.run.answers.SampledAnswer;
import siemload.scenario.AnalystGroup;
import siemload.scenario.CacheState;
import siemload.scenario.LoadModel;
import siemload.scenario.Procedure;
import siemload.scenario.Procedure.Transactions;
import siemload.scenario.ResolvedScenario;
import siemload.scenario.Scenario;
import siemload.scenario.ScenarioReader;
import siemload.scenario.SearchDraw;
import siemload.scenario.StatementDraw;
import siemload.scenario.StatementSettings;

/**
 * Everything that is decided before a server is touched. Immutable.
 *
 * @param settings what the user said
 * @param resolved the scenario after all overrides
 * @param choice the target and its variant
 * @param source the data set
 * @param shard which part of the load this process makes
 */
public record RunPlan(
        Settings settings, ResolvedScenario resolved, TargetChoice choice, EventSource source, Shard shard) {
    /** Connections beside those of workers and feeder: for loading, copying, looking, probing and counting. */
    static final int OTHER_CONNECTIONS = 9;
    /** The times of the events that a procedure writes end this long after the data set at the latest. */
    private static final Duration MOST_OF_PROCEDURE = Duration.ofDays(1);

    /** A run whose load this process makes alone, or has others make. */
    RunPlan(Settings settings, ResolvedScenario resolved, TargetChoice choice, EventSource source) {
        this(settings, resolved, choice, source, Shard.WHOLE);
    }

    /**
     * Reads the scenario and the data set that the settings name.
     *
     * @param home the directory with scenarios/ and datasets/
     * @throws siemload.config.ConfigException with all that is wrong with the first of them that is wrong
     */
    public static RunPlan read(Settings settings, Path home) {
        return read(settings, home, text -> {});
    }

    /** Reads them, and tells what is being done where that takes long. */
    public static RunPlan read(Settings settings, Path home, Consumer<String> status) {
        TargetChoice choice = TargetChoice.of(settings);
        ResolvedScenario resolved = ScenarioReader.read(home, settings);
        TransactionsOffer.require(resolved, choice, settings);
        ExistingOffer.require(resolved, choice, settings);
        ReplicationOffer.require(resolved, choice, settings);
        boolean existing = ExistingOffer.isAskedFor(settings);
        EventSource source = existing
                ? new ExistingData()
                : Datasets.open(home, resolved.scenario().dataset(), settings, status);
        resolved.scenario()
                .procedure()
                .flatMap(Procedure::asked)
                .ifPresent(asked -> requireSearched(asked.searched(), source, resolved));
        RetentionOffer.require(resolved, choice, source);
        TrendOffer.require(resolved, choice);
        ResolvedScenario meant = resolved.on(source);
        RunPlan plan = new RunPlan(
                settings, existing ? meant.with(ExistingOffer.meaningful(meant.values())) : meant, choice, source);
        LayoutSearches.require(plan);
        OtherServers.require(plan);
        ReplicaOffer.require(plan);
        InjectorsOffer.require(plan);
        return plan;
    }

    /** Values by a name are those of the data set: another one may have others, or none. */
    private static void requireSearched(String wanted, EventSource source, ResolvedScenario resolved) {
        if (wanted.equals(EventSource.DRAWN) || source.searched().containsKey(wanted)) {
            return;
        }
        Origin origin = resolved.origin("procedure.searched");
        String known = source.searched().isEmpty()
                ? "none"
                : String.join(", ", source.searched().keySet());
        throw new ConfigException(
                origin,
                "data set " + source.name() + " has no values with the name '" + wanted + "' (it has " + known
                        + "; searched=" + EventSource.DRAWN + " draws values that occur in it)");
    }

    /** What the run does. */
    public Scenario scenario() {
        return resolved.scenario();
    }

    /** Whether one person works step by step, without a load. */
    public boolean isProcedure() {
        return scenario().procedure().isPresent();
    }

    /** Whether users ask statements of data that are there already, in place of searches for events of a data set. */
    public boolean asksStatements() {
        return !scenario().statements().isEmpty();
    }

    /** What its users ask, in the plural. */
    public String asked() {
        return asksStatements() ? "statements" : "searches";
    }

    /** Whether data that are there already are asked, be it by statements or by searches. */
    public boolean asksExisting() {
        return ExistingOffer.isAskedFor(settings);
    }

    /** The settings that mean something to the run, in their order: statements know no layout, and existing data no data set. */
    public List<Setting> meaningfulSettings() {
        List<Setting> all = asksStatements() ? StatementSettings.of(settings) : settings.list();
        return asksExisting() ? ExistingOffer.meaningful(all) : all;
    }

    /** How long the load takes with its warm-up, in seconds; empty for a procedure, whose steps take as long as the database does. */
    public OptionalDouble expectedSeconds() {
        return isProcedure()
                ? OptionalDouble.empty()
                : OptionalDouble.of(scenario().phases().warmup().toSeconds()
                        + (double) scenario().phases().measurement().toSeconds());
    }

    /** Fills in the values of the searches with what the data set holds. */
    public SearchDraw searchDraw(ValuePools pools) {
        return searchDraw(pools, StatementDraw.NONE);
    }

    /** The same where statements may be asked in the place of searches. */
    public SearchDraw searchDraw(ValuePools pools, StatementDraw statements) {
        return new SearchDraw(pools, source, resolved.catalog(), statements);
    }

    /** The names of the searches that users ask, sorted; none for a procedure. */
    public List<String> searches() {
        return scenario().analysts().stream()
                .flatMap(group -> group.searched().mix().weights().entrySet().stream())
                .filter(search -> search.getValue() > 0)
                .map(search -> search.getKey().name())
                .distinct()
                .sorted()
                .toList();
    }

    /** Whether the run begins without the events of the data set, since it loads them itself. */
    boolean startsEmpty() {
        return scenario().procedure().filter(Procedure::startsEmpty).isPresent();
    }

    /** Whether anything of what is stored changes: events come or go beside the searches, or are summed up, or the procedure writes. */
    boolean writes() {
        return scenario()
                .procedure()
                .map(Procedure::writes)
                .orElse(scenario().feeder().isOn()
                        || scenario().retention().isPresent()
                        || TrendOffer.isIn(scenario()));
    }

    /**
     * The times of the events that the run writes, by a generous estimate of how long it takes: those that follow the data set, and
     * those of the data set where it starts without them.
     */
    Window writtenTimes() {
        Instant from = startsEmpty() ? source.first() : source.until();
        Duration atMost = expectedSeconds().isPresent()
                ? Duration.ofSeconds(2 * (long) expectedSeconds().orElseThrow()).plusHours(1)
                : MOST_OF_PROCEDURE;
        return new Window(from, source.until().plus(atMost));
    }

    /** The first day of the data set, from midnight to midnight in UTC: what retention removes. */
    public Window oldestDay() {
        return RetentionOffer.firstDay(source);
    }

    /** How often the run stores the events of the data set on a target as it is now. */
    StoredCopies copies(Target target, DatasetKey key) {
        return new StoredCopies(!startsEmpty() && !target.holds(key), writes() || !target.readsInPlace(key));
    }

    /** What one copy of the data set takes on the target, about, in bytes. */
    long bytesOfCopy() {
        return source.count() * choice.plugin().abilities().bytesPerEvent();
    }

    /** What a procedure makes in its store in place of events, about, in bytes; empty where it stores events. */
    OptionalLong bytesOfSetup() {
        return scenario()
                .procedure()
                .flatMap(Procedure::transactions)
                .map(transactions -> OptionalLong.of(transactions.bytes()))
                .orElseGet(OptionalLong::empty);
    }

    /** Which variant of the target. */
    public Variant variant() {
        return choice.variant();
    }

    /** The variant as results have it. */
    TargetRecord.VariantRecord variantRecord() {
        Variant variant = variant();
        if (asksStatements()) {
            return TargetRecord.VariantRecord.NONE;
        }
        return new TargetRecord.VariantRecord(
                variant.layout(),
                variant.partitions().label(),
                variant.indexes().label(),
                variant.hint().label(),
                variant.paging().label());
    }

    /** The same run over events of which more is known now. */
    RunPlan on(EventSource known) {
        return new RunPlan(settings, resolved, choice, known, shard);
    }

    /** The same run, of whose load this process makes a part. */
    public RunPlan with(Shard part) {
        return new RunPlan(settings, resolved, choice, source, part);
    }

    /**
     * One worker for each closed user of this process, unless the settings say otherwise; more users than that queue. So many of
     * a run are shared out among its shards like its users.
     */
    public int workers() {
        return settings.find(Property.WORKERS).map(shard::of).orElseGet(this::users);
    }

    /** Where the replicas are that answer the searches; none where the server of the run does. */
    public List<String> readUrls() {
        return settings.find(Property.READ_URLS).orElse(List.of());
    }

    /** Who searches where. */
    public ReadRouting routing() {
        return new ReadRouting(scenario().analysts(), Math.max(1, readUrls().size()));
    }

    /**
     * How many of the {@link #workers} of this process search on a replica; all of them where there is none.
     *
     * @param replica its index, from 0
     */
    public int workers(int replica) {
        return readUrls().isEmpty()
                ? workers()
                : routing()
                        .workers(shard, replica, settings.find(Property.WORKERS).orElse(0));
    }

    /** How many users of this process may search at once; for an open load, about as many. A procedure is followed by one. */
    int users() {
        return scenario().procedure().map(Procedure::searchers).orElseGet(this::analysts);
    }

    private int analysts() {
        return scenario().analysts().stream()
                .mapToInt(group -> shard.of(group.load().defaultWorkers()))
                .sum();
    }

    /** The state of the caches that the run asks for: a procedure before each step, analysts before the load. */
    CacheState caches() {
        return scenario()
                .procedure()
                .map(Procedure::caches)
                .orElseGet(() -> settings.find(Property.CACHES)
                        .flatMap(Choices.camelCase(CacheState.class)::find)
                        .orElse(CacheState.AS_FOUND));
    }

    /** How many connections the server must accept at once. */
    int sessions() {
        int searching =
                readUrls().isEmpty() ? workers() + cursors() : readUrls().size();
        int feeders = scenario()
                .procedure()
                .map(Procedure::connections)
                .orElse(scenario().feeder().connections());
        int watching = ReplicationOffer.isAsked(settings) ? 1 : 0;
        return searching + watching + Math.max(feeders, processes()) + OTHER_CONNECTIONS * (1 + processes());
    }

    /** How many connections users may hold from page to page. */
    int cursors() {
        return variant().paging() == Paging.CURSOR ? users() : 0;
    }

    /** How many injectors are beside this process; 0 where it makes the load itself, or is one of them. */
    private int processes() {
        return isInjected() ? injectors() : 0;
    }

    /** How many processes make the load. */
    public int injectors() {
        return settings.value(Property.INJECTORS);
    }

    /** Whether others make the load, and this process coordinates them. */
    public boolean isInjected() {
        return injectors() > 1 && shard.isWhole();
    }

    /** Parameters of the server itself, for this run alone. */
    Map<String, String> parameters() {
        return settings.find(Property.PARAMETERS)
                .<Map<String, String>>map(given -> given)
                .orElse(Map.of());
    }

    /** When a search is given up. */
    public Duration searchTimeout() {
        return settings.value(Property.TIMEOUT);
    }

    /** The seed of everything drawn by chance. */
    public long seed() {
        return settings.value(Property.SEED);
    }

    Path cache() {
        return settings.value(Property.CACHE).toAbsolutePath();
    }

    /** Whether a target has what a procedure of transactions needs, before any server is touched. Stateless. */
    private static final class TransactionsOffer {
        private TransactionsOffer() {}

        /** @throws siemload.config.ConfigException if the target has no transactions, or nobody may do so on its server */
        static void require(ResolvedScenario resolved, TargetChoice choice, Settings settings) {
            Transactions transactions = resolved.scenario()
                    .procedure()
                    .flatMap(Procedure::transactions)
                    .orElse(null);
            if (transactions == null) {
                return;
            }
            Problems problems = new Problems();
            choice.refusal(
                            Offer.TRANSACTIONS,
                            "target %s has no transactions of own statements, which this procedure needs (allowed: %s)")
                    .ifPresent(why -> problems.add(settings.origin(Property.TARGET), why));
            if (transactions.crash().isPresent() && choice.provision() != Provision.EMBEDDED) {
                Origin origin = resolved.origin("procedure.crash");
                problems.add(
                        origin,
                        "is for provision=embedded, whose server siemload may kill, but it is "
                                + choice.provision().label() + " (leave one out)");
            }
            if (choice.provision() == Provision.EXTERNAL && !settings.value(Property.ALLOW_WRITES)) {
                problems.add(
                        resolved.origin("procedure.setup"),
                        "has the server execute statements of this file, in a database that the run makes (say that you allow it"
                                + " by -DallowWrites=true)");
            }
            problems.throwIfAny();
        }
    }

    /** Whether it can be watched how far standbys are behind, where {@code abortIf} asks for that. Stateless. */
    static final class ReplicationOffer {
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

    /** What trends need of a target, before any server is touched, before the load, and after it. Stateless. */
    static final class TrendOffer {

        private TrendOffer() {}

        static boolean isIn(Scenario scenario) {
            return scenario.analysts().stream().anyMatch(AnalystGroup::storesTrend);
        }

        /** @throws siemload.config.ConfigException if the target stores no trends */
        static void require(ResolvedScenario resolved, TargetChoice choice) {
            if (isIn(resolved.scenario())) {
                choice.require(
                        Offer.TRENDS,
                        resolved.origin(path -> path.endsWith(".trend")),
                        "target %s stores no trends (allowed: %s; or leave the groups with a trend out)");
            }
        }

        /** Makes the table, where it is needed. */
        static void create(Scenario scenario, Store store) {
            if (isIn(scenario)) {
                store.trends().orElseThrow().create();
            }
        }

        /**
         * What the trends say of each hour; nothing where no answers are checked at all.
         *
         * @param faults hears why that cannot be read
         */
        static List<SampledAnswer> hours(LoadOutcome measured, Store store, List<String> faults) {
            if (measured.kept().trends().isEmpty() || measured.kept().answers().askedRatio() == 0) {
                return List.of();
            }
            Trends trends = store.trends().orElseThrow();
            try {
                return measured.kept().trends().answers(trends::lines);
            } catch (TargetException unread) {
                faults.add("whether the trends are right is unknown: " + unread.getMessage());
                return List.of();
            }
        }

        /** What was looked at, where nothing was found to be wrong. */
        static Optional<String> note(List<SampledAnswer> hours, CheckedAnswers checked) {
            long lines = hours.stream().mapToLong(SampledAnswer::reportedRows).sum();
            boolean right = !hours.isEmpty()
                    && checked.checked() >= hours.size()
                    && checked.wrongTrends().isEmpty();
            return right
                    ? Optional.of(String.format(
                            Locale.ROOT,
                            "the trends have %d lines of %d hours, all of them as the events say",
                            lines,
                            hours.size()))
                    : Optional.empty();
        }
    }

    /** Whether the searches of a run can be answered by replicas, before any server is touched. Stateless. */
    private static final class ReplicaOffer {
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
                return Optional.of(
                        "readUrls has the url of the primary, which takes writes (leave it out of readUrls)");
            }
            if (plan.caches() != CacheState.AS_FOUND) {
                return Optional.of("nobody here empties the caches of replicas (leave caches or readUrls out)");
            }
            return plan.scenario().analysts().stream()
                    .filter(AnalystGroup::storesTrend)
                    .findFirst()
                    .map(group -> "the tasks of group " + group.name()
                            + " store trends, but a replica takes no writes (leave them out: --set analysts."
                            + group.name()
                            + ".tasks=0)");
        }
    }

    /** Whether the load of a run can be made by several injectors, before any server is touched. Stateless. */
    private static final class InjectorsOffer {
        private InjectorsOffer() {}

        /** @throws ConfigException if it cannot, with what speaks against it */
        static void require(RunPlan plan) {
            if (!plan.isInjected()) {
                plan.settings()
                        .find(Property.VIA)
                        .filter(via -> plan.injectors() == 1)
                        .ifPresent(via -> {
                            throw new ConfigException(
                                    plan.settings().origin(Property.VIA),
                                    "starts injectors, but there are none (give -Dinjectors=2 or more, or leave it out)");
                        });
                return;
            }
            refusal(plan).ifPresent(why -> {
                throw new ConfigException(
                        plan.settings().origin(Property.INJECTORS),
                        plan.injectors() + " injectors cannot make this load: " + why);
            });
        }

        private static Optional<String> refusal(RunPlan plan) {
            Scenario scenario = plan.scenario();
            if (plan.isProcedure()) {
                return Optional.of("scenario " + scenario.name() + " is a procedure, which one process follows (leave"
                        + " injectors out)");
            }
            if (plan.asksExisting()) {
                return Optional.of("scenario " + scenario.name() + " asks "
                        + (plan.asksStatements() ? "statements of " : "")
                        + "existing data, which one process does (leave"
                        + " injectors out)");
            }
            return plan.choice()
                    .refusal(
                            Offer.SHARED_STORES,
                            "on target %s only one process can work on the store of a run (allowed: %s; or leave injectors"
                                    + " out)")
                    .or(() -> refusal(scenario))
                    .or(() -> tooFew(plan));
        }

        private static Optional<String> refusal(Scenario scenario) {
            if (scenario.retention().isPresent()) {
                return Optional.of(
                        "retention drops a day by one of them, and the others could not tell right answers (leave"
                                + " retention or injectors out)");
            }
            return scenario.analysts().stream()
                    .flatMap(group -> refusal(group).stream())
                    .findFirst();
        }

        private static Optional<String> refusal(AnalystGroup group) {
            if (group.load() instanceof LoadModel.Scheduled) {
                return Optional.of("the tasks of group " + group.name()
                        + " go by the clock of one process (leave the group or injectors out)");
            }
            return Optional.empty();
        }

        /** One without users would wait for the end, and tell nothing. */
        private static Optional<String> tooFew(RunPlan plan) {
            boolean arrive =
                    plan.scenario().analysts().stream().anyMatch(group -> group.load() instanceof LoadModel.Open);
            int most = plan.scenario().analysts().stream()
                    .mapToInt(group -> group.load().defaultWorkers())
                    .max()
                    .orElse(0);
            if (!arrive && most < plan.injectors()) {
                return Optional.of(
                        "its largest group has " + most + " users, so that some would have none (allowed: 1 to "
                                + Math.max(1, most) + ", or more -Dusers)");
            }
            int workers = plan.workers();
            return workers < plan.injectors()
                    ? Optional.of("there are " + workers + " -Dworkers, so that some would have none (allowed: 1 to "
                            + workers + ")")
                    : Optional.empty();
        }
    }
}
