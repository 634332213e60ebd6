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
import java.util.stream.Stream;
import siemload.config.Choices;
import siemload.config.Durations;
import siemload.config.NamedFile;
import siemload.config.Origin;
import siemload.config.Problem;
import siemload.config.Problems;
import siemload.config.Property;
import siemload.config.Setting;
import siemload.config.Settings;
import siemload.config.Sha256;
import siemload.config.ValueType;
import siemload.config.YamlDocument;
import siemload.config.YamlNode;
import siemload.config.YamlRecords;
import siemload.config.YamlRecords.Key;
import siemload.query.Field;
import siemload.query.SearchCatalog;
import siemload.query.SearchDefinition;
import siemload.query.SearchName;
import siemload.query.SearchReader;
import siemload.scenario.rate.CapturedRate;
import siemload.scenario.rate.ConstantRate;
import siemload.scenario.rate.Rate;
import siemload.scenario.rate.RateText;
import siemload.scenario.replay.QueryRecording;
import siemload.scenario.replay.QueryRecordingReader;
import siemload.scenario.replay.RecordedQuery;

/** Reads scenario files and applies the settings that override their values. */
public final class ScenarioReader {
    private static final String DIRECTORY = "scenarios";
    private static final String OWN_SEARCHES = "ownSearches";
    private static final Feeder NO_FEEDER = new Feeder(ConstantRate.NONE, 50, 1);
    private static final Phases NO_TIME = new Phases(Duration.ZERO, Duration.ZERO);

    /** How fast users arrive, in users a second. */
    static final ValueType<Rate> ARRIVALS = RateText.type(10_000);

    /** A name that can stand in results and file names. */
    private static final ValueType<String> NAME = ValueType.of("name", "", text -> {
        if (!text.matches("[A-Za-z0-9][A-Za-z0-9_.-]{0,59}")) {
            throw new IllegalArgumentException(
                    "'" + text + "' is not a name (allowed: up to 60 of A-Z a-z 0-9 _ . -, first a letter or digit)");
        }
        return text;
    });

    private static final ValueType<Double> WEIGHT = ValueType.number(0, 1_000_000);

    private final NamedFile file;
    private final YamlNode top;
    private final Settings settings;
    private final Problems problems;
    private final ValueLog log;
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
        this.log = new ValueLog();
        this.overrides = new Overrides(top, settings, problems);
        this.records = new YamlRecords(log::put)
                .with("name", NAME)
                .with("arrivals", ARRIVALS)
                .with("rate", RateText.ofEvents(10_000_000))
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
                        settings.ofScenario(),
                        problems,
                        top -> new ScenarioReader(file, top, settings, problems).scenario())
                .orElseThrow();
    }

    /** The names of the scenarios in {@code scenarios/} under the home directory, sorted. */
    public static List<String> names(Path home) {
        return NamedFile.names(home, DIRECTORY);
    }

    private Optional<ResolvedScenario> scenario() {
        String description =
                records.value(top.required("description"), ValueType.text()).orElse("");
        Optional<Scenario> scenario;
        if (top.optional("replay").isPresent()) {
            scenario = replaying();
        } else if (top.optional("statements").isPresent()) {
            scenario = asking();
        } else {
            overrides.ofDataset();
            String dataset = log.optional(top, "dataset", ValueType.text(), "smoke");
            catalog = catalog.with(ownSearches());
            top.peek(OWN_SEARCHES).ifPresent(own -> own.entries().forEach(this::checkRefinements));
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

    /** The searches that the scenario brings, by their names. Runs with others of the same names are told from these by what is logged. */
    private List<SearchDefinition> ownSearches() {
        List<SearchDefinition> own = new ArrayList<>();
        top.optional(OWN_SEARCHES)
                .ifPresent(all -> all.entries().forEach((name, written) -> {
                    Optional<String> refusal = SearchName.refusal(name)
                            .or(() -> Optional.of(
                                            "is, or may once be, a name of siemload's own (allowed: one with a small letter)")
                                    .filter(taken -> name.chars().noneMatch(Character::isLowerCase)
                                            || Objective.WHOLE_SUBJECTS.contains(name)));
                    refusal.ifPresent(why -> all.problemWithKey(name, why));
                    SearchName search = new SearchName(refusal.isEmpty() ? name : "refused");
                    // One that cannot be read finds everything, so that the rest can be checked.
                    SearchDefinition read = SearchReader.read(written, search)
                            .orElseGet(() -> new SearchDefinition(search, "", List.of(), Optional.empty()));
                    if (refusal.isEmpty()) {
                        log.put(written.path(), "contents " + Sha256.fingerprint(read.toString()), written.origin());
                        own.add(read);
                    }
                }));
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
                written.required("refinements")
                        .problem(
                                known.isPresent()
                                        ? "'" + finer + "' does not ask for what this search asks for and one drawn"
                                                + " address, port, category or detector more (name a search that does, or"
                                                + " DETAIL)"
                                        : "'" + finer + "' is unknown ("
                                                + catalog.names().help(finer.name()) + ")");
            }
        }
    }

    /** What stands in the file of analysts who search for events. */
    record Searching(
            @Key(filled = true) List<AnalystGroup> analysts,
            @Key(standard = "{eps: 0}") Feeder feeder,
            Phases phases,
            Optional<Retention> retention,
            @Key(standard = "[]") List<Objective> objectives) {
        Searching {
            GroupFile.requireDifferent(analysts);
        }
    }

    private Optional<Scenario> searching(String dataset) {
        overrides.ofAnalysts();
        overrides.ofFeeder();
        records.with(
                Objective.class,
                Objective.type(
                        catalog.all().stream().map(SearchDefinition::name).toList()));
        return records.record(top, Searching.class)
                .filter(read -> problems.isEmpty())
                .map(read -> {
                    checkBatch(read.feeder(), read.phases());
                    Duration measurement = read.phases().measurement();
                    read.retention()
                            .filter(removal -> removal.after().compareTo(measurement) >= 0)
                            .ifPresent(late -> top.required("retention")
                                    .required("after")
                                    .problem("is not within the measured phase, which takes "
                                            + Durations.format(measurement)
                                            + " (give a shorter time, or a longer phases.measurement)"));
                    return new Scenario(
                            "",
                            "",
                            dataset,
                            overrides.kept(read.analysts(), log),
                            read.feeder(),
                            read.phases(),
                            applied(read.objectives(), read.analysts(), read.feeder()),
                            Optional.empty(),
                            read.retention(),
                            List.of());
                });
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

    private Optional<Scenario> asking() {
        refuseBeside(
                "statements, which ask data that are there already",
                "dataset",
                OWN_SEARCHES,
                "procedure",
                "feeder",
                "retention");
        StatementSettings.check(settings, problems);
        overrides.ofAnalysts();
        YamlNode written = top.required("statements");
        Choices<SearchName> names = StatementsReader.names(written);
        // Without any that is good, groups are read as those of statements, too.
        names = names.byName().isEmpty() ? catalog.names() : names;
        statements = List.copyOf(names.byName().values());
        records.with(SearchName.class, ValueType.choice(names)).with(Objective.class, Objective.type(statements));
        List<StatementPlan> plans = new StatementsReader(records, directory()).read(written);
        return records.record(top, Asking.class)
                .flatMap(read -> ofStatements(read.analysts(), read.phases(), read.objectives(), plans));
    }

    private void refuseBeside(String other, String... keys) {
        for (String key : keys) {
            top.optional(key).ifPresent(beside -> beside.problem("cannot stand beside " + other + " (leave it out)"));
        }
    }

    /** @param plans of which those are none of the run's that a setting leaves out */
    private Optional<Scenario> ofStatements(
            List<AnalystGroup> groups, Phases phases, List<Objective> objectives, List<StatementPlan> plans) {
        return Optional.of(groups)
                .filter(read -> problems.isEmpty())
                .map(read -> new Scenario(
                        "",
                        "",
                        "",
                        overrides.kept(read, log),
                        NO_FEEDER,
                        phases,
                        applied(objectives, read, NO_FEEDER),
                        Optional.empty(),
                        Optional.empty(),
                        plans.stream()
                                .filter(plan -> !SearchNames.isLeftOut(
                                        plan.statement().name().name(), settings))
                                .toList()));
    }

    private Path directory() {
        Path directory = file.path().toAbsolutePath().getParent();
        return directory == null ? Path.of("") : directory;
    }

    private Optional<Scenario> stepByStep(String dataset) {
        refuseBeside("a procedure", "analysts", "feeder", "phases", "objectives", "retention");
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
        refuseBeside(
                "a replay, which has all that from its recording",
                "dataset",
                OWN_SEARCHES,
                "procedure",
                "feeder",
                "retention",
                "statements",
                "analysts",
                "phases");
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
            List<RecordedQuery> asked = read.queries().stream()
                    .filter(query -> !how.without().contains(query.statement().name()))
                    .toList();
            if (asked.isEmpty()) {
                node.required("without").problem("leaves nothing to be asked");
                return Optional.empty();
            }
            LoadModel.Replayed load = new LoadModel.Replayed(read, how.speed());
            Map<SearchName, Double> mix = new LinkedHashMap<>();
            asked.forEach(query -> mix.put(query.statement().name(), 1.0));
            AnalystGroup group = AnalystGroup.ofTasks(
                    "sessions",
                    load,
                    AnalystGroup.Searched.ofStatements(new Weights<>(mix)),
                    new ResultReading.Whole());
            return ofStatements(
                    List.of(group),
                    phases(load),
                    by.objectives(),
                    asked.stream().map(ScenarioReader::plan).toList());
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
        settings.setting(Property.WARMUP)
                .ifPresent(warmup -> problems.add(
                        warmup.origin(),
                        "is no part of a replay, in which everything that was recorded counts (leave it out)"));
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
            boolean isLeftOut = isSearch && SearchNames.isLeftOut(subject, settings);
            boolean isFromFile = node.origin() instanceof Origin.InFile;
            boolean isOfNothing = subject.equals("feeder") && !feeder.isOn();
            if (isSearch && (!isMeasured(subject, groups) || (isLeftOut && !isFromFile))) {
                node.problemAt(0, "no group searches " + subject + " (add it to a mix, or leave this out)");
            } else if (isOfNothing && settings.setting(Property.EPS).isEmpty()) {
                node.problemAt(0, "there is no feeder (give feeder.eps, or leave this out)");
            } else if (isLeftOut || isOfNothing) {
                log.put(
                        node.path(),
                        objective.text() + " (not applied: "
                                + (isLeftOut ? "the search is left out)" : "there is no feeder)"),
                        settings.origin(isLeftOut ? Property.SEARCHES : Property.EPS));
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

    /** A feeder that never fills a batch while measuring would have no rate to speak of. */
    private void checkBatch(Feeder feeder, Phases phases) {
        if (!feeder.isOn() || feeder.rate() instanceof CapturedRate) {
            return;
        }
        double start = phases.warmup().toMillis() / 1e3;
        double end = start + phases.measurement().toMillis() / 1e3;
        double events = feeder.rate().dueUntil(end) - feeder.rate().dueUntil(start);
        if (events < feeder.batch()) {
            Origin origin = Stream.of("feeder.batch", "feeder.eps", "phases.measurement")
                    .map(log::origin)
                    .filter(place -> !(place instanceof Origin.Default))
                    .findFirst()
                    .orElse(new Origin.Default());
            problems.add(new Problem(
                    origin,
                    "feeder.batch",
                    feeder.batch() + " events a batch are never filled while measuring (" + feeder.rate() + " for "
                            + Durations.format(phases.measurement()) + " allow at most " + (long) events + ")",
                    ""));
        }
    }
}
