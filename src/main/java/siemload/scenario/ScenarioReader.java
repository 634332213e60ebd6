package siemload.scenario;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import siemload.config.Choices;
import siemload.config.Durations;
import siemload.config.NamedFile;
import siemload.config.Origin;
import siemload.config.Problems;
import siemload.config.Property;
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
import siemload.query.SearchCatalog;
import siemload.query.SearchDefinition;
import siemload.query.SearchName;
import siemload.query.SearchReader;
import siemload.scenario.AnalystGroup.Investigation;
import siemload.scenario.AnalystGroup.Searched;
import siemload.scenario.rate.Rate;
import siemload.scenario.replay.QueryRecording;

/** Reads scenario files and applies the settings that override their values. */
public final class ScenarioReader {
    private static final String DIRECTORY = "scenarios";
    private static final Feeder NO_FEEDER = new Feeder(Rate.NONE, 50, 1);
    private static final Phases NO_TIME = new Phases(Duration.ZERO, Duration.ZERO);

    /** Settings that mean nothing to statements: somebody who gives one would take it for done. */
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

    /** How fast users arrive, in users a second. */
    static final ValueType<Rate> ARRIVALS = Rate.type(10_000);

    /** A name that can stand in results and file names. */
    private static final ValueType<String> NAME = new ValueType<>("name", "", text -> {
        if (!text.matches("[A-Za-z0-9][A-Za-z0-9_.-]{0,59}")) {
            throw new IllegalArgumentException(
                    "'" + text + "' is not a name (allowed: up to 60 of A-Z a-z 0-9 _ . -, first a letter or digit)");
        }
        return text;
    });

    static final ValueType<Double> WEIGHT = ValueType.number(0, 1_000_000);

    private final NamedFile file;
    private final YamlNode top;
    private final Settings settings;
    private final Problems problems;
    private final ValueLog log = new ValueLog();
    private final Overrides overrides;
    private final YamlRecords records;
    private SearchCatalog catalog = SearchCatalog.builtIn();
    private String description = "";
    /** That its users ask; none where they search for events. */
    private List<SearchName> statements = List.of();

    private ScenarioReader(NamedFile file, YamlNode top, Settings settings, Problems problems) {
        this.file = file;
        this.top = top;
        this.settings = settings;
        this.problems = problems;
        this.overrides = new Overrides(top, settings, problems);
        this.records = new YamlRecords(log::put)
                .with("name", NAME)
                .with("arrivals", ARRIVALS)
                .with("rate", Rate.type(10_000_000))
                .with(Field.class, ValueType.choice(Choices.of(Field.class, Field::label)))
                .with(WindowLength.class, WindowLength.TYPE);
        records.reading(ResultReading.class, this::resultReading)
                .reading(Weights.class, (node, type, allowed) -> weights(node, records.keys(type, allowed)))
                .reading(Investigation.class, this::investigation)
                .reading(Searched.class, this::searched)
                .reading(
                        QueryRecording.class,
                        node -> records.value(node, ValueType.text()).flatMap(path -> recording(node, path)));
    }

    /**
     * The scenario that {@link Property#SCENARIO} names: a file in {@code scenarios/} without its ending, or the path of
     * a YAML file.
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

    /** The files in {@code scenarios/} under the home directory by their names; those of its folders come last. */
    public static Map<String, Path> files(Path home) {
        return NamedFile.files(home, DIRECTORY, 2);
    }

    /** The settings that mean something to statements, in their order. */
    public static List<Setting> settingsOfStatements(Settings settings) {
        return Setting.without(OF_EVENTS, settings.list());
    }

    private Optional<Scenario> scenario() {
        overrides.byPath();
        description =
                records.value(top.required("description"), ValueType.text()).orElse("");
        Optional<Scenario> scenario = top.optional("replay").isPresent()
                ? replaying()
                : top.optional("statements").isPresent() ? asking() : withEvents();
        return scenario.filter(read -> problems.isEmpty());
    }

    private Optional<Scenario> withEvents() {
        settings.setting(Property.DATASET).ifPresent(given -> top.put("dataset", given.value(), given.origin()));
        String dataset = log.optional(top, "dataset", ValueType.text(), "smoke");
        Optional<YamlNode> own = top.optional("ownSearches");
        own.ifPresent(searches -> catalog = catalog.with(ownSearches(searches)));
        own.ifPresent(searches -> searches.entries().forEach(this::checkRefinements));
        records.with(SearchName.class, ValueType.choice(catalog.names()));
        return top.optional("procedure").isPresent() ? stepByStep(dataset) : searching(dataset);
    }

    private Optional<ResultReading> resultReading(YamlNode node) {
        return node.isMapping()
                ? records.record(node, ResultReading.Paged.class).map(Function.identity())
                : records.value(node, ResultReading.WHOLE).map(whole -> new ResultReading.Whole());
    }

    private Optional<Investigation> investigation(YamlNode group) {
        return Overrides.load(group).equals("scheduled")
                ? Optional.of(Investigation.OF_TASKS)
                : records.record(group, Investigation.class);
    }

    private Optional<Weights<Object>> weights(YamlNode node, ValueType<?> keys) {
        return records.map(node, keys, weight -> records.value(weight, WEIGHT)).flatMap(weights -> {
            if (weights.values().stream().noneMatch(weight -> weight > 0)) {
                node.problem("has no weight above 0 (needed: at least one)");
                return Optional.empty();
            }
            return Optional.of(new Weights<>(new LinkedHashMap<>(weights)));
        });
    }

    /** What a group has in the place of {@link Searched} where it asks statements; all alike unless there is a mix. */
    private record Asked(Optional<Weights<SearchName>> mix) {}

    /** What tasks have in its place that store a trend. */
    private record Trend(
            Field trend, @Key(standard = "{1h: 1}") Weights<WindowLength> window) {}

    private Optional<Searched> searched(YamlNode group) {
        if (!statements.isEmpty()) {
            return records.record(group, Asked.class)
                    .map(asked -> Searched.ofStatements(asked.mix().orElseGet(() -> Weights.alike(statements))));
        }
        boolean isTrend =
                Overrides.load(group).equals("scheduled") && group.peek("trend").isPresent();
        return isTrend
                ? records.record(group, Trend.class).map(read -> Searched.ofTrend(read.trend(), read.window()))
                : records.record(group, Searched.class);
    }

    /** The searches that the scenario brings. Runs with others of the same names are told from these by what is logged. */
    private List<SearchDefinition> ownSearches(YamlNode all) {
        List<SearchDefinition> own = new ArrayList<>();
        all.entries().forEach((name, written) -> {
            boolean isFree = name.chars().anyMatch(Character::isLowerCase) && !Objective.WHOLE_SUBJECTS.contains(name);
            String taken = "is, or may once be, a name of siemload's own (allowed: one with a small letter)";
            Optional<String> refusal =
                    SearchName.refusal(name).or(() -> isFree ? Optional.empty() : Optional.of(taken));
            if (refusal.isPresent()) {
                all.problemWithKey(name, refusal.get());
                return;
            }
            SearchName search = new SearchName(name);
            // One that cannot be read finds everything, so that the rest can be checked.
            SearchDefinition read = SearchReader.read(written, search)
                    .orElseGet(() -> new SearchDefinition(search, "", List.of(), Optional.empty()));
            log.put(written.path(), "contents " + Sha256.fingerprint(read.toString()), written.origin());
            own.add(read);
        });
        return own;
    }

    /** Notes what users cannot narrow this search to, in a row of which they would have to see what is added. */
    private void checkRefinements(String name, YamlNode written) {
        if (!problems.isEmpty()) {
            return;
        }
        SearchDefinition search = catalog.get(new SearchName(name));
        Choices<SearchName> narrower = SearchName.choices(catalog.all().stream()
                .filter(search::isNarrowedBy)
                .map(SearchDefinition::name)
                .toList());
        search.refinements().stream()
                .filter(finer -> narrower.find(finer.name()).isEmpty())
                .forEach(finer -> written.required("refinements")
                        .problem("'" + finer + "' "
                                + (catalog.find(finer).isEmpty()
                                        ? "is unknown"
                                        : "does not ask for one drawn address, port, category or detector more")
                                + " (" + narrower.help(finer.name()) + ")"));
    }

    /** What stands in the file of users, whatever they ask. */
    private record Load(
            @Key(filled = true) List<AnalystGroup> analysts,
            Phases phases,
            @Key(standard = "[]") List<Objective> objectives) {
        Load {
            List<String> names = new ArrayList<>();
            for (AnalystGroup group : analysts) {
                if (names.contains(group.name())) {
                    throw new Misfit(
                            "analysts." + names.size() + ".name",
                            "'" + group.name() + "' is the name of another group already");
                }
                names.add(group.name());
            }
        }
    }

    /** What stands in the file of analysts who search for events. */
    record Searching(
            @Inline Load load, @Key(standard = "{eps: 0}") Feeder feeder, Optional<Retention> retention) {
        Searching {
            Duration measured = load.phases().measurement();
            String time = Durations.format(measured);
            if (retention
                    .filter(removal -> removal.after().compareTo(measured) >= 0)
                    .isPresent()) {
                throw new Misfit(
                        "retention.after",
                        "is not within the measured phase, which takes " + time
                                + " (give a shorter time, or a longer phases.measurement)");
            }
            double start = load.phases().warmup().toMillis() / 1e3;
            double end = start + measured.toMillis() / 1e3;
            double events = feeder.rate().dueUntil(end) - feeder.rate().dueUntil(start);
            if (feeder.isOn() && events < feeder.batch()) {
                throw new Misfit(
                        "feeder.batch.eps", // at eps where batch is not written
                        feeder.batch() + " events a batch are never filled while measuring (" + feeder.rate() + " for "
                                + time + " allow at most " + (long) events + ")");
            }
        }
    }

    private Optional<Scenario> searching(String dataset) {
        overrides.ofAnalysts();
        records.with(
                Objective.class,
                Objective.type(
                        catalog.all().stream().map(SearchDefinition::name).toList()));
        return records.record(top, Searching.class)
                .flatMap(read -> scenario(dataset, read.load(), read.feeder(), read.retention(), List.of()));
    }

    /** @param plans of which those are none of the run's that a setting leaves out */
    private Optional<Scenario> scenario(
            String dataset, Load load, Feeder feeder, Optional<Retention> retention, List<StatementPlan> plans) {
        if (!problems.isEmpty()) {
            return Optional.empty();
        }
        List<AnalystGroup> groups = busy(load.analysts());
        return Optional.of(new Scenario(
                file.name(),
                description,
                dataset,
                groups,
                feeder,
                load.phases(),
                applied(load.objectives(), groups, feeder),
                Optional.empty(),
                retention,
                plans.stream()
                        .filter(plan ->
                                !overrides.isLeftOut(plan.statement().name().name()))
                        .toList(),
                log.list(),
                catalog));
    }

    /** The groups that have something to do: those without any task are left out, unless nothing would be left. */
    private List<AnalystGroup> busy(List<AnalystGroup> written) {
        List<AnalystGroup> groups = written.stream()
                .filter(group -> !(group.load() instanceof LoadModel.Scheduled scheduled && scheduled.tasks() == 0))
                .toList();
        if (groups.isEmpty()) {
            String path = "analysts[" + written.get(0).name() + "].tasks";
            problems.add(log.origin(path), path + ": nothing is left to do without this group (allowed: 1 or more)");
        }
        List<SearchName> unused = overrides.kept(groups.stream()
                .filter(group -> !group.storesTrend())
                .flatMap(group -> group.searched().mix().weights().keySet().stream())
                .distinct()
                .sorted()
                .toList());
        return groups.isEmpty() ? written : groups;
    }

    private Optional<Scenario> asking() {
        beginStatements(
                "statements, which ask data that are there already", "dataset ownSearches procedure feeder retention");
        YamlNode written = top.required("statements");
        Choices<SearchName> names = StatementsReader.names(written);
        // Without any that is good, groups are read as those of statements, too.
        names = names.byName().isEmpty() ? catalog.names() : names;
        List<SearchName> all = List.copyOf(names.byName().values());
        statements = overrides.kept(all);
        records.with(SearchName.class, ValueType.choice(names)).with(Objective.class, Objective.type(all));
        List<StatementPlan> plans = new StatementsReader(records, directory()).read(written);
        return records.record(top, Load.class).flatMap(read -> scenario("", read, NO_FEEDER, Optional.empty(), plans));
    }

    private void beginStatements(String beside, String others) {
        refuse(beside, others);
        settings.refuseGiven(
                OF_EVENTS, "means nothing to statements, which ask data as they are (remove it)", problems);
        overrides.ofAnalysts();
    }

    private void refuse(String beside, String keys) {
        for (String key : keys.split(" ", -1)) {
            top.optional(key).ifPresent(one -> one.problem("cannot stand beside " + beside + " (remove it)"));
        }
    }

    private Path directory() {
        return file.path().toAbsolutePath().resolveSibling("");
    }

    private Optional<Scenario> stepByStep(String dataset) {
        refuse("a procedure", "analysts feeder phases objectives retention");
        return new ProcedureReader(top.required("procedure"), records, settings, log, problems, catalog, directory())
                .read()
                .map(procedure -> new Scenario(
                        file.name(),
                        description,
                        dataset,
                        List.of(),
                        NO_FEEDER,
                        NO_TIME,
                        List.of(),
                        Optional.of(procedure),
                        Optional.empty(),
                        List.of(),
                        log.list(),
                        catalog));
    }

    /** What stands in the file of a replay. */
    private record Replaying(
            Replay replay, @Key(standard = "[]") List<Objective> objectives) {}

    /** What is replayed, and at which speed. */
    private record Replay(
            QueryRecording recording,
            @Key(allowed = "0.01 to 100", standard = "1") double speed,

            @Key(standard = "[]") List<SearchName> without) {}

    /** What a log has of sessions is asked once more. */
    private Optional<Scenario> replaying() {
        beginStatements(
                "a replay, which has all that from its recording",
                "dataset ownSearches procedure feeder retention statements analysts phases");
        records.with(SearchName.class, SearchReader.NAME).with(Objective.class, Objective.type(List.of()));
        return records.record(top, Replaying.class).flatMap(read -> {
            Replay replay = read.replay();
            // Plans are shown for the example; the load has the values of each execution.
            List<StatementPlan> plans = replay.recording().queries().stream()
                    .filter(query ->
                            !replay.without().contains(query.statement().name()))
                    .map(query ->
                            new StatementPlan(query.statement(), Map.of(), List.of(query.byName(query.example()))))
                    .toList();
            List<SearchName> asked =
                    plans.stream().map(plan -> plan.statement().name()).toList();
            if (asked.isEmpty()) {
                top.required("replay").required("without").problem("leaves nothing to be asked");
                return Optional.empty();
            }
            LoadModel.Replayed load = new LoadModel.Replayed(replay.recording(), replay.speed());
            AnalystGroup sessions = new AnalystGroup(
                    "sessions",
                    load,
                    Investigation.OF_TASKS,
                    Searched.ofStatements(Weights.alike(overrides.kept(asked))));
            Load written = new Load(List.of(sessions), phases(load), read.objectives());
            return scenario("", written, NO_FEEDER, Optional.empty(), plans);
        });
    }

    private Optional<QueryRecording> recording(YamlNode node, String path) {
        try {
            QueryRecording recording = QueryRecording.of(StatementsReader.fileBeside(directory(), path));
            List<SearchName> names = recording.queries().stream()
                    .map(query -> query.statement().name())
                    .toList();
            records.with(SearchName.class, ValueType.choice(SearchName.choices(names)))
                    .with(Objective.class, Objective.type(names));
            return Optional.of(recording);
        } catch (IOException | IllegalArgumentException unreadable) {
            node.problem(String.valueOf(unreadable.getMessage()));
            return Optional.empty();
        }
    }

    private Phases phases(LoadModel.Replayed load) {
        settings.refuseGiven(
                List.of(Property.WARMUP),
                "is not a part of a replay, in which everything that was recorded counts (remove it)",
                problems);
        Duration whole = load.length();
        Duration measurement = settings.find(Property.DURATION).orElse(whole);
        log.put("phases.warmup", Durations.format(LoadModel.Replayed.LEAD), new Origin.Default());
        log.put("phases.measurement", Durations.format(measurement), settings.origin(Property.DURATION));
        if (measurement.compareTo(whole) > 0) {
            problems.add(
                    settings.origin(Property.DURATION),
                    "is longer than the recording, which takes " + Durations.format(whole) + " at speed " + load.speed()
                            + " (give less to cut it, or leave this out)");
        }
        return new Phases(LoadModel.Replayed.LEAD, measurement);
    }

    /** The objectives but those of what a setting turns off: whoever does so is not held to it, and is told so; in the file it is a mistake. */
    private List<Objective> applied(List<Objective> objectives, List<AnalystGroup> groups, Feeder feeder) {
        List<Objective> applied = new ArrayList<>();
        for (int i = 0; i < objectives.size(); i++) {
            Objective objective = objectives.get(i);
            YamlNode node = top.required("objectives").elements().get(i);
            String subject = objective.subject();
            boolean isSearch = !Objective.WHOLE_SUBJECTS.contains(subject);
            boolean isLeftOut = isSearch && overrides.isLeftOut(subject) && node.origin() instanceof Origin.InFile;
            boolean isOfNothing = subject.equals("feeder") && !feeder.isOn();
            if (isLeftOut || (isOfNothing && settings.setting(Property.EPS).isPresent())) {
                String why = isLeftOut ? "the search is left out" : "there is no feeder";
                log.put(
                        node.path(),
                        objective.text() + " (not applied: " + why + ")",
                        settings.origin(isLeftOut ? Property.SEARCHES : Property.EPS));
            } else if (isSearch && !isMeasured(subject, groups)) {
                node.problemAt(0, "no group searches " + subject + " (add it to a mix, or leave this out)");
            } else if (isOfNothing) {
                node.problemAt(0, "there is no feeder (give feeder.eps, or leave this out)");
            } else {
                applied.add(objective);
            }
        }
        return applied;
    }

    /** Follow-up searches may be any of the catalogue, so only without them a search can be ruled out. */
    private static boolean isMeasured(String subject, List<AnalystGroup> groups) {
        return groups.stream()
                .map(AnalystGroup::searched)
                .anyMatch(searched -> searched.followUpRatio() > 0
                        || searched.mix().possible().stream()
                                .anyMatch(search -> search.name().equals(subject)));
    }

    /** Remembers values by path: what they are and where they come from. Not thread-safe. */
    static final class ValueLog {
        private final Map<String, Setting> values = new LinkedHashMap<>();

        /** The value of a key that may be left out, and then is as if this had been written. */
        <T> T optional(YamlNode parent, String key, ValueType<T> type, String standard) {
            Optional<YamlNode> written = parent.optional(key);
            put(
                    parent.pathOf(key),
                    written.map(YamlNode::written).orElse(standard),
                    written.map(YamlNode::origin).orElseGet(Origin.Default::new));
            return written.map(node -> node.as(type)).orElseGet(() -> type.parse(standard));
        }

        void put(String path, String value, Origin origin) {
            put(new Setting(path, value, origin));
        }

        void put(Setting value) {
            values.put(value.name(), value);
        }

        /** Where the value of this path comes from. */
        Origin origin(String path) {
            Setting setting = values.get(path);
            return setting == null ? new Origin.Default() : setting.origin();
        }

        List<Setting> list() {
            return List.copyOf(values.values());
        }
    }
}
