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
import siemload.config.YamlDocument;
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
import siemload.scenario.rate.ConstantRate;
import siemload.scenario.rate.Rate;
import siemload.scenario.replay.QueryRecording;
import siemload.scenario.replay.QueryRecordingReader;
import siemload.scenario.replay.QueryRecording.RecordedQuery;

/** Reads scenario files and applies the settings that override their values. */
public final class ScenarioReader {
    private static final String DIRECTORY = "scenarios";
    private static final Feeder NO_FEEDER = new Feeder(ConstantRate.NONE, 50, 1);
    private static final Phases NO_TIME = new Phases(Duration.ZERO, Duration.ZERO);

    /** How fast users arrive, in users a second. */
    static final ValueType<Rate> ARRIVALS = Rate.type(10_000);

    /** A name that can stand in results and file names. */
    private static final ValueType<String> NAME = ValueType.of("name", "", text -> {
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
                .with("rate", Rate.ofEvents(10_000_000))
                .with(Field.class, ValueType.choice(Choices.of(Field.class, Field::label)))
                .with(WindowLength.class, WindowLength.TYPE);
        records.reading(
                        ResultReading.class,
                        (node, type, allowed) -> node.isMapping()
                                ? records.record(node, ResultReading.Paged.class)
                                        .map(Function.identity())
                                : records.value(node, ResultReading.WHOLE).map(whole -> new ResultReading.Whole()))
                .reading(Weights.class, (node, type, allowed) -> weights(node, records.keys(type, allowed)))
                .reading(AnalystGroup.class, (node, type, allowed) -> GroupFile.read(records, node, statements));
    }

    /**
     * The scenario that {@link Property#SCENARIO} names: a file in {@code scenarios/} without its ending, or the path of
     * a YAML file.
     *
     * @param home the directory that holds {@code scenarios/}
     * @throws siemload.config.ConfigException with everything that is wrong with the scenario and its overrides
     */
    public static ResolvedScenario read(Path home, Settings settings) {
        Setting named = settings.setting(Property.SCENARIO).orElseThrow();
        NamedFile file = NamedFile.find(home, DIRECTORY, named.value(), named.origin());
        Problems problems = new Problems();
        return YamlDocument.read(
                        file.path(),
                        file.shownAs(),
                        problems,
                        top -> new ScenarioReader(file, top, settings, problems).scenario())
                .orElseThrow();
    }

    /** The names of the scenarios in {@code scenarios/} under the home directory, sorted. */
    public static List<String> names(Path home) {
        return NamedFile.names(home, DIRECTORY);
    }

    private Optional<ResolvedScenario> scenario() {
        overrides.byPath();
        String description =
                records.value(top.required("description"), ValueType.text()).orElse("");
        Optional<Scenario> scenario;
        if (top.optional("replay").isPresent()) {
            scenario = replaying();
        } else if (top.optional("statements").isPresent()) {
            scenario = asking();
        } else {
            settings.setting(Property.DATASET).ifPresent(given -> top.put("dataset", given.value(), given.origin()));
            String dataset = log.optional(top, "dataset", ValueType.text(), "smoke");
            Optional<YamlNode> own = top.optional("ownSearches");
            own.ifPresent(searches -> catalog = catalog.with(ownSearches(searches)));
            own.ifPresent(searches -> searches.entries().forEach(this::checkRefinements));
            records.with(SearchName.class, ValueType.choice(catalog.names()));
            scenario = top.optional("procedure").isPresent() ? stepByStep(dataset) : searching(dataset);
        }
        return scenario.filter(read -> problems.isEmpty())
                .map(read -> new ResolvedScenario(read.of(file.name(), description), log.list(), catalog));
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

    /** The searches that the scenario brings. Runs with others of the same names are told from these by what is logged. */
    private List<SearchDefinition> ownSearches(YamlNode all) {
        List<SearchDefinition> own = new ArrayList<>();
        all.entries().forEach((name, written) -> {
            boolean isTaken = name.chars().noneMatch(Character::isLowerCase) || Objective.WHOLE_SUBJECTS.contains(name);
            Optional<String> refusal = SearchName.refusal(name)
                    .or(() -> Optional.of(
                                    "is, or may once be, a name of siemload's own (allowed: one with a small letter)")
                            .filter(why -> isTaken));
            refusal.ifPresent(why -> all.problemWithKey(name, why));
            SearchName search = new SearchName(refusal.isEmpty() ? name : "refused");
            // One that cannot be read finds everything, so that the rest can be checked.
            SearchDefinition read = SearchReader.read(written, search)
                    .orElseGet(() -> new SearchDefinition(search, "", List.of(), Optional.empty()));
            if (refusal.isEmpty()) {
                log.put(written.path(), "contents " + Sha256.fingerprint(read.toString()), written.origin());
                own.add(read);
            }
        });
        return own;
    }

    /** Notes what users cannot narrow this search to, in a row of which they would have to see what is added. */
    private void checkRefinements(String name, YamlNode written) {
        if (!problems.isEmpty()) {
            return;
        }
        SearchDefinition search = catalog.get(new SearchName(name));
        for (SearchName finer : search.refinements()) {
            Optional<SearchDefinition> known = catalog.find(finer);
            boolean isNarrower = known.filter(one -> one.summary().isEmpty())
                    .flatMap(search::addedBy)
                    .filter(added -> added.key().isSeenInRows())
                    .isPresent();
            if (!isNarrower && !finer.equals(SearchName.DETAIL)) {
                String why = known.isPresent()
                        ? "' does not ask for what this search asks for and one drawn address, port, category or detector"
                                + " more (name a search that does, or DETAIL)"
                        : "' is unknown (" + catalog.names().help(finer.name()) + ")";
                written.required("refinements").problem("'" + finer + why);
            }
        }
    }

    /** What stands in the file of users who ask statements of data that are there already. */
    record Asking(
            @Key(filled = true) List<AnalystGroup> analysts,
            Phases phases,
            @Key(standard = "[]") List<Objective> objectives) {
        Asking {
            GroupFile.requireDifferent(analysts);
        }
    }

    /** What stands in the file of analysts who search for events. */
    record Searching(
            @Inline Asking users,
            @Key(standard = "{eps: 0}") Feeder feeder,
            Optional<Retention> retention) {
        Searching {
            Phases phases = users.phases();
            String time = Durations.format(phases.measurement());
            if (retention
                    .filter(removal -> removal.after().compareTo(phases.measurement()) >= 0)
                    .isPresent()) {
                throw new Misfit(
                        "retention.after",
                        "is not within the measured phase, which takes " + time
                                + " (give a shorter time, or a longer phases.measurement)");
            }
            double start = phases.warmup().toMillis() / 1e3;
            double end = start + phases.measurement().toMillis() / 1e3;
            Rate rate = feeder.rate();
            boolean isKnown = feeder.isOn() && !(rate instanceof Rate.Captured);
            double events = isKnown ? rate.dueUntil(end) - rate.dueUntil(start) : feeder.batch();
            if (events < feeder.batch()) {
                throw new Misfit(
                        "feeder.batch.eps", // at eps where batch is not written
                        feeder.batch() + " events a batch are never filled while measuring (" + rate + " for " + time
                                + " allow at most " + (long) events + ")");
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
                .filter(read -> problems.isEmpty())
                .map(read -> scenario(dataset, read.users(), read.feeder(), read.retention(), List.of()));
    }

    private Scenario scenario(
            String dataset, Asking users, Feeder feeder, Optional<Retention> retention, List<StatementPlan> plans) {
        return new Scenario(
                "",
                "",
                dataset,
                busy(users.analysts()),
                feeder,
                users.phases(),
                applied(users.objectives(), users.analysts(), feeder),
                Optional.empty(),
                retention,
                plans);
    }

    /**
     * The groups that have something to do. Groups with a trend that no task stores are left out; a scenario of trends alone cannot do
     * without.
     */
    private List<AnalystGroup> busy(List<AnalystGroup> written) {
        List<AnalystGroup> groups = written.stream()
                .filter(group -> !(group.load() instanceof LoadModel.Scheduled scheduled && scheduled.tasks() == 0))
                .toList();
        if (groups.isEmpty()) {
            String path = "analysts[" + written.get(0).name() + "].tasks";
            problems.add(log.origin(path), path + ": nothing is left to do without this group (allowed: 1 or more)");
        }
        List<SearchName> all = groups.stream()
                .filter(group -> !group.storesTrend())
                .flatMap(group -> group.searched().mix().weights().keySet().stream())
                .distinct()
                .sorted()
                .toList();
        overrides.check(all);
        return groups;
    }

    private Optional<Scenario> asking() {
        refuse("statements, which ask data that are there already", "dataset ownSearches procedure feeder retention");
        StatementSettings.check(settings, problems);
        overrides.ofAnalysts();
        YamlNode written = top.required("statements");
        Choices<SearchName> names = StatementsReader.names(written);
        // Without any that is good, groups are read as those of statements, too.
        names = names.byName().isEmpty() ? catalog.names() : names;
        List<SearchName> all = List.copyOf(names.byName().values());
        statements = overrides.kept(all);
        records.with(SearchName.class, ValueType.choice(names)).with(Objective.class, Objective.type(all));
        List<StatementPlan> plans = new StatementsReader(records, directory()).read(written);
        return records.record(top, Asking.class).flatMap(read -> asking(read, plans));
    }

    /** @param plans of which those are none of the run's that a setting leaves out */
    private Optional<Scenario> asking(Asking users, List<StatementPlan> plans) {
        List<StatementPlan> kept = plans.stream()
                .filter(plan -> !overrides.isLeftOut(plan.statement().name().name()))
                .toList();
        return Optional.of(users)
                .filter(read -> problems.isEmpty())
                .map(read -> scenario("", read, NO_FEEDER, Optional.empty(), kept));
    }

    private void refuse(String beside, String keys) {
        for (String key : keys.split(" ", -1)) {
            top.optional(key).ifPresent(one -> one.problem("cannot stand beside " + beside + " (leave it out)"));
        }
    }

    private Path directory() {
        Path directory = file.path().toAbsolutePath().getParent();
        return directory == null ? Path.of("") : directory;
    }

    private Optional<Scenario> stepByStep(String dataset) {
        refuse("a procedure", "analysts feeder phases objectives retention");
        return new ProcedureReader(top.required("procedure"), records, settings, log, problems, catalog, directory())
                .read()
                .map(procedure -> new Scenario(
                        "",
                        "",
                        dataset,
                        List.of(),
                        NO_FEEDER,
                        NO_TIME,
                        List.of(),
                        Optional.of(procedure),
                        Optional.empty(),
                        List.of()));
    }

    /** What is replayed, and at which speed. */
    private record Replay(
            @Key(allowed = "0.01 to 100", standard = "1") double speed,

            @Key(standard = "[]") List<SearchName> without) {}

    private record Judged(@Key(standard = "[]") List<Objective> objectives) {}

    /** What a log has of sessions is asked once more. */
    private Optional<Scenario> replaying() {
        refuse(
                "a replay, which has all that from its recording",
                "dataset ownSearches procedure feeder retention statements analysts phases");
        StatementSettings.check(settings, problems);
        overrides.ofAnalysts();
        YamlNode node = top.required("replay");
        YamlNode named = node.required("recording");
        Optional<QueryRecording> recording =
                records.value(named, ValueType.text()).flatMap(path -> recording(named, path));
        List<SearchName> names = recording.map(QueryRecording::queries).orElse(List.of()).stream()
                .map(query -> query.statement().name())
                .toList();
        records.with(
                        SearchName.class,
                        recording.isEmpty() ? SearchReader.NAME : ValueType.choice(SearchName.choices(names)))
                .with(Objective.class, Objective.type(names));
        Optional<Replay> replay = records.record(node, Replay.class);
        Optional<Judged> judged = records.record(top, Judged.class);
        return recording.flatMap(read -> replay.flatMap(how -> judged.flatMap(by -> {
            List<SearchName> with =
                    names.stream().filter(name -> !how.without().contains(name)).toList();
            if (with.isEmpty()) {
                node.required("without").problem("leaves nothing to be asked");
                return Optional.empty();
            }
            Map<SearchName, Double> mix = new LinkedHashMap<>();
            overrides.kept(with).forEach(name -> mix.put(name, 1.0));
            LoadModel.Replayed load = new LoadModel.Replayed(read, how.speed());
            AnalystGroup group = AnalystGroup.ofTasks(
                    "sessions",
                    load,
                    AnalystGroup.Searched.ofStatements(new Weights<>(mix)),
                    new ResultReading.Whole());
            List<StatementPlan> plans = read.queries().stream()
                    .filter(query -> with.contains(query.statement().name()))
                    .map(ScenarioReader::plan)
                    .toList();
            return asking(new Asking(List.of(group), phases(load), by.objectives()), plans);
        })));
    }

    private Optional<QueryRecording> recording(YamlNode node, String path) {
        try {
            return Optional.of(QueryRecordingReader.headOf(StatementsReader.fileBeside(directory(), path)));
        } catch (IOException | IllegalArgumentException unreadable) {
            node.problem(String.valueOf(unreadable.getMessage()));
            return Optional.empty();
        }
    }

    /** Plans are shown for the example; the load has the values of each execution. */
    private static StatementPlan plan(RecordedQuery query) {
        List<String> parameters = query.statement().text().parameters();
        ValueRows example = parameters.isEmpty() ? ValueRows.NONE : new ValueRows(parameters, List.of(query.example()));
        return new StatementPlan(query.statement(), Map.of(), example);
    }

    private Phases phases(LoadModel.Replayed load) {
        settings.refuseGiven(
                List.of(Property.WARMUP),
                "is no part of a replay, in which everything that was recorded counts (leave it out)",
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
                log.put(
                        node.path(),
                        objective.text() + " (not applied: "
                                + (isLeftOut ? "the search is left out)" : "there is no feeder)"),
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
                .anyMatch(group -> group.followUpRatio() > 0
                        || group.searched().mix().possible().stream()
                                .anyMatch(search -> search.name().equals(subject)));
    }

    /** Remembers values by path: what they are and where they come from. Not thread-safe. */
    static final class ValueLog {
        private final Map<String, Setting> values = new LinkedHashMap<>();

        /** The value of a key that may be left out, and then is as if this had been written. */
        <T> T optional(YamlNode parent, String key, ValueType<T> type, String standard) {
            return parent.optional(key)
                    .map(node -> {
                        put(node.path(), node.written(), node.origin());
                        return node.as(type);
                    })
                    .orElseGet(() -> {
                        put(parent.pathOf(key), standard, new Origin.Default());
                        return type.parse(standard);
                    });
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
