package siemload.scenario;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import siemload.config.Choices;
import siemload.config.ConfigException;
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
import siemload.config.YamlRecords.Misfit;
import siemload.query.CriterionTemplate;
import siemload.query.Field;
import siemload.query.SearchCatalog;
import siemload.query.SearchDefinition;
import siemload.query.SearchDefinition.OwnOrder;
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
    private static final String STANDARD_DATASET = "smoke";
    private static final Feeder NO_FEEDER = new Feeder(ConstantRate.NONE, 50, 1);
    private static final Phases NO_TIME = new Phases(Duration.ZERO, Duration.ZERO);

    /** How fast users arrive, in users a second. */
    static final ValueType<Rate> ARRIVALS = RateText.type(10_000);

    private final NamedFile file;
    private final Settings settings;
    private final Problems problems;
    private final ValueLog log;

    private ScenarioReader(NamedFile file, Settings settings, Problems problems) {
        this.file = file;
        this.settings = settings;
        this.problems = problems;
        this.log = new ValueLog(settings);
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
        ScenarioReader reader = new ScenarioReader(file, settings, problems);
        return YamlDocument.read(file.path(), file.shownAs(), settings.ofScenario(), problems, reader::scenario)
                .orElseThrow();
    }

    /** The names of the scenarios in {@code scenarios/} under the home directory, sorted. */
    public static List<String> names(Path home) {
        return NamedFile.names(home, DIRECTORY);
    }

    private Optional<ResolvedScenario> scenario(YamlNode top) {
        String description = log.required(top, "description", ValueType.text());
        SearchCatalog catalog = SearchCatalog.builtIn();
        Overrides overrides = new Overrides(top, settings, problems);
        Optional<Scenario> scenario;
        if (top.optional("replay").isPresent()) {
            scenario = replaying(top, overrides);
        } else if (top.optional("statements").isPresent()) {
            scenario = asking(top, overrides);
        } else {
            overrides.ofDataset();
            String dataset = log.optional(top, "dataset", ValueType.text(), STANDARD_DATASET);
            catalog = new OwnSearches(file.path(), file.shownAs(), log, problems).read(top);
            scenario = top.optional("procedure").isPresent()
                    ? stepByStep(top, dataset, catalog)
                    : searching(top, dataset, catalog, overrides);
        }
        SearchCatalog known = catalog;
        return scenario.map(read -> new ResolvedScenario(read.of(file.name(), description), log.list(), known));
    }

    /** What stands beside the groups of a scenario whose users search for events. */
    private record BesideAnalysts(
            @Key(standard = "{eps: 0}") FeederFile feeder, Phases phases, Optional<RetentionFile> retention) {}

    /** The rate is written as events a second, or as one that may change with time. */
    record FeederFile(
            @Key(allowed = "profile", standard = "constant") String profile,
            @Key(allowed = "0 to 10000000") Optional<Double> eps,
            @Key(allowed = "rate") Optional<Rate> rate,
            @Key(allowed = "1 to 10000", standard = "50") int batch,
            @Key(allowed = "1 to 1000", standard = "1") int connections) {
        FeederFile {
            if (rate.isPresent() && eps.isPresent()) {
                throw new Misfit("eps", "says the rate a second time (leave eps or rate out)");
            }
            if (rate.isEmpty() && eps.isEmpty()) {
                throw new IllegalArgumentException("has no rate (give eps or rate)");
            }
        }

        Feeder feeder() {
            return new Feeder(rate.orElseGet(() -> new ConstantRate(eps.orElseThrow())), batch, connections);
        }
    }

    private record RetentionFile(
            @Key(allowed = "drop", standard = "oldestDay") String drop,
            @Key(allowed = "0s to 1d") Duration after) {}

    private record StatementsPhases(Phases phases) {}

    private YamlRecords records(Choices<SearchName> searches) {
        YamlRecords records = new YamlRecords(log::put)
                .with("name", GroupReader.NAME)
                .with("arrivals", ARRIVALS)
                .with("rate", RateText.ofCaptured(10_000_000))
                .with("profile", ValueType.choice(Choices.names(List.of("constant"))))
                .with("drop", ValueType.choice(Choices.names(List.of("oldestDay"))))
                .with(Field.class, ValueType.choice(Choices.of(Field.class, Field::label)))
                .with(WindowLength.class, WindowLength.TYPE)
                .with(SearchName.class, ValueType.choice(searches));
        return records.reading(
                        ResultReading.class,
                        (node, type, allowed) -> node.isMapping()
                                ? records.record(node, ResultReading.Paged.class)
                                        .map(Function.identity())
                                : records.value(node, ResultReading.WHOLE).map(whole -> new ResultReading.Whole()))
                .reading(
                        Weights.class,
                        (node, type, allowed) -> GroupReader.weights(records, node, records.keys(type, allowed)));
    }

    private Optional<Scenario> searching(YamlNode top, String dataset, SearchCatalog catalog, Overrides overrides) {
        overrides.ofAnalysts();
        overrides.ofFeeder();
        YamlRecords records = records(catalog.names());
        List<AnalystGroup> groups = new GroupReader(records).searching(top.required("analysts"));
        Optional<BesideAnalysts> beside = records.record(top, BesideAnalysts.class);
        Feeder feeder = beside.map(read -> read.feeder().feeder()).orElse(NO_FEEDER);
        Phases phases = beside.map(BesideAnalysts::phases).orElse(NO_TIME);
        checkBatch(feeder, phases);
        List<Objective> objectives = objectives(
                top,
                groups,
                feeder,
                catalog.all().stream().map(SearchDefinition::name).toList());
        Optional<Retention> retention =
                beside.flatMap(BesideAnalysts::retention).map(read -> new Retention(read.after()));
        retention
                .filter(read -> problems.isEmpty() && read.after().compareTo(phases.measurement()) >= 0)
                .ifPresent(late -> top.required("retention")
                        .required("after")
                        .problem("is not within the measured phase, which takes "
                                + Durations.format(phases.measurement())
                                + " (give a shorter time, or a longer phases.measurement)"));
        return ofGood(() -> new Scenario(
                "",
                "",
                dataset,
                overrides.kept(groups, log),
                feeder,
                phases,
                objectives,
                Optional.empty(),
                retention,
                List.of()));
    }

    private Optional<Scenario> ofGood(Supplier<Scenario> scenario) {
        return problems.isEmpty() ? Optional.of(scenario.get()) : Optional.empty();
    }

    /** Users who ask statements of data that are there already. */
    private Optional<Scenario> asking(YamlNode top, Overrides overrides) {
        checkBesideStatements(
                top,
                List.of("dataset", OwnSearches.KEY, "procedure", "feeder", "retention"),
                "cannot stand beside statements, which ask data that are there already (leave it out)");
        overrides.ofAnalysts();
        YamlNode written = top.required("statements");
        Map<String, SearchName> names = StatementsReader.names(written);
        YamlRecords records = records(names.isEmpty() ? SearchCatalog.builtIn().names() : new Choices<>(names));
        List<StatementPlan> statements = new StatementsReader(records, directory()).read(written);
        YamlNode analysts = top.required("analysts");
        List<AnalystGroup> groups =
                names.isEmpty() ? List.of() : new GroupReader(records).asking(analysts, List.copyOf(names.values()));
        Optional<StatementsPhases> phases = records.record(top, StatementsPhases.class);
        return ofStatements(
                top, overrides, groups, phases.map(StatementsPhases::phases).orElse(NO_TIME), statements);
    }

    /** What a log has of sessions is asked once more. */
    private Optional<Scenario> replaying(YamlNode top, Overrides overrides) {
        checkBesideStatements(
                top,
                List.of(
                        "dataset",
                        OwnSearches.KEY,
                        "procedure",
                        "feeder",
                        "retention",
                        "statements",
                        "analysts",
                        "phases"),
                "cannot stand beside a replay, which has all that from its recording (leave it out)");
        overrides.ofAnalysts();
        Optional<ReplayReader.Replay> replay = new ReplayReader(
                        records(SearchCatalog.builtIn().names()), log, settings, problems, directory())
                .read(top.required("replay"));
        return ofStatements(
                top,
                overrides,
                replay.map(ReplayReader.Replay::group).map(List::of).orElse(List.of()),
                replay.map(ReplayReader.Replay::phases).orElse(NO_TIME),
                replay.map(ReplayReader.Replay::statements).orElse(List.of()));
    }

    /** Looks for what means nothing to statements, in the file and among the properties. */
    private void checkBesideStatements(YamlNode top, List<String> keys, String problem) {
        for (String key : keys) {
            top.optional(key).ifPresent(beside -> beside.problem(problem));
        }
        StatementSettings.check(settings, problems);
    }

    /** @param statements of which those are none of the run's that a setting leaves out */
    private Optional<Scenario> ofStatements(
            YamlNode top,
            Overrides overrides,
            List<AnalystGroup> groups,
            Phases phases,
            List<StatementPlan> statements) {
        List<Objective> objectives = objectives(
                top,
                groups,
                NO_FEEDER,
                statements.stream().map(plan -> plan.statement().name()).toList());
        return ofGood(() -> new Scenario(
                "",
                "",
                "",
                overrides.kept(groups, log),
                NO_FEEDER,
                phases,
                objectives,
                Optional.empty(),
                Optional.empty(),
                statements.stream()
                        .filter(plan ->
                                !SearchNames.isLeftOut(plan.statement().name().name(), settings))
                        .toList()));
    }

    private Path directory() {
        Path directory = file.path().toAbsolutePath().getParent();
        return directory == null ? Path.of("") : directory;
    }

    private Optional<Scenario> stepByStep(YamlNode top, String dataset, SearchCatalog catalog) {
        for (String key : List.of("analysts", "feeder", "phases", "objectives", "retention")) {
            top.optional(key)
                    .ifPresent(beside -> beside.problem("cannot stand beside a procedure (leave one of them out)"));
        }
        YamlNode written = top.required("procedure");
        return new ProcedureReader(written, records(catalog.names()), settings, log, problems, catalog, directory())
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

    /** @param searches that objectives can be about */
    private List<Objective> objectives(
            YamlNode top, List<AnalystGroup> groups, Feeder feeder, List<SearchName> searches) {
        boolean restIsGood = problems.isEmpty();
        List<Objective> objectives = new ArrayList<>();
        for (YamlNode node : top.optional("objectives").map(YamlNode::elements).orElse(List.of())) {
            log.value(node, ValueType.text());
            Objective.parse(node, searches)
                    .filter(objective -> restIsGood && isApplied(objective, node, groups, feeder))
                    .ifPresent(objectives::add);
        }
        return objectives;
    }

    /** Whoever turns the feeder or a search off by a setting is not held to it, and is told so; in the file it is a mistake. */
    private boolean isApplied(Objective objective, YamlNode node, List<AnalystGroup> groups, Feeder feeder) {
        String subject = objective.subject();
        boolean isSearch = !Objective.WHOLE_SUBJECTS.contains(subject);
        boolean isLeftOut = isSearch && SearchNames.isLeftOut(subject, settings);
        boolean isFromFile = node.origin() instanceof Origin.InFile;
        if (isSearch && (!isMeasured(subject, groups) || (isLeftOut && !isFromFile))) {
            node.problemAt(0, "no group searches " + subject + " (add it to a mix, or leave this out)");
        } else if (isLeftOut) {
            log.put(
                    node.path(),
                    objective.text() + " (not applied: the search is left out)",
                    settings.origin(Property.SEARCHES));
            return false;
        }
        if (!subject.equals("feeder") || feeder.isOn()) {
            return true;
        }
        Optional<Setting> override = settings.setting(Property.EPS).or(() -> settings.setting(Property.RATE));
        if (override.isEmpty()) {
            node.problemAt(0, "there is no feeder (give feeder.eps or feeder.rate, or leave this out)");
            return true;
        }
        log.put(
                node.path(),
                objective.text() + " (not applied: there is no feeder)",
                override.get().origin());
        return false;
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
        if (!problems.isEmpty() || !feeder.isOn() || feeder.rate() instanceof CapturedRate) {
            return;
        }
        double start = phases.warmup().toMillis() / 1e3;
        double end = start + phases.measurement().toMillis() / 1e3;
        double events = feeder.rate().dueUntil(end) - feeder.rate().dueUntil(start);
        if (events < feeder.batch()) {
            Origin origin = Stream.of("feeder.batch", "feeder.eps", "feeder.rate", "phases.measurement")
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

    /**
     * Reads the searches that a scenario brings: the YAML files of a directory that it names, each called as its search.
     * Reads one scenario.
     *
     * @param scenario the scenario's file, to which the directory is relative
     * @param shownAs what that file is called in messages
     */
    private record OwnSearches(Path scenario, String shownAs, ValueLog log, Problems problems) {
        /** The key of scenarios; values by this name and that of a search say what its file holds. */
        static final String KEY = "ownSearches";

        private static final int MOST = 200;

        /** The searches that siemload brings, and those of the scenario. */
        SearchCatalog read(YamlNode top) {
            return top.optional(KEY).map(this::of).orElseGet(SearchCatalog::builtIn);
        }

        private SearchCatalog of(YamlNode named) {
            int problemsBefore = problems.count();
            Path directory = scenario.resolveSibling(log.value(named, ValueType.path()));
            if (problems.count() > problemsBefore) {
                return SearchCatalog.builtIn();
            }
            if (!Files.isDirectory(directory) || !Files.isReadable(directory)) {
                named.problem("'" + named.written()
                        + "' is no directory that can be read (needed: one with a YAML file for each search; its path is"
                        + " relative to the scenario)");
                return SearchCatalog.builtIn();
            }
            List<String> names = NamedFile.names(directory, "");
            if (names.isEmpty() || names.size() > MOST) {
                named.problem("'" + named.written() + "' has " + names.size()
                        + " files that end with .yaml (allowed: 1 to " + MOST + ", one for each search)");
                return SearchCatalog.builtIn();
            }
            Map<SearchName, Origin> places = new LinkedHashMap<>();
            List<SearchDefinition> definitions = new ArrayList<>();
            for (String name : names) {
                String file = shown(named.written(), name);
                Optional<String> refusal = refusal(name, definitions);
                refusal.ifPresent(reason -> problems.add(new Origin.WholeFile(file), reason));
                if (refusal.isEmpty()) {
                    SearchName search = new SearchName(name);
                    places.put(search, new Origin.WholeFile(file));
                    definitions.add(definition(directory.resolve(name + ".yaml"), file, search));
                }
            }
            SearchCatalog catalog = SearchCatalog.builtIn().with(definitions);
            definitions.forEach(definition -> checkRefinements(definition, catalog, places));
            return catalog;
        }

        private String shown(String directory, String name) {
            return Path.of(shownAs)
                    .resolveSibling(directory)
                    .resolve(name + ".yaml")
                    .toString();
        }

        /** Why a file cannot bring a search of this name; empty if it can. */
        private static Optional<String> refusal(String name, List<SearchDefinition> before) {
            Optional<String> letters = SearchName.refusal(name);
            if (letters.isPresent()) {
                return letters;
            }
            if (SearchName.builtIn().stream().anyMatch(known -> known.name().equalsIgnoreCase(name))) {
                return Optional.of(
                        "'" + name + "' is the name of a search that siemload brings (give the file another one)");
            }
            if (Objective.WHOLE_SUBJECTS.stream().anyMatch(name::equalsIgnoreCase)) {
                return Optional.of(
                        "'" + name + "' stands for something else in objectives (give the file another name)");
            }
            if (name.chars().noneMatch(Character::isLowerCase)) {
                return Optional.of(
                        "'" + name + "' has no small letter (names in capitals are for searches that siemload"
                                + " brings, now or later: give the file another one)");
            }
            return before.stream()
                    .filter(definition -> definition.name().name().equalsIgnoreCase(name))
                    .findFirst()
                    .map(other -> "'" + name + "' and '" + other.name()
                            + "' are too easily taken for each other (give one" + " of the files another name)");
        }

        /** A search that cannot be read finds everything, so that the rest can be checked. */
        private SearchDefinition definition(Path file, String shown, SearchName name) {
            try {
                SearchDefinition definition = SearchReader.read(file, shown, name);
                log.put(KEY + "." + name, "contents " + contents(file), new Origin.WholeFile(shown));
                return definition;
            } catch (ConfigException wrong) {
                wrong.problems().forEach(problems::add);
                return new SearchDefinition(
                        name,
                        "",
                        List.<CriterionTemplate>of(),
                        Optional.empty(),
                        OwnOrder.AS_WANTED,
                        Optional.empty(),
                        List.of(),
                        0);
            }
        }

        /** By which runs with another search of the same name are told from these. */
        private static String contents(Path file) {
            try {
                return Sha256.fingerprint(Sha256.digest().digest(Files.readAllBytes(file)));
            } catch (IOException gone) {
                throw new UncheckedIOException("cannot read " + file, gone);
            }
        }

        private void checkRefinements(SearchDefinition search, SearchCatalog catalog, Map<SearchName, Origin> places) {
            for (SearchName finer : search.refinements()) {
                Optional<String> refusal = catalog.find(finer)
                        .map(known -> refusal(search, known))
                        .orElseGet(() -> Optional.of(
                                "'" + finer + "' is unknown (" + catalog.names().help(finer.name()) + ")"));
                refusal.ifPresent(reason -> problems.add(new Problem(
                        places.getOrDefault(search.name(), new Origin.WholeFile(shownAs)), "refinements", reason, "")));
            }
        }

        private static Optional<String> refusal(SearchDefinition search, SearchDefinition finer) {
            boolean narrower = finer.summary().isEmpty()
                    && search.addedBy(finer)
                            .filter(added -> added.key().isSeenInRows())
                            .isPresent();
            return narrower || finer.name().equals(SearchName.DETAIL)
                    ? Optional.empty()
                    : Optional.of(
                            "'" + finer.name() + "' does not ask for what this search asks for and one drawn address,"
                                    + " port, category or detector more (name a search that does, or DETAIL)");
        }
    }

    /**
     * Reads what is replayed, and at which speed.
     *
     * @param directory of the scenario, beside which the recording lies
     */
    private record ReplayReader(
            YamlRecords records, ValueLog log, Settings settings, Problems problems, Path directory) {
        private static final String GROUP = "sessions";

        private record Written(
                String recording,

                @Key(allowed = "0.01 to 100", standard = "1")
                double speed,

                @Key(standard = "[]") List<String> without) {}

        /**
         * What a scenario does that replays.
         *
         * @param group all sessions of the recording
         * @param statements that they ask; those are missing that are left out
         * @param phases which follow from the recording
         */
        record Replay(AnalystGroup group, List<StatementPlan> statements, Phases phases) {}

        /** Reads it; empty where the recording cannot be read, which is noted. */
        Optional<Replay> read(YamlNode node) {
            return records.record(node, Written.class).flatMap(written -> {
                try {
                    QueryRecording recording =
                            QueryRecordingReader.headOf(StatementsReader.fileBeside(directory, written.recording()));
                    List<RecordedQuery> asked = asked(recording, node);
                    return asked.isEmpty() ? Optional.empty() : Optional.of(replay(recording, asked, written.speed()));
                } catch (IOException | IllegalArgumentException unreadable) {
                    node.required("recording").problem(String.valueOf(unreadable.getMessage()));
                    return Optional.empty();
                }
            });
        }

        private List<RecordedQuery> asked(QueryRecording recording, YamlNode node) {
            Map<String, SearchName> names = new LinkedHashMap<>();
            recording
                    .queries()
                    .forEach(query -> names.put(
                            query.statement().name().name(), query.statement().name()));
            List<RecordedQuery> asked = new ArrayList<>(recording.queries());
            for (YamlNode without : node.peek("without").map(YamlNode::elements).orElse(List.of())) {
                SearchName left = without.as(ValueType.choice(new Choices<>(names)));
                asked.removeIf(query -> query.statement().name().equals(left));
            }
            if (asked.isEmpty() && problems.isEmpty()) {
                node.required("without").problem("leaves nothing to be asked");
            }
            return asked;
        }

        private Replay replay(QueryRecording recording, List<RecordedQuery> asked, double speed) {
            LoadModel.Replayed load = new LoadModel.Replayed(recording, speed);
            Map<SearchName, Double> mix = new LinkedHashMap<>();
            asked.forEach(query -> mix.put(query.statement().name(), 1.0));
            AnalystGroup group = AnalystGroup.ofTasks(
                    GROUP, load, AnalystGroup.Searched.ofStatements(new Weights<>(mix)), new ResultReading.Whole());
            return new Replay(group, asked.stream().map(ReplayReader::plan).toList(), phases(load));
        }

        /** Plans are shown for the example; the load has the values of each execution. */
        private static StatementPlan plan(RecordedQuery query) {
            List<String> parameters = query.statement().text().parameters();
            ValueRows example =
                    parameters.isEmpty() ? ValueRows.NONE : new ValueRows(parameters, List.of(query.example()));
            return new StatementPlan(query.statement(), Map.of(), example);
        }

        private Phases phases(LoadModel.Replayed load) {
            settings.setting(Property.WARMUP)
                    .ifPresent(warmup -> problems.add(
                            warmup.origin(),
                            "is no part of a replay, in which everything that was recorded counts (leave it out)"));
            Duration whole = load.length();
            log.put("phases.warmup", Durations.format(LoadModel.Replayed.LEAD), new Origin.Default());
            log.put("phases.measurement", Durations.format(whole), new Origin.Default());
            Duration measurement = log.override("phases.measurement", Property.DURATION, whole);
            Optional<Setting> given = settings.setting(Property.DURATION);
            if (measurement.compareTo(whole) > 0 && given.isPresent()) {
                problems.add(
                        given.get().origin(),
                        "is longer than the recording, which takes " + Durations.format(whole) + " at speed "
                                + load.speed() + " (give less to cut it, or leave this out)");
            }
            return new Phases(LoadModel.Replayed.LEAD, measurement);
        }
    }
}
