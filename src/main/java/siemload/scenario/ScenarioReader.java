package siemload.scenario;

import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import siemload.config.Choices;
import siemload.config.Durations;
import siemload.config.NamedFile;
import siemload.config.Origin;
import siemload.config.Problems;
import siemload.config.Property;
import siemload.config.RegularFile;
import siemload.config.Setting;
import siemload.config.Settings;
import siemload.config.Sha256;
import siemload.config.ValueType;
import siemload.config.YamlNode;
import siemload.config.YamlRecords;
import siemload.config.YamlRecords.Inline;
import siemload.config.YamlRecords.Key;
import siemload.query.Field;
import siemload.query.Page;
import siemload.query.SearchCatalog;
import siemload.query.SearchDefinition;
import siemload.query.SearchName;
import siemload.query.StatementText;
import siemload.scenario.AnalystGroup.Investigation;
import siemload.scenario.AnalystGroup.Searched;
import siemload.scenario.Procedure.Asked;
import siemload.scenario.Procedure.CacheState;
import siemload.scenario.Procedure.Depths;
import siemload.scenario.Procedure.Kind;
import siemload.scenario.Procedure.Orders;
import siemload.scenario.Procedure.Read;
import siemload.scenario.Procedure.Step;
import siemload.scenario.Procedure.Transactions;
import siemload.scenario.Scenario.Feeder;
import siemload.scenario.Scenario.Phases;
import siemload.scenario.Scenario.Retention;
import siemload.scenario.StatementPlan.Rows;
import siemload.scenario.StatementPlan.Values;

/** Reads scenario files and applies the settings that override their values. Reads one scenario. */
public final class ScenarioReader {
    private static final String DIRECTORY = "scenarios";
    private static final Feeder NO_FEEDER = new Feeder(Rate.NONE, 50, 1);
    private static final Load NO_LOAD = new Load(List.of(), new Phases(Duration.ZERO, Duration.ZERO), List.of());

    /** Settings without a meaning for statements: a user who gives one would believe that it had an effect. */
    private static final List<Property<?>> OF_EVENTS = List.of(
            Property.DATASET,
            Property.AMPLIFY,
            Property.FORMAT,
            Property.LAYOUT,
            Property.PARTITIONS,
            Property.INDEXES,
            Property.HINT,
            Property.PAGING,
            Property.EPS,
            Property.RELOAD);

    private static final List<Property<?>> OF_ANALYSTS = List.of(Property.EPS, Property.ARRIVALS, Property.WORKERS);

    /** Settings that stand for values of files, by their paths; they have a place where their mapping is there. */
    private static final Map<String, Property<?>> PATHS = Map.of(
            "feeder.eps", Property.EPS,
            "phases.warmup", Property.WARMUP,
            "phases.measurement", Property.DURATION,
            "procedure.users", Property.USERS,
            "procedure.warmup", Property.WARMUP,
            "procedure.duration", Property.DURATION);

    /** A name for results and file names. */
    private static final ValueType<String> NAME = new ValueType<>("name", "", text -> {
        if (!text.matches("[A-Za-z0-9][A-Za-z0-9_.-]{0,59}")) {
            throw new IllegalArgumentException(
                    "'" + text + "' is not a name (allowed: up to 60 of A-Z a-z 0-9 _ . -, first a letter or digit)");
        }
        return text;
    });

    /** A name of a search or statement that siemload does not bring. */
    private static final ValueType<SearchName> OWN_NAME = new ValueType<>("name", SearchName.DETAIL, text -> {
        SearchName name = new SearchName(text);
        if (SearchName.builtIn().contains(name) || Objective.WHOLE_SUBJECTS.contains(text)) {
            throw new IllegalArgumentException("is a name of siemload's own (take another one)");
        }
        return name;
    });

    private static final ValueType<Double> WEIGHT = ValueType.number(0, 1_000_000);
    private static final ValueType<Long> NUMBER = ValueType.wholeNumber(1L, 1_000_000_000L);
    private static final ValueType<String> ANY_TEXT = new ValueType<>("a value", "", text -> text);

    /** How statements of a setup may begin: what a file may do to the run's own tables, and nothing beyond them. */
    private static final String SETUP =
            "create table, create unlogged table, create index, create unique index, alter table,"
                    + " insert into, update, analyze, vacuum";

    /** The same of all other ones of a procedure. */
    private static final String STATEMENT = "select, insert into, update, delete from, merge into, with";

    private final NamedFile file;
    private final YamlNode top;
    private final Settings settings;
    private final Problems problems;
    /** The names that {@code searches} keeps; empty where it is not given. */
    private final List<String> keptSearches;
    /** By their paths: what they are and where they come from. */
    private final Map<String, Setting> values = new LinkedHashMap<>();

    private final YamlRecords records;
    private SearchCatalog catalog = SearchCatalog.builtIn();
    private String description = "";
    /** The statements of its users; empty if they search for events. */
    private List<SearchName> statements = List.of();
    /** By how much a number of values is multiplied that stands for a range; 0 where none may. */
    private long scale;

    private ScenarioReader(NamedFile file, YamlNode top, Settings settings, Problems problems) {
        this.file = file;
        this.top = top;
        this.settings = settings;
        this.problems = problems;
        this.keptSearches = settings.find(Property.SEARCHES)
                .map(names -> List.of(names.strip().split("\\s*,\\s*", -1)))
                .orElse(List.of());
        this.records = new YamlRecords(value -> values.put(value.name(), value))
                .with("name", NAME)
                .with("arrivals", Rate.type(10_000))
                .with("rate", Rate.type(10_000_000))
                .with("whole number", Values.NUMBER)
                .with(Field.class, ValueType.choice(Choices.of(Field.class, Field::label)))
                .with(WindowLength.class, WindowLength.TYPE);
        records.reading(ResultReading.class, this::resultReading)
                .reading(Weights.class, (node, type, allowed) -> weights(node, records.keys(type, allowed)))
                .reading(Investigation.class, this::investigation)
                .reading(Searched.class, this::searched)
                .reading(StatementText.class, (node, type, allowed) -> statement(node, allowed))
                .reading(Values.class, this::values)
                .reading(
                        Map.class,
                        node -> records.map(
                                node, ValueType.text(), one -> values(one).map(Values.class::cast)))
                .reading(Rows.class, node -> fileBeside(node, Rows::of))
                .reading(QueryRecording.class, node -> fileBeside(node, this::recording));
    }

    /**
     * The scenario of {@link Property#SCENARIO}: a file in {@code scenarios/} without its ending, or the path of a YAML file.
     *
     * @param home the directory that holds {@code scenarios/}
     * @throws siemload.config.ConfigException with everything that is wrong with the scenario and its overrides
     */
    public static Scenario read(Path home, Settings settings) {
        Setting named = settings.setting(Property.SCENARIO).orElseThrow();
        NamedFile file = NamedFile.find(home, DIRECTORY, named.value(), named.origin());
        Problems problems = new Problems();
        return YamlNode.read(
                        file.path(),
                        file.shownAs(),
                        problems,
                        top -> new ScenarioReader(file, top, settings, problems).scenario())
                .orElseThrow();
    }

    /** The files in {@code scenarios/} under the home directory by their names; those in its folders come last. */
    public static Map<String, Path> files(Path home) {
        return NamedFile.files(home, DIRECTORY, 2);
    }

    /** The settings that have a meaning for statements, in order. */
    public static List<Setting> settingsOfStatements(Settings settings) {
        return Setting.without(OF_EVENTS, settings.list());
    }

    private Optional<Scenario> scenario() {
        // The feeder of analysts that settings speak of need not be there.
        if (top.peek("analysts").isPresent()
                && Stream.of("feeder", "procedure", "replay", "statements")
                        .allMatch(key -> top.peek(key).isEmpty())) {
            top.set(new Setting("feeder", "{eps: 0}", new Origin.Default()));
        }
        settings.ofScenario().forEach(top::set);
        PATHS.forEach((path, property) -> {
            String[] keys = path.split("\\.", -1);
            settings.setting(property)
                    .ifPresent(given -> top.peek(keys[0])
                            .filter(YamlNode::isMapping)
                            .ifPresent(mapping -> mapping.put(keys[1], given.value(), given.origin())));
        });
        description =
                records.value(top.required("description"), ValueType.text()).orElse("");
        Optional<Scenario> scenario = is("replay") ? replaying() : is("statements") ? asking() : withEvents();
        return scenario.filter(read -> problems.isEmpty());
    }

    /** Whether there is a key that says what kind of scenario it is. */
    private boolean is(String kind) {
        return top.peek(kind).isPresent() || top.optional(kind).isPresent();
    }

    private void refuse(String beside, String keys) {
        for (String key : keys.split(" ", -1)) {
            top.optional(key).ifPresent(one -> one.problem("cannot stand beside " + beside + " (remove it)"));
        }
    }

    private Optional<Scenario> withEvents() {
        settings.setting(Property.DATASET).ifPresent(given -> top.put("dataset", given.value(), given.origin()));
        String dataset = optional(top, "dataset", ValueType.text(), "smoke");
        top.optional("ownSearches").ifPresent(own -> catalog = catalog.with(ownSearches(own)));
        records.with(SearchName.class, ValueType.choice(catalog.names()));
        if (is("procedure")) {
            refuse("a procedure", "analysts feeder phases objectives retention");
            return procedure(top.required("procedure"))
                    .flatMap(read ->
                            scenario(dataset, NO_LOAD, NO_FEEDER, Optional.empty(), Optional.of(read), List.of()));
        }
        records.with(
                Objective.class,
                Objective.type(
                        catalog.all().stream().map(SearchDefinition::name).toList()));
        return records.record(top, Searching.class)
                .flatMap(read ->
                        scenario(dataset, read.load(), read.feeder(), read.retention(), Optional.empty(), List.of()));
    }

    /** The value of an optional key with this default. */
    private <T> T optional(YamlNode parent, String key, ValueType<T> type, String standard) {
        Optional<YamlNode> written = parent.optional(key);
        Origin origin = written.map(YamlNode::origin).orElseGet(Origin.Default::new);
        put(parent.pathOf(key), written.map(YamlNode::written).orElse(standard), origin);
        return written.map(node -> node.as(type)).orElseGet(() -> type.parse(standard));
    }

    private void put(String path, String value, Origin origin) {
        values.put(path, new Setting(path, value, origin));
    }

    private Optional<? extends ResultReading> resultReading(YamlNode node) {
        return node.isMapping()
                ? records.record(node, ResultReading.Paged.class)
                : records.value(node, ResultReading.WHOLE).map(whole -> new ResultReading.Whole());
    }

    private static boolean isScheduled(YamlNode group) {
        return group.peek("load").map(YamlNode::written).equals(Optional.of("scheduled"));
    }

    private Optional<Investigation> investigation(YamlNode group) {
        return isScheduled(group) ? Optional.of(Investigation.OF_TASKS) : records.record(group, Investigation.class);
    }

    /** Of searches, {@code searches} takes the weight of all others; users who narrow a search may still come to these. */
    private Optional<Weights<Object>> weights(YamlNode node, ValueType<?> keys) {
        return records.map(node, keys, weight -> records.value(weight, WEIGHT)).flatMap(written -> {
            Map<Object, Double> weights = new LinkedHashMap<>(written);
            if (weights.values().stream().noneMatch(weight -> weight > 0)) {
                node.problem("has no weight above 0 (needed: at least one)");
                return Optional.empty();
            }
            Origin origin = settings.origin(Property.SEARCHES);
            weights.replaceAll((name, weight) -> {
                if (!(name instanceof SearchName search) || !isLeftOut(search)) {
                    return weight;
                }
                put(node.pathOf(search.name()), "0", origin);
                return 0.0;
            });
            if (weights.values().stream().noneMatch(weight -> weight > 0)) {
                String help = Choices.names(node.entries().keySet()).help(String.join(",", keptSearches));
                problems.add(origin, "leaves nothing to " + node.path() + " (" + help + ")");
                return Optional.empty();
            }
            return Optional.of(new Weights<>(weights));
        });
    }

    /** A group's part in place of {@link Searched} if it executes statements; equally frequent unless there is a mix. */
    private record OfStatements(Optional<Weights<SearchName>> mix) {}

    /** A group's part if its tasks store a trend. */
    private record Trend(
            Field trend, @Key(standard = "{1h: 1}") Weights<WindowLength> window) {}

    private Optional<Searched> searched(YamlNode group) {
        if (!statements.isEmpty()) {
            return records.record(group, OfStatements.class)
                    .map(asked -> Searched.ofStatements(asked.mix().orElseGet(() -> Weights.alike(statements))));
        }
        return isScheduled(group) && group.peek("trend").isPresent()
                ? records.record(group, Trend.class).map(read -> Searched.ofTrend(read.trend(), read.window()))
                : records.record(group, Searched.class);
    }

    /** The searches that the scenario brings. Runs with others of the same names are told from these by their values. */
    private List<SearchDefinition> ownSearches(YamlNode all) {
        List<SearchDefinition> own = new ArrayList<>();
        all.entries().forEach((name, written) -> {
            written.peek("refinements")
                    .ifPresent(
                            none -> none.problem("is for siemload's own searches (remove it: users go on to DETAIL)"));
            try {
                SearchName search = OWN_NAME.parse(name);
                // One that cannot be read finds everything, so that the rest can be checked.
                SearchDefinition read = SearchDefinition.read(written, search)
                        .orElseGet(() -> new SearchDefinition(search, "", List.of(), Optional.empty()));
                put(written.path(), "contents " + Sha256.fingerprint(read.toString()), written.origin());
                own.add(read);
            } catch (IllegalArgumentException wrong) {
                all.problemWithKey(name, String.valueOf(wrong.getMessage()));
            }
        });
        return own;
    }

    /** The keys of groups of users of any kind. */
    private record Load(
            @Key(filled = true) List<AnalystGroup> analysts,
            Phases phases,
            @Key(standard = "[]") List<Objective> objectives) {
        Load {
            List<String> names = new ArrayList<>();
            for (AnalystGroup group : analysts) {
                String key = "analysts." + names.size() + ".name";
                String why = "'" + group.name() + "' is the name of another group already";
                Procedure.require(!names.contains(group.name()), key, why);
                names.add(group.name());
            }
        }
    }

    /** The keys of analysts who search for events. */
    record Searching(
            @Inline Load load, @Key(standard = "{eps: 0}") Feeder feeder, Optional<Retention> retention) {
        Searching {
            Duration measured = load.phases().measurement();
            String time = Durations.format(measured);
            retention.ifPresent(removal -> Procedure.require(
                    removal.after().compareTo(measured) < 0,
                    "retention.after",
                    "is not within the measured phase, which takes " + time
                            + " (give a shorter time, or a longer phases.measurement)"));
            double start = load.phases().warmup().toMillis() / 1e3;
            double end = start + measured.toMillis() / 1e3;
            double events = feeder.rate().dueUntil(end) - feeder.rate().dueUntil(start);
            Procedure.require(
                    !feeder.isOn() || events >= feeder.batch(),
                    "feeder.batch.eps", // at eps where batch is not written
                    feeder.batch() + " events a batch are never filled while measuring (" + feeder.rate() + " for "
                            + time + " allow at most " + (long) events + ")");
        }
    }

    /** @param plans whose excluded searches are not part of the run */
    private Optional<Scenario> scenario(
            String dataset,
            Load load,
            Feeder feeder,
            Optional<Retention> retention,
            Optional<Procedure> procedure,
            List<StatementPlan> plans) {
        List<AnalystGroup> groups = problems.isEmpty() && procedure.isEmpty() ? overridden(load.analysts()) : List.of();
        if (!problems.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(new Scenario(
                file.name(),
                description,
                dataset,
                groups,
                feeder,
                load.phases(),
                applied(load.objectives(), groups, feeder),
                procedure,
                retention,
                plans.stream()
                        .filter(plan -> !isLeftOut(plan.statement().name()))
                        .toList(),
                List.copyOf(values.values()),
                catalog));
    }

    /**
     * The groups with what settings say in place of the file, but for those without any task: {@code users} is the total over all closed
     * groups, {@code arrivals} that over all open ones, in the proportions of the file.
     */
    private List<AnalystGroup> overridden(List<AnalystGroup> written) {
        List<AnalystGroup> groups =
                shared(written, Property.USERS, LoadModel.Closed.class, "a number of users", LoadModel.Closed::shares);
        groups = shared(groups, Property.ARRIVALS, LoadModel.Open.class, "arrivals", LoadModel.Open::shares).stream()
                .filter(group -> !(group.load() instanceof LoadModel.Scheduled scheduled && scheduled.tasks() == 0))
                .toList();
        if (groups.isEmpty()) {
            String path = "analysts[" + written.get(0).name() + "].tasks";
            Origin origin =
                    Optional.ofNullable(values.get(path)).map(Setting::origin).orElseGet(Origin.Default::new);
            problems.add(origin, path + ": nothing is left to do without this group (allowed: 1 or more)");
        }
        if (problems.isEmpty()) {
            checkKept(groups.stream()
                    .filter(group -> !group.storesTrend())
                    .flatMap(group -> group.searched().mix().weights().keySet().stream())
                    .distinct()
                    .sorted()
                    .toList());
        }
        return groups;
    }

    /** @param shares of these loads, by their groups, in the total */
    private <T, L extends LoadModel> List<AnalystGroup> shared(
            List<AnalystGroup> groups,
            Property<T> property,
            Class<L> type,
            String what,
            BiFunction<T, Map<String, L>, List<L>> shares) {
        Optional<T> total = settings.find(property);
        if (total.isEmpty()) {
            return groups;
        }
        Origin origin = settings.origin(property);
        Map<String, L> written = new LinkedHashMap<>();
        groups.stream()
                .filter(group -> type.isInstance(group.load()))
                .forEach(group -> written.put(group.name(), type.cast(group.load())));
        if (written.isEmpty()) {
            String load = type.getSimpleName().toLowerCase(Locale.ROOT);
            problems.add(origin, "no group of this scenario has " + what + " (none has load: " + load + ")");
            return groups;
        }
        Iterator<L> next = problems.collect(origin, () -> shares.apply(total.get(), written))
                .orElse(List.copyOf(written.values()))
                .iterator();
        return groups.stream()
                .map(group -> {
                    if (!type.isInstance(group.load())) {
                        return group;
                    }
                    L load = next.next();
                    Object share = load instanceof LoadModel.Open open ? open.arrivals() : load.defaultWorkers();
                    put("analysts[" + group.name() + "]." + property.name(), share.toString(), origin);
                    return group.with(load);
                })
                .toList();
    }

    /** Notes what {@code searches} names that is none of these. */
    private void checkKept(List<SearchName> all) {
        Choices<SearchName> known = SearchName.choices(all);
        keptSearches.stream()
                .filter(name -> known.find(name).isEmpty())
                .forEach(name -> problems.add(
                        settings.origin(Property.SEARCHES),
                        "'" + name + "' is not a search of this scenario (" + known.help(name)
                                + ", separated by commas)"));
    }

    /** Those that {@code searches} keeps; all of them where it keeps none, which {@link #checkKept} notes. */
    private List<SearchName> kept(List<SearchName> all) {
        List<SearchName> kept =
                all.stream().filter(search -> !isLeftOut(search)).toList();
        return kept.isEmpty() ? all : kept;
    }

    /** Whether the option of this name rules a search out. */
    private boolean isLeftOut(SearchName search) {
        return !keptSearches.isEmpty() && !keptSearches.contains(search.name());
    }

    /** The objectives but those of what a setting turns off: whoever does so is not held to it, and is told so; anything else is a mistake. */
    private List<Objective> applied(List<Objective> objectives, List<AnalystGroup> groups, Feeder feeder) {
        List<Objective> applied = new ArrayList<>();
        for (int i = 0; i < objectives.size(); i++) {
            Objective objective = objectives.get(i);
            String subject = objective.subject();
            boolean isFeeder = subject.equals("feeder");
            Property<?> off = isFeeder ? Property.EPS : Property.SEARCHES;
            YamlNode node = top.required("objectives").elements().get(i);
            if (isFeeder ? feeder.isOn() : subject.equals("all") || isMeasured(new SearchName(subject), groups)) {
                applied.add(objective);
            } else if (settings.setting(off).isPresent() && (isFeeder || node.origin() instanceof Origin.InFile)) {
                String why = isFeeder ? "there is no feeder" : "the search is left out";
                put(node.path(), objective.text() + " (not applied: " + why + ")", settings.origin(off));
            } else {
                node.problemAt(
                        0,
                        isFeeder
                                ? "there is no feeder (give feeder.eps, or leave this out)"
                                : "no group searches " + subject + " (add it to a mix, or leave this out)");
            }
        }
        return applied;
    }

    /** Follow-up searches may be any of the catalogue, so only without them a search can be ruled out. */
    private boolean isMeasured(SearchName search, List<AnalystGroup> groups) {
        return !isLeftOut(search)
                && groups.stream()
                        .map(AnalystGroup::searched)
                        .anyMatch(searched -> searched.followUpRatio() > 0
                                || searched.mix().possible().contains(search));
    }

    private Optional<Scenario> asking() {
        refuse("statements", "dataset ownSearches procedure feeder retention");
        refuseSettingsOfEvents();
        YamlNode written = top.required("statements");
        Optional<Map<SearchName, StatementPlan.Written>> plans =
                records.map(written, OWN_NAME, statement -> records.record(statement, StatementPlan.Written.class));
        List<SearchName> all = written.entries().keySet().stream()
                .flatMap(key -> OWN_NAME.tryParse(key).stream())
                .toList();
        if (written.isMapping() && written.entries().isEmpty()) {
            written.problem("is empty (needed: at least one statement)");
        }
        // If no statement is good, groups are still read as those of statements.
        statements = all.isEmpty() ? SearchName.builtIn() : kept(all);
        List<SearchName> names = all.isEmpty() ? statements : all;
        records.with(SearchName.class, ValueType.choice(SearchName.choices(names)))
                .with(Objective.class, Objective.type(names));
        Optional<Load> load = records.record(top, Load.class);
        return plans.flatMap(read -> load.flatMap(asked -> scenario(
                "",
                asked,
                NO_FEEDER,
                Optional.empty(),
                Optional.empty(),
                read.entrySet().stream()
                        .map(one -> one.getValue().plan(one.getKey()))
                        .toList())));
    }

    private void refuseSettingsOfEvents() {
        settings.refuseGiven(
                OF_EVENTS, "means nothing to statements, which ask data as they are (remove it)", problems);
    }

    /**
     * What a statement is that stands here; empty where it is none, which is noted.
     *
     * @param allowed any, or a part of a procedure
     */
    private Optional<StatementText> statement(YamlNode node, String allowed) {
        String begins = allowed.equals("setup") ? SETUP : STATEMENT;
        return records.value(node, StatementText.TYPE).filter(text -> {
            String start = text.written().replaceAll("\\s+", " ").strip().toLowerCase(Locale.ROOT) + " ";
            boolean mayStand = allowed.equals("any")
                    || Stream.of(begins.split(", ")).anyMatch(begin -> start.startsWith(begin + " "));
            if (!mayStand) {
                node.problem("is not a statement that may stand here (allowed: " + begins + ")");
            }
            return mayStand;
        });
    }

    /** Where the values of a parameter come from. */
    private Optional<? extends Values> values(YamlNode node) {
        if (node.isList()) {
            List<String> listed = node.elements().stream()
                    .flatMap(value -> value.find(ANY_TEXT).stream())
                    .toList();
            records.put(node, listed.size() + " values");
            if (node.elements().isEmpty()) {
                node.problem("is empty (needed: at least one value)");
            }
            return Optional.of(new Values.Listed(listed));
        } else if (node.isMapping()) {
            Class<? extends Values> type = node.peek("query").isPresent() ? Values.Asked.class : Values.Range.class;
            return records.record(node, type);
        } else if (scale > 0) {
            return records.value(node, NUMBER).map(number -> new Values.Range(1, number * scale));
        }
        node.problem("is not a source of values (allowed: " + StatementPlan.WAYS + ")");
        return Optional.empty();
    }

    /** Reads a file; what it throws has a message for people. */
    private interface FileReading<T> {
        T read(Path file) throws IOException;
    }

    /**
     * What is in a file that the scenario names. It lies beside the scenario or below that, since a scenario may come from somebody else,
     * and what its file reads ends up in a database and in results.
     */
    private <T> Optional<T> fileBeside(YamlNode node, FileReading<T> reading) {
        Optional<String> written = records.value(node, ValueType.text());
        if (written.isEmpty()) {
            return Optional.empty();
        }
        String name = written.get();
        try {
            Path relative = Path.of(name);
            if (relative.isAbsolute() || List.of(name.split("[/\\\\]", -1)).contains("..")) {
                throw new IllegalArgumentException("'" + name
                        + "' does not lie beside the scenario (allowed: a path from its directory, without ..)");
            }
            Path beside = file.path().toAbsolutePath().resolveSibling(relative);
            RegularFile.refusal(beside).ifPresent(why -> {
                throw new IllegalArgumentException(beside + ": " + why);
            });
            return Optional.of(reading.read(beside));
        } catch (InvalidPathException unusable) {
            node.problem("'" + name + "' cannot be read: " + unusable.getMessage());
        } catch (IOException | IllegalArgumentException unreadable) {
            node.problem(String.valueOf(unreadable.getMessage()));
        }
        return Optional.empty();
    }

    /** The keys of a replay. */
    private record Replaying(
            Replay replay, @Key(standard = "[]") List<Objective> objectives) {}

    /** The recording, and the speed. */
    record Replay(
            QueryRecording recording,
            @Key(allowed = "0.01 to 100", standard = "1") double speed,

            @Key(standard = "[]") List<SearchName> without) {
        Replay {
            Procedure.require(!without.containsAll(recording.names()), "without", "leaves nothing to be asked");
        }
    }

    /** The recorded sessions are replayed. */
    private Optional<Scenario> replaying() {
        refuse("a replay", "dataset ownSearches procedure feeder retention statements analysts phases");
        refuseSettingsOfEvents();
        records.with(SearchName.class, SearchDefinition.NAME).with(Objective.class, Objective.type(List.of()));
        return records.record(top, Replaying.class).flatMap(read -> {
            Replay replay = read.replay();
            // Plans are shown for the example; the load has the values of each execution.
            List<StatementPlan> plans = replay.recording().queries().stream()
                    .filter(query ->
                            !replay.without().contains(query.statement().name()))
                    .map(query ->
                            new StatementPlan(query.statement(), Map.of(), List.of(query.byName(query.example()))))
                    .toList();
            LoadModel.Replayed load = new LoadModel.Replayed(replay.recording(), replay.speed());
            Weights<SearchName> asked = Weights.alike(
                    kept(plans.stream().map(plan -> plan.statement().name()).toList()));
            AnalystGroup sessions =
                    new AnalystGroup("sessions", load, Investigation.OF_TASKS, Searched.ofStatements(asked));
            Load written = new Load(List.of(sessions), phases(load), read.objectives());
            return scenario("", written, NO_FEEDER, Optional.empty(), Optional.empty(), plans);
        });
    }

    private QueryRecording recording(Path beside) throws IOException {
        QueryRecording recording = QueryRecording.of(beside);
        records.with(SearchName.class, ValueType.choice(SearchName.choices(recording.names())))
                .with(Objective.class, Objective.type(recording.names()));
        return recording;
    }

    private Phases phases(LoadModel.Replayed load) {
        settings.refuseGiven(
                List.of(Property.WARMUP),
                "is not a part of a replay, in which everything that was recorded counts (remove it)",
                problems);
        Duration whole = load.length();
        Duration measurement = settings.find(Property.DURATION).orElse(whole);
        Origin origin = settings.origin(Property.DURATION);
        put("phases.warmup", Durations.format(LoadModel.Replayed.LEAD), new Origin.Default());
        put("phases.measurement", Durations.format(measurement), origin);
        if (measurement.compareTo(whole) > 0) {
            problems.add(
                    origin,
                    "is longer than the recording, which takes " + Durations.format(whole) + " at speed " + load.speed()
                            + " (give less to cut it, or leave this out)");
        }
        return new Phases(LoadModel.Replayed.LEAD, measurement);
    }

    private Optional<Procedure> procedure(YamlNode node) {
        settings.refuseGiven(OF_ANALYSTS, "is for analysts, but this scenario is a procedure (remove it)", problems);
        node.peek("levels")
                .filter(levels -> !levels.written().isEmpty())
                .ifPresent(levels -> node.set(
                        new Setting("levels", "[" + levels.written().replaceAll("[, ]+", ",") + "]", levels.origin())));
        scale = node.peek("scale")
                .flatMap(written -> NUMBER.tryParse(written.written()))
                .orElse(1L);
        records.with("listing", ValueType.choice(catalog.listing()))
                .reading(
                        Page.class,
                        page -> page.isMapping()
                                ? records.record(page, Procedure.Size.class)
                                        .map(read -> new Page.Numbered(read.size(), 1))
                                : records.value(page, ResultReading.WHOLE).map(whole -> new Page.Whole()))
                .reading(
                        Depths.class,
                        depths -> depths.isList()
                                ? records.record(node, Depths.Listed.class)
                                : records.value(depths, ValueType.choice(Choices.camelCase(Depths.Walk.class))));
        Optional<Procedure.Steps> written = records.record(node, Procedure.Steps.class);
        if (written.isEmpty()) {
            // Which keys are unknown depends on the steps: none is refused without them.
            Map<String, YamlNode> unused = node.entries();
        }
        return written.flatMap(steps -> procedure(node, steps.steps()));
    }

    private Optional<Procedure> procedure(YamlNode node, List<Kind> kinds) {
        boolean pages = kinds.contains(Kind.PAGE);
        boolean reads = kinds.contains(Kind.READ) || pages;
        boolean isUsers = kinds.contains(Kind.USERS);
        boolean transacts = isUsers && node.peek("transactions").isPresent();
        boolean matches = kinds.contains(Kind.READ) && node.peek("matching").isPresent();
        boolean searches = (reads || isUsers) && !transacts && !matches;
        if (!searches) {
            String why = "means nothing to a procedure without searches (remove it)";
            settings.refuseGiven(List.of(Property.SEARCHES), why, problems);
        }
        Optional<Asked> asked = searches ? records.record(node, Asked.class).map(this::kept) : Optional.empty();
        int passes = reads || searches ? optional(node, "passes", ValueType.wholeNumber(1, 10_000), "1") : 1;
        CacheState caches = reads && searches
                ? optional(node, "caches", ValueType.choice(Choices.camelCase(CacheState.class)), "asFound")
                : CacheState.AS_FOUND;
        boolean isOfOneServer = transacts || pages || kinds.contains(Kind.FEED);
        int servers = isOfOneServer ? 1 : optional(node, "servers", ValueType.wholeNumber(1, 64), "1");
        List<Step> steps = new ArrayList<>();
        for (Kind kind : kinds) {
            Class<? extends Step> type = transacts ? Transactions.class : kind.type;
            records.record(node, type).ifPresent(steps::add);
        }
        boolean follows = steps.stream()
                .anyMatch(step -> step instanceof Read read && !read.changes().isEmpty());
        boolean emptied = caches == CacheState.COLD || caches == CacheState.LUKEWARM;
        String alone = "caches are emptied, and follow-ups are asked, on one server (give 1)";
        refuse(node, "servers", servers > 1 && (follows || emptied), alone);
        String hot = "hot leaves no search that is asked first (allowed: asFound, cold, lukewarm)";
        refuse(node, "caches", follows && caches == CacheState.HOT, hot);
        asked.ifPresent(read -> {
            boolean isUnsorted = read.orders() == Orders.UNSORTED;
            refuse(node, "order", follows && isUnsorted, "unsorted has no first row, which follow-ups begin with");
            boolean isBoth = read.orders() == Orders.BOTH;
            refuse(node, "order", isBoth && !pages, "both is for steps: [page] (give one of them)");
            boolean isWhole = read.page() instanceof Page.Whole && (pages || isUsers);
            refuse(node, "page", isWhole, "whole is for steps: [read] (write for example {size: 100})");
        });
        settings.setting(Property.HINT)
                .filter(hint ->
                        reads && kinds.contains(Kind.LOAD) && !hint.value().equals("none"))
                .ifPresent(hint -> problems.add(
                        hint.origin(),
                        "cannot be proven by a procedure that begins with an empty store (remove it, or take one"
                                + " without load)"));
        return problems.isEmpty()
                ? Optional.of(new Procedure(steps, asked, passes, caches, servers))
                : Optional.empty();
    }

    private static void refuse(YamlNode node, String key, boolean isWrong, String why) {
        node.peek(key).filter(written -> isWrong).ifPresent(written -> written.problem(why));
    }

    private Asked kept(Asked asked) {
        checkKept(asked.searches());
        List<SearchName> kept = kept(asked.searches());
        if (!keptSearches.isEmpty()) {
            String names = kept.stream().map(SearchName::name).collect(Collectors.joining(","));
            put("procedure.searches", names, settings.origin(Property.SEARCHES));
        }
        return asked.with(kept);
    }
}
