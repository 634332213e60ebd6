package siemload.run;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.function.Consumer;
import siemload.config.Property;
import siemload.config.Setting;
import siemload.config.Settings;
import siemload.database.Variant;
import siemload.dataset.Datasets;
import siemload.dataset.EventSource;
import siemload.dataset.ExistingData;
import siemload.dataset.ValuePools;
import siemload.query.Paging;
import siemload.query.Window;
import siemload.results.TargetRecord;
import siemload.run.LoadRun.ReadRouting;
import siemload.run.LoadRun.Shard;
import siemload.scenario.AnalystGroup;
import siemload.scenario.CacheState;
import siemload.scenario.Procedure;
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
    private static final String EXISTING = "existing";
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
        RunPlan draft = new RunPlan(settings, resolved, choice, new ExistingData());
        RunRules.beforeData(draft);
        boolean existing = draft.asksExisting();
        EventSource source = existing
                ? draft.source()
                : Datasets.open(home, resolved.scenario().dataset(), settings, status);
        ResolvedScenario meant = resolved.on(source);
        RunPlan plan = new RunPlan(
                settings, existing ? meant.with(RunRules.withoutDataset(meant.values())) : meant, choice, source);
        RunRules.withData(plan);
        return plan;
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
        return settings.value(Property.DATA).equals(EXISTING);
    }

    /** The settings that mean something to the run, in their order: statements know no layout, and existing data no data set. */
    public List<Setting> meaningfulSettings() {
        List<Setting> all = asksStatements() ? StatementSettings.of(settings) : settings.list();
        return asksExisting() ? RunRules.withoutDataset(all) : all;
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

    /** Whether tasks have the database store trends. */
    boolean storesTrends() {
        return scenario().analysts().stream().anyMatch(AnalystGroup::storesTrend);
    }

    /** How many servers the run works with. */
    int servers() {
        return scenario().procedure().map(Procedure::servers).orElse(1);
    }

    /** Whether anything of what is stored changes: events come or go beside the searches, or are summed up, or the procedure writes. */
    boolean writes() {
        return scenario()
                .procedure()
                .map(Procedure::writes)
                .orElse(scenario().feeder().isOn() || scenario().retention().isPresent() || storesTrends());
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
        Instant midnight = source.first().truncatedTo(ChronoUnit.DAYS);
        return new Window(midnight, midnight.plus(Duration.ofDays(1)));
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

    /** The state of the caches that a procedure asks for before what it reads; a load fills them, whatever they were. */
    CacheState caches() {
        return scenario().procedure().map(Procedure::caches).orElse(CacheState.AS_FOUND);
    }

    /** How many connections the server must accept at once. */
    int sessions() {
        int searching =
                readUrls().isEmpty() ? workers() + cursors() : readUrls().size();
        int feeders = scenario()
                .procedure()
                .map(Procedure::connections)
                .orElse(scenario().feeder().connections());
        return searching + Math.max(feeders, processes()) + OTHER_CONNECTIONS * (1 + processes());
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
}
