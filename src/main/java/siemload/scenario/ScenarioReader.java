package siemload.scenario;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.stream.Stream;
import siemload.config.Choices;
import siemload.config.ConfigException;
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
import siemload.config.YamlRecords.Misfit;
import siemload.query.Field;
import siemload.query.Order;
import siemload.query.Page;
import siemload.query.SearchCatalog;
import siemload.query.SearchDefinition;
import siemload.query.SearchName;
import siemload.query.StatementText;
import siemload.scenario.AnalystGroup.Investigation;
import siemload.scenario.AnalystGroup.ResultReading;
import siemload.scenario.AnalystGroup.Searched;
import siemload.scenario.AnalystGroup.Weights;
import siemload.scenario.Procedure.CacheState;
import siemload.scenario.Procedure.Depths;
import siemload.scenario.Procedure.Kind;
import siemload.scenario.Scenario.Feeder;
import siemload.scenario.Scenario.Phases;
import siemload.scenario.StatementPlan.Values;

/** Reads a scenario file and applies the settings that override its values. One instance reads one scenario. */
public final class ScenarioReader {
    private static final String DIRECTORY = "scenarios";
    /** Settings without a meaning for statements; they are refused, since a user who gives one expects an effect. */
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

    /** Settings that override values of files, by path; a setting applies only if the file has the mapping that holds the value. */
    private static final Map<String, Property<?>> PATHS = Map.of(
            "feeder.eps", Property.EPS,
            "phases.warmup", Property.WARMUP,
            "phases.measurement", Property.DURATION,
            "procedure.users", Property.USERS,
            "procedure.warmup", Property.WARMUP,
            "procedure.duration", Property.DURATION);

    /** A name for results and file names. */
    private static final ValueType<String> NAME = new ValueType<>("name", "", text -> {
        String why = "'" + text + "' is not a name (allowed: up to 60 of A-Z a-z 0-9 _ . -, first a letter or digit)";
        ValueType.require(text.matches("[A-Za-z0-9][A-Za-z0-9_.-]{0,59}"), why);
        return text;
    });

    /** The name of a search or statement of the scenario, which must not be one of siemload's names. */
    private static final ValueType<SearchName> OWN_NAME = new ValueType<>("name", SearchName.DETAIL, text -> {
        SearchName name = new SearchName(text);
        boolean isTaken = SearchName.builtIn().contains(name) || Objective.WHOLE_SUBJECTS.contains(text);
        ValueType.require(!isTaken, "is a name that siemload uses itself (choose another one)");
        return name;
    });

    private static final ValueType<Double> WEIGHT = ValueType.number(0, 1_000_000);
    private static final ValueType<Long> NUMBER = ValueType.wholeNumber(1L, 1_000_000_000L);
    private static final ValueType<String> ANY_TEXT = new ValueType<>("a value", "", text -> text);

    /** The allowed beginnings of setup statements, which may do only what a file may do to the run's own tables. */
    private static final ValueType<StatementText> SETUP =
            beginning("create table, create unlogged table, create index, create unique index, alter table,"
                    + " insert into, update, analyze, vacuum");

    /** The allowed beginnings of all other statements of a procedure. */
    private static final ValueType<StatementText> STATEMENT =
            beginning("select, insert into, update, delete from, merge into, with");

    private final NamedFile file;
    private final YamlNode top;
    private final Settings settings;
    private final Problems problems;
    /** The names in the setting {@code searches}; empty if that setting is not given. */
    private final List<String> keptSearches;
    /** The scenario's values with their origins, by path. */
    private final Map<String, Setting> values = new LinkedHashMap<>();

    private final YamlRecords records;
    private SearchCatalog catalog = SearchCatalog.builtIn();
    private String dataset = "";
    private Searching users = new Searching(new Load(List.of(), new Phases(Duration.ZERO, Duration.ZERO), List.of()));
    private Optional<Procedure> procedure = Optional.empty();
    private List<StatementPlan> plans = List.of();

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
                .with("setup", SETUP)
                .with("any", StatementText.TYPE)
                .with(StatementText.class, STATEMENT)
                .with(Field.class, ValueType.choice(Choices.of(Field.class, Field::label)))
                .with(AnalystGroup.WindowLength.class, AnalystGroup.WindowLength.TYPE);
        records.reading(ResultReading.class, this::resultReading)
                .reading(Weights.class, (node, type, allowed) -> weights(node, records.keys(type, allowed)))
                .reading(Investigation.class, this::investigation)
                .reading(Searched.class, this::searched)
                .reading(Values.class, node -> values(node, 0))
                .reading(StatementPlan.Rows.class, node -> fileBeside(node, StatementPlan.Rows::of))
                .reading(QueryRecording.class, node -> fileBeside(node, this::recording));
    }

    /**
     * Reads the scenario that {@link Property#SCENARIO} names: a file in {@code scenarios/} without its ending, or the path of a YAML file.
     *
     * @param home the directory that holds {@code scenarios/}
     * @throws siemload.config.ConfigException with all problems of the scenario and its overrides
     */
    public static Scenario read(Path home, Settings settings) {
        Setting named = settings.setting(Property.SCENARIO).orElseThrow();
        NamedFile file = NamedFile.find(home, DIRECTORY, named.value(), named.origin());
        Problems problems = new Problems();
        return YamlNode.read(
                file.path(),
                file.shownAs(),
                problems,
                top -> new ScenarioReader(file, top, settings, problems).scenario());
    }

    /** Returns the files in {@code scenarios/} under the home directory by their names; files in folders come last. */
    public static Map<String, Path> files(Path home) {
        return NamedFile.files(home, DIRECTORY, 2);
    }

    /** Returns the settings that have a meaning for statements, in their order. */
    public static List<Setting> settingsOfStatements(Settings settings) {
        return Setting.without(OF_EVENTS, settings.list());
    }

    /** Reads the scenario; the result must not be used if there are problems. */
    private Scenario scenario() {
        // Settings may set values of the feeder of analysts even if the file has no feeder.
        if (top.peek("analysts").isPresent()
                && Stream.of("feeder", "procedure", "replay", "statements")
                        .allMatch(key -> top.peek(key).isEmpty())) {
            top.set(new Setting("feeder", "{eps: 0}", new Origin.Default()));
        }
        settings.ofScenario().forEach(top::set);
        PATHS.forEach((path, property) -> settings.setting(property)
                .filter(given -> top.peek(path.replaceFirst("\\..*", ""))
                        .filter(YamlNode::isMapping)
                        .isPresent())
                .ifPresent(given -> top.set(new Setting(path, given.value(), given.origin()))));
        String description =
                records.value(top.required("description"), ValueType.text()).orElse("");
        if (top.optional("replay").isPresent()) {
            readReplay();
        } else if (top.optional("statements").isPresent()) {
            readStatements();
        } else {
            readSearches();
        }
        List<AnalystGroup> groups =
                problems.isEmpty() && procedure.isEmpty() ? overridden(users.load.analysts) : List.of();
        List<Objective> objectives = problems.isEmpty() ? applied(users.load.objectives, groups) : List.of();
        return new Scenario(
                file.name(),
                description,
                dataset,
                groups,
                users.feeder,
                users.load.phases,
                objectives,
                procedure,
                users.retention,
                plans.stream()
                        .filter(plan -> !isLeftOut(plan.statement().name()))
                        .toList(),
                List.copyOf(values.values()),
                catalog);
    }

    private static void refuse(YamlNode node, String why, String keys) {
        Stream.of(keys.split(" ", -1))
                .filter(key -> node.peek(key).isPresent())
                .forEach(key -> node.required(key).problem(why + " (remove it)"));
    }

    /** The key that only scenarios with events have. */
    private record OfEvents(@Key(standard = "smoke") String dataset) {}

    private void readSearches() {
        settings.setting(Property.DATASET).ifPresent(given -> top.put("dataset", given.value(), given.origin()));
        records.record(top, OfEvents.class).ifPresent(read -> dataset = read.dataset);
        top.optional("ownSearches").ifPresent(own -> catalog = catalog.with(ownSearches(own)));
        records.with(SearchName.class, ValueType.choice(catalog.names()));
        if (top.optional("procedure").isPresent()) {
            refuse(top, "cannot be used with a procedure", "analysts feeder phases objectives retention");
            readProcedure(top.required("procedure"));
            return;
        }
        var names = catalog.all().stream().map(SearchDefinition::name).toList();
        records.with(Objective.class, Objective.type(names));
        records.record(top, Searching.class).ifPresent(read -> users = read);
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
        if (!isScheduled(group)) {
            return records.record(group, Investigation.class);
        }
        refuse(group, "is for users, but tasks search by the clock", "actions thinkTime pause patience maxRunning");
        return Optional.of(Investigation.OF_TASKS);
    }

    /** Reads weights. The setting {@code searches} sets all other weights to 0; users who narrow a search may still reach any search. */
    private Optional<Weights<Object>> weights(YamlNode node, ValueType<?> keys) {
        return records.map(node, keys, weight -> records.value(weight, WEIGHT)).flatMap(written -> {
            Map<Object, Double> weights = new LinkedHashMap<>(written);
            Origin origin = settings.origin(Property.SEARCHES);
            weights.replaceAll((name, weight) -> {
                if (!(name instanceof SearchName search) || !isLeftOut(search)) {
                    return weight;
                }
                put(node.pathOf(search.name()), "0", origin);
                return 0.0;
            });
            if (weights.values().stream().anyMatch(weight -> weight > 0)) {
                return Optional.of(new Weights<>(weights));
            } else if (weights.equals(written)) {
                node.problem("has no weight above 0 (needed: at least one)");
            } else {
                String help = Choices.names(node.entries().keySet()).help(String.join(",", keptSearches));
                problems.add(origin, "leaves nothing for " + node.path() + " (" + help + ")");
            }
            return Optional.empty();
        });
    }

    /** The keys of a group that executes statements, in place of {@link Searched}. Without a mix, all statements are equally frequent. */
    private record OfStatements(Optional<Weights<SearchName>> mix) {}

    /** The keys of a group whose tasks store a trend. */
    private record Trend(
            Field trend, @Key(standard = "{1h: 1}") Weights<AnalystGroup.WindowLength> window) {}

    private Optional<Searched> searched(YamlNode group) {
        return isScheduled(group) && group.peek("trend").isPresent()
                ? records.record(group, Trend.class).map(read -> Searched.ofTrend(read.trend(), read.window()))
                : records.record(group, Searched.class);
    }

    /** Reads the scenario's own searches. A fingerprint among the values distinguishes searches that have one name in different runs. */
    private List<SearchDefinition> ownSearches(YamlNode all) {
        List<SearchDefinition> own = new ArrayList<>();
        all.entries().forEach((name, written) -> {
            String why = "is for siemload's own searches (remove it: after a search of your own, users can only open"
                    + " an event with DETAIL)";
            written.peek("refinements").ifPresent(none -> none.problem(why));
            try {
                SearchName search = OWN_NAME.parse(name);
                // A stand-in without criteria lets the rest of the file be checked.
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

    /** The keys of every scenario that has groups of users. */
    private record Load(
            @Key(filled = true) List<AnalystGroup> analysts,
            Phases phases,
            @Key(standard = "[]") List<Objective> objectives) {
        Load {
            List<String> names = analysts.stream().map(AnalystGroup::name).toList();
            for (int i = 0; i < names.size(); i++) {
                String why = "'" + names.get(i) + "' is the name of another group already";
                Misfit.require(names.indexOf(names.get(i)) == i, "analysts." + i + ".name", why);
            }
        }
    }

    /** The keys of a scenario whose analysts search for events. */
    record Searching(
            @Inline Load load, @Key(standard = "{eps: 0}") Feeder feeder, Optional<Scenario.Retention> retention) {
        Searching(Load load) {
            this(load, new Feeder(Rate.NONE, 50, 1), Optional.empty());
        }

        Searching {
            Duration measured = load.phases().measurement();
            String time = Durations.format(measured);
            String outside = "is not within the measured phase, which takes " + time
                    + " (give a shorter time, or a longer phases.measurement)";
            retention.ifPresent(
                    removal -> Misfit.require(removal.after().compareTo(measured) < 0, "retention.after", outside));
            double start = load.phases().warmup().toMillis() / 1e3;
            double end = start + measured.toMillis() / 1e3;
            double events = feeder.rate().dueUntil(end) - feeder.rate().dueUntil(start);
            String never = "a batch of " + feeder.batch() + " events never fills while measuring (" + feeder.rate()
                    + " for " + time + " allow at most " + (long) events + ")";
            // The problem is at eps if batch is not written.
            Misfit.require(!feeder.isOn() || events >= feeder.batch(), "feeder.batch.eps", never);
        }
    }

    /**
     * Returns the groups after settings have replaced values of the file, without groups that have 0 tasks. {@code users} is the total of
     * all closed groups, and {@code arrivals} the total of all open ones, divided in the proportions of the file.
     */
    private List<AnalystGroup> overridden(List<AnalystGroup> written) {
        List<AnalystGroup> groups = new ArrayList<>(written);
        share(groups, Property.USERS, LoadModel.Closed.class, "a number of users", LoadModel.Closed::shares);
        share(groups, Property.ARRIVALS, LoadModel.Open.class, "arrivals", LoadModel.Open::shares);
        groups.removeIf(group -> group.load() instanceof LoadModel.Scheduled scheduled && scheduled.tasks() == 0);
        if (groups.isEmpty()) {
            String path = "analysts[" + written.get(0).name() + "].tasks";
            String why = path + ": nothing is left to do without this group (allowed: 1 or more)";
            problems.add(Objects.requireNonNull(values.get(path)).origin(), why);
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

    /** @param shares divides the total among these loads, which are given by the names of their groups */
    private <T, L extends LoadModel> void share(
            List<AnalystGroup> groups,
            Property<T> property,
            Class<L> type,
            String what,
            BiFunction<T, Map<String, L>, List<L>> shares) {
        Map<String, L> written = new LinkedHashMap<>();
        groups.stream()
                .filter(group -> type.isInstance(group.load()))
                .forEach(group -> written.put(group.name(), type.cast(group.load())));
        Origin origin = settings.origin(property);
        Optional<List<L>> shared = settings.find(property)
                .flatMap(total -> problems.collect(origin, () -> {
                    String load = type.getSimpleName().toLowerCase(Locale.ROOT);
                    String none = "no group of this scenario has " + what + " (none has load: " + load + ")";
                    ValueType.require(!written.isEmpty(), none);
                    return shares.apply(total, written);
                }));
        Iterator<L> next = shared.orElse(List.of()).iterator();
        groups.replaceAll(group -> {
            if (!next.hasNext() || !written.containsKey(group.name())) {
                return group;
            }
            L load = next.next();
            Object share = load instanceof LoadModel.Open open ? open.arrivals() : load.defaultWorkers();
            put("analysts[" + group.name() + "]." + property.name(), share.toString(), origin);
            return group.with(load);
        });
    }

    /** Notes names in the setting {@code searches} that are not names of the scenario's searches. */
    private void checkKept(List<SearchName> all) {
        Choices<SearchName> known = SearchName.choices(all);
        keptSearches.stream()
                .filter(name -> known.find(name).isEmpty())
                .forEach(name -> problems.add(
                        settings.origin(Property.SEARCHES),
                        "'" + name + "' is not a search of this scenario (" + known.help(name)
                                + ", separated by commas)"));
    }

    /** Returns the searches that the setting {@code searches} keeps; all searches if it keeps none, which {@link #checkKept} notes. */
    private List<SearchName> kept(List<SearchName> all) {
        List<SearchName> kept =
                all.stream().filter(search -> !isLeftOut(search)).toList();
        return kept.isEmpty() ? all : kept;
    }

    /** Returns whether a setting leaves this search out. */
    private boolean isLeftOut(SearchName search) {
        return !keptSearches.isEmpty() && !keptSearches.contains(search.name());
    }

    /**
     * Keeps the objectives that apply. An objective whose subject is turned off is noted as not applied; other missing subjects are errors.
     */
    private List<Objective> applied(List<Objective> objectives, List<AnalystGroup> groups) {
        List<Objective> applied = new ArrayList<>();
        for (int i = 0; i < objectives.size(); i++) {
            Objective objective = objectives.get(i);
            String subject = objective.subject();
            boolean isFeeder = subject.equals("feeder");
            Property<?> off = isFeeder ? Property.EPS : Property.SEARCHES;
            YamlNode node = top.required("objectives").elements().get(i);
            if (isFeeder ? users.feeder.isOn() : subject.equals("all") || isMeasured(new SearchName(subject), groups)) {
                applied.add(objective);
            } else if (settings.setting(off).isPresent() && (isFeeder || node.origin() instanceof Origin.InFile)) {
                String why = isFeeder ? "there is no feeder" : "the search is left out";
                put(node.path(), objective.text() + " (not applied: " + why + ")", settings.origin(off));
            } else {
                String none = isFeeder
                        ? "there is no feeder (give feeder.eps, or leave this out)"
                        : "no group searches " + subject + " (add it to a mix, or leave this out)";
                node.problemAt(0, none);
            }
        }
        return applied;
    }

    /** Returns whether the search is or may be executed: a follow-up may be any search of the catalogue. */
    private boolean isMeasured(SearchName search, List<AnalystGroup> groups) {
        return !isLeftOut(search)
                && groups.stream()
                        .map(AnalystGroup::searched)
                        .anyMatch(searched -> searched.followUpRatio() > 0
                                || searched.mix().possible().contains(search));
    }

    private void readStatements() {
        refuse(top, "cannot be used with statements", "dataset ownSearches procedure feeder retention");
        refuseSettingsOfEvents();
        YamlNode node = top.required("statements");
        Optional<Map<SearchName, StatementPlan.Written>> written =
                records.map(node, OWN_NAME, statement -> records.record(statement, StatementPlan.Written.class));
        List<SearchName> all = node.entries().keySet().stream()
                .flatMap(key -> OWN_NAME.tryParse(key).stream())
                .toList();
        if (node.isMapping() && node.entries().isEmpty()) {
            node.problem("is empty (needed: at least one statement)");
        }
        // If no statement is valid, groups are still read as groups that execute statements.
        List<SearchName> names = all.isEmpty() ? SearchName.builtIn() : all;
        records.with(SearchName.class, ValueType.choice(SearchName.choices(names)))
                .with(Objective.class, Objective.type(names))
                .reading(
                        Searched.class,
                        group -> records.record(group, OfStatements.class)
                                .map(asked -> Searched.ofStatements(
                                        asked.mix().orElseGet(() -> Weights.alike(kept(names))))));
        records.record(top, Load.class).ifPresent(load -> users = new Searching(load));
        written.ifPresent(read -> plans = read.entrySet().stream()
                .map(one -> one.getValue().plan(one.getKey()))
                .toList());
    }

    private void refuseSettingsOfEvents() {
        settings.refuseGiven(OF_EVENTS, "means nothing to statements, which query existing data (remove it)", problems);
    }

    /** Returns a type for statements that begin with one of these words, which are given in lower case. */
    private static ValueType<StatementText> beginning(String words) {
        return new ValueType<>("text", StatementText.TYPE.standIn(), written -> {
            StatementText text = StatementText.parse(written);
            String start = text.written().replaceAll("\\s+", " ").strip().toLowerCase(Locale.ROOT) + " ";
            boolean begins = Stream.of(words.split(", ", -1)).anyMatch(begin -> start.startsWith(begin + " "));
            ValueType.require(begins, "is a statement that is not allowed here (allowed: " + words + ")");
            return text;
        });
    }

    /**
     * Reads the source of a parameter's values.
     *
     * @param scale the factor for a single number that is written for a range of values; 0 if a single number is not allowed
     */
    private Optional<? extends Values> values(YamlNode node, long scale) {
        if (node.isList()) {
            List<String> listed = node.elements().stream()
                    .flatMap(value -> value.find(ANY_TEXT).stream())
                    .toList();
            records.put(node, listed.size() + " values");
            if (node.elements().isEmpty()) {
                node.problem("is empty (needed: at least one value)");
            }
            return Optional.of(new Values.Listed(listed));
        } else if (node.peek("file").isPresent()) {
            if (node.peek("column").isEmpty()) {
                // The column has the name of the parameter.
                node.put("column", node.path().replaceFirst(".*\\.", ""), node.origin());
            }
            return records.record(node, StatementPlan.Column.class).map(StatementPlan.Column::values);
        } else if (node.isMapping()) {
            Class<? extends Values> type = node.peek("query").isPresent() ? Values.Asked.class : Values.Range.class;
            node.peek("query")
                    .filter(query -> scale > 0)
                    .ifPresent(query -> query.problem("is not possible in a procedure (give {file: values.csv})"));
            return records.record(node, type);
        } else if (scale > 0) {
            return records.value(node, NUMBER).map(number -> new Values.Range(1, number * scale));
        }
        node.problem("is not a source of values (allowed: " + StatementPlan.WAYS + ")");
        return Optional.empty();
    }

    /** Reads a file; exceptions have messages that users can understand. */
    private interface FileReading<T> {
        T read(Path file) throws IOException;
    }

    /**
     * Reads a file that the scenario names. The file must be in the scenario's directory or below it: a scenario may come from somebody
     * else, and the contents of the file end up in a database and in results.
     */
    private <T> Optional<T> fileBeside(YamlNode node, FileReading<T> reading) {
        ValueType<Optional<T>> contents = new ValueType<>("path", Optional.empty(), name -> {
            Path relative = ValueType.path().parse(name);
            if (relative.isAbsolute() || List.of(name.split("[/\\\\]", -1)).contains("..")) {
                throw new IllegalArgumentException("'" + name
                        + "' is not below the scenario's directory (allowed: a path from that directory, without ..)");
            }
            Path beside = file.path().toAbsolutePath().resolveSibling(relative);
            RegularFile.refusal(beside).ifPresent(why -> {
                throw new IllegalArgumentException(beside + ": " + why);
            });
            try {
                return Optional.of(reading.read(beside));
            } catch (IOException | ConfigException unreadable) {
                throw new IllegalArgumentException(unreadable.getMessage(), unreadable);
            }
        });
        return records.value(node, contents).flatMap(read -> read);
    }

    /** The keys of a scenario that replays a recording. */
    private record Replaying(
            Replay replay, @Key(standard = "[]") List<Objective> objectives) {}

    /** The keys of {@code replay}: the recording, its speed, and the statements that are left out. */
    record Replay(
            QueryRecording recording,
            @Key(allowed = "0.01 to 100", standard = "1") double speed,

            @Key(standard = "[]") List<SearchName> without) {
        Replay {
            Misfit.require(!without.containsAll(recording.names()), "without", "leaves no statement to replay");
        }
    }

    private void readReplay() {
        String others = "dataset ownSearches procedure feeder retention statements analysts phases";
        refuse(top, "cannot be used with a replay", others);
        refuseSettingsOfEvents();
        records.with(SearchName.class, SearchDefinition.NAME).with(Objective.class, Objective.type(List.of()));
        records.record(top, Replaying.class).ifPresent(read -> {
            Replay replay = read.replay;
            // The plans of statements are shown for example values; the load uses the values of each execution.
            plans = replay.recording.queries().stream()
                    .filter(query -> !replay.without.contains(query.statement().name()))
                    .map(query ->
                            new StatementPlan(query.statement(), Map.of(), List.of(query.byName(query.example()))))
                    .toList();
            LoadModel.Replayed load = new LoadModel.Replayed(replay.recording, replay.speed);
            Weights<SearchName> asked = Weights.alike(
                    kept(plans.stream().map(plan -> plan.statement().name()).toList()));
            AnalystGroup sessions =
                    new AnalystGroup("sessions", load, Investigation.OF_TASKS, Searched.ofStatements(asked));
            users = new Searching(new Load(List.of(sessions), phases(load), read.objectives));
        });
    }

    private QueryRecording recording(Path beside) throws IOException {
        QueryRecording recording = QueryRecording.of(beside);
        records.with(SearchName.class, ValueType.choice(SearchName.choices(recording.names())))
                .with(Objective.class, Objective.type(recording.names()));
        return recording;
    }

    private Phases phases(LoadModel.Replayed load) {
        String all = "is not possible in a replay, where every recorded statement counts (remove it)";
        settings.refuseGiven(List.of(Property.WARMUP), all, problems);
        Duration whole = load.length();
        Duration measurement = settings.find(Property.DURATION).orElse(whole);
        Origin origin = settings.origin(Property.DURATION);
        put("phases.warmup", Durations.format(LoadModel.Replayed.LEAD), new Origin.Default());
        put("phases.measurement", Durations.format(measurement), origin);
        if (measurement.compareTo(whole) > 0) {
            String longer = "is longer than the recording, which takes " + Durations.format(whole) + " at speed "
                    + load.speed() + " (give a shorter time, or leave this out)";
            problems.add(origin, longer);
        }
        return new Phases(LoadModel.Replayed.LEAD, measurement);
    }

    private void readProcedure(YamlNode node) {
        settings.refuseGiven(OF_ANALYSTS, "is for analysts, but this scenario is a procedure (remove it)", problems);
        long scale = node.peek("scale")
                .flatMap(written -> NUMBER.tryParse(written.written()))
                .orElse(1L);
        records.with("listing", ValueType.choice(catalog.listing()))
                .reading(Values.class, some -> values(some, scale))
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
        // The known keys depend on the steps: without valid steps, no key is refused.
        records.record(node, Procedure.Steps.class).ifPresentOrElse(steps -> readSteps(node, steps), node::entries);
    }

    private void readSteps(YamlNode node, Procedure.Steps written) {
        List<Kind> kinds = written.steps();
        CacheState caches = written.caches();
        boolean pages = kinds.contains(Kind.PAGE);
        boolean reads = kinds.contains(Kind.READ) || pages;
        boolean isUsers = kinds.contains(Kind.USERS);
        boolean transacts = isUsers && node.peek("transactions").isPresent();
        boolean matches = kinds.contains(Kind.READ) && node.peek("matching").isPresent();
        boolean searches = (reads || isUsers) && !transacts && !matches;
        if (searches) {
            settings.setting(Property.SEARCHES)
                    .ifPresent(given -> top.set(new Setting("procedure.searches", given.value(), given.origin())));
        } else {
            String why = "means nothing to a procedure without searches (remove it)";
            settings.refuseGiven(List.of(Property.SEARCHES), why, problems);
        }
        // A single value, and values from settings, need no brackets.
        Stream.of("searches", "levels", "order")
                .forEach(key -> node.peek(key)
                        .filter(list -> !list.written().isEmpty())
                        .ifPresent(list -> node.set(
                                new Setting(key, "[" + list.written().replaceAll("[, ]+", ",") + "]", list.origin()))));
        Optional<Procedure.Asked> asked = searches ? records.record(node, Procedure.Asked.class) : Optional.empty();
        leaveOut(node, "passes", !reads && !searches);
        leaveOut(node, "caches", !reads || !searches);
        leaveOut(node, "servers", transacts || pages || kinds.contains(Kind.FEED));
        List<Procedure.Step> steps = new ArrayList<>();
        for (Kind kind : kinds) {
            Class<? extends Procedure.Step> type = transacts ? Procedure.Transactions.class : kind.type;
            records.record(node, type).ifPresent(steps::add);
        }
        boolean follows = steps.stream()
                .anyMatch(step ->
                        step instanceof Procedure.Read read && !read.changes().isEmpty());
        boolean emptied = caches == CacheState.COLD || caches == CacheState.LUKEWARM;
        String alone = "emptied caches and follow-ups need a single server (give 1)";
        refuse(node, "servers", written.servers() > 1 && (follows || emptied), alone);
        String hot = "hot is not for follow-ups: all searches have run before (allowed: asFound, cold, lukewarm)";
        refuse(node, "caches", follows && caches == CacheState.HOT, hot);
        asked.ifPresent(read -> {
            boolean isUnsorted = read.orders().contains(Order.UNSORTED);
            refuse(node, "order", follows && isUnsorted, "unsorted has no first row, from which follow-ups begin");
            boolean isSeveral = read.orders().size() > 1;
            refuse(node, "order", isSeveral && !pages, "several orders need steps: [page] (give one order)");
            boolean isWhole = read.page() instanceof Page.Whole && (pages || isUsers);
            refuse(node, "page", isWhole, "whole is for steps: [read] (write for example {size: 100})");
        });
        String unchecked = "cannot be checked in a procedure that begins with an empty store (remove it, or use a"
                + " procedure without load)";
        settings.setting(Property.HINT)
                .filter(hint ->
                        reads && kinds.contains(Kind.LOAD) && !hint.value().equals("none"))
                .ifPresent(hint -> problems.add(hint.origin(), unchecked));
        procedure = Optional.of(new Procedure(steps, asked, written.passes(), caches, written.servers()));
    }

    /** Refuses a key that means nothing to the steps; the key's default is then not a value of the scenario either. */
    private void leaveOut(YamlNode node, String key, boolean isUnused) {
        refuse(node, key, isUnused, "means nothing to these steps (remove it)");
        values.keySet().removeIf(path -> isUnused && path.equals(node.pathOf(key)));
    }

    private static void refuse(YamlNode node, String key, boolean isWrong, String why) {
        node.peek(key).filter(written -> isWrong).ifPresent(written -> written.problem(why));
    }
}
