package siemload.scenario;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
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
import siemload.query.CriterionTemplate;
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
    private static final String OLDEST_DAY = "oldestDay";
    private static final String STANDARD_DATASET = "smoke";

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
        return YamlDocument.read(file.path(), file.shownAs(), settings.ofScenario(), problems, reader::scenario);
    }

    /** The names of the scenarios in {@code scenarios/} under the home directory, sorted. */
    public static List<String> names(Path home) {
        return NamedFile.names(home, DIRECTORY);
    }

    private ResolvedScenario scenario(YamlNode top) {
        String description = log.required(top, "description", ValueType.text());
        Optional<YamlNode> replay = top.optional("replay");
        if (replay.isPresent()) {
            return new ResolvedScenario(
                    replaying(top, description, replay.orElseThrow()), log.list(), SearchCatalog.builtIn());
        }
        Optional<YamlNode> statements = top.optional("statements");
        if (statements.isPresent()) {
            return new ResolvedScenario(
                    asking(top, description, statements.orElseThrow()), log.list(), SearchCatalog.builtIn());
        }
        String dataset = log.optional(top, "dataset", ValueType.text(), STANDARD_DATASET);
        String events = log.override("dataset", Property.DATASET, dataset);
        SearchCatalog catalog = new OwnSearches(file.path(), file.shownAs(), log, problems).read(top);
        Scenario scenario = top.optional("procedure")
                .map(procedure -> stepByStep(top, description, events, procedure, catalog))
                .orElseGet(() -> load(top, description, events, catalog));
        return new ResolvedScenario(scenario, log.list(), catalog);
    }

    private Scenario load(YamlNode top, String description, String dataset, SearchCatalog catalog) {
        List<AnalystGroup> groups =
                groups(top.required("analysts"), group -> new GroupReader(log, problems, catalog.names()).read(group));
        FeederReader feeding = new FeederReader(settings, log, problems);
        Feeder feeder = feeding.read(top.optional("feeder"));
        Phases phases = phases(top.required("phases"));
        feeding.check(feeder, phases);
        List<SearchName> names =
                catalog.all().stream().map(SearchDefinition::name).toList();
        List<Objective> objectives = objectives(top.optional("objectives"), groups, feeder, names);
        return new Scenario(
                file.name(),
                description,
                dataset,
                new GroupOverrides(settings, log, problems).apply(groups),
                feeder,
                phases,
                objectives,
                Optional.empty(),
                retention(top.optional("retention"), phases),
                List.of());
    }

    /** Users who ask statements of data that are there already. */
    private Scenario asking(YamlNode top, String description, YamlNode written) {
        checkBesideStatements(
                top,
                List.of("dataset", OwnSearches.KEY, "procedure", "feeder", "retention"),
                "cannot stand beside statements, which ask data that are there already (leave it out)");
        top.optional("analysts");
        List<StatementPlan> statements = new StatementsReader(log, directory()).read(written);
        List<SearchName> names = names(statements);
        List<AnalystGroup> groups = statements.isEmpty()
                ? List.of()
                : groups(
                        top.required("analysts"),
                        group -> new GroupReader(
                                        log, problems, SearchCatalog.builtIn().names())
                                .readStatements(group, names));
        return ofStatements(top, description, groups, phases(top.required("phases")), statements);
    }

    /** What a log has of sessions is asked once more. */
    private Scenario replaying(YamlNode top, String description, YamlNode written) {
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
        ReplayReader reader = new ReplayReader(log, settings, problems, directory());
        Optional<ReplayReader.Replay> replay = reader.read(written);
        List<AnalystGroup> groups =
                replay.map(ReplayReader.Replay::group).map(List::of).orElse(List.of());
        List<StatementPlan> statements =
                replay.map(ReplayReader.Replay::statements).orElse(List.of());
        Phases phases = replay.map(ReplayReader.Replay::phases).orElse(new Phases(Duration.ZERO, Duration.ZERO));
        return ofStatements(top, description, groups, phases, statements);
    }

    /** Looks for what means nothing to statements, in the file and among the properties. */
    private void checkBesideStatements(YamlNode top, List<String> keys, String problem) {
        for (String key : keys) {
            top.optional(key).ifPresent(beside -> beside.problem(problem));
        }
        StatementSettings.check(settings, problems);
    }

    /** @param statements of which those are none of the run's that a setting leaves out */
    private Scenario ofStatements(
            YamlNode top,
            String description,
            List<AnalystGroup> groups,
            Phases phases,
            List<StatementPlan> statements) {
        return new Scenario(
                file.name(),
                description,
                "",
                new GroupOverrides(settings, log, problems).apply(groups),
                FeederReader.NONE,
                phases,
                objectives(top.optional("objectives"), groups, FeederReader.NONE, names(statements)),
                Optional.empty(),
                Optional.empty(),
                statements.stream()
                        .filter(plan ->
                                !SearchNames.isLeftOut(plan.statement().name().name(), settings))
                        .toList());
    }

    private static List<SearchName> names(List<StatementPlan> statements) {
        return statements.stream().map(plan -> plan.statement().name()).toList();
    }

    private Path directory() {
        Path directory = file.path().toAbsolutePath().getParent();
        return directory == null ? Path.of("") : directory;
    }

    private Optional<Retention> retention(Optional<YamlNode> written, Phases phases) {
        return written.map(node -> {
            log.optional(node, "drop", ValueType.choice(Choices.names(List.of(OLDEST_DAY))), OLDEST_DAY);
            Duration after = log.required(node, "after", Property.WARMUP.type());
            if (problems.isEmpty() && after.compareTo(phases.measurement()) >= 0) {
                node.required("after")
                        .problem("is not within the measured phase, which takes "
                                + Durations.format(phases.measurement())
                                + " (give a shorter time, or a longer phases.measurement)");
            }
            return new Retention(after);
        });
    }

    private Scenario stepByStep(
            YamlNode top, String description, String dataset, YamlNode procedure, SearchCatalog catalog) {
        for (String key : List.of("analysts", "feeder", "phases", "objectives", "retention")) {
            top.optional(key)
                    .ifPresent(beside -> beside.problem("cannot stand beside a procedure (leave one of them out)"));
        }
        return new Scenario(
                file.name(),
                description,
                dataset,
                List.of(),
                FeederReader.NONE,
                new Phases(Duration.ZERO, Duration.ZERO),
                List.of(),
                Optional.of(new ProcedureReader(procedure, settings, log, problems, catalog, directory()).read()),
                Optional.empty(),
                List.of());
    }

    private static List<AnalystGroup> groups(YamlNode analysts, Function<YamlNode, AnalystGroup> reader) {
        List<AnalystGroup> groups = new ArrayList<>();
        Set<String> names = new HashSet<>();
        for (YamlNode element : analysts.elements()) {
            AnalystGroup group = reader.apply(element);
            groups.add(group);
            if (!group.name().isEmpty() && !names.add(group.name())) {
                element.required("name").problem("'" + group.name() + "' is the name of another group already");
            }
        }
        if (analysts.isList() && groups.isEmpty()) {
            analysts.problem("is empty (needed: at least one group)");
        }
        return groups;
    }

    private Phases phases(YamlNode node) {
        Duration warmup = log.required(node, "warmup", Property.WARMUP.type());
        Duration measurement = log.required(node, "measurement", Property.DURATION.type());
        return new Phases(
                log.override("phases.warmup", Property.WARMUP, warmup),
                log.override("phases.measurement", Property.DURATION, measurement));
    }

    /** @param searches that objectives can be about */
    private List<Objective> objectives(
            Optional<YamlNode> list, List<AnalystGroup> groups, Feeder feeder, List<SearchName> searches) {
        boolean restIsGood = problems.isEmpty();
        Optional<Setting> given = settings.setting(Property.OBJECTIVES);
        if (given.isPresent()) {
            return objectives(given.get(), groups, feeder, searches);
        }
        List<Objective> objectives = new ArrayList<>();
        for (YamlNode node : list.map(YamlNode::elements).orElse(List.of())) {
            log.value(node, ValueType.text());
            ObjectiveParser.parse(node, searches).ifPresent(objective -> {
                if (restIsGood && !isMeasured(objective.subject(), groups)) {
                    node.problemAt(
                            0, "no group searches " + objective.subject() + " (add it to a mix, or leave this out)");
                }
                if (!restIsGood || isApplied(objective, node, feeder)) {
                    objectives.add(objective);
                }
            });
        }
        return objectives;
    }

    /**
     * Those of the settings, which stand in the place of all of the file. One of the feeder is not applied where another setting
     * turns the feeder off.
     */
    private List<Objective> objectives(
            Setting given, List<AnalystGroup> groups, Feeder feeder, List<SearchName> searches) {
        List<Objective> objectives = List.of();
        try {
            objectives = ObjectiveParser.parse(given.value(), searches);
        } catch (IllegalArgumentException wrong) {
            problems.add(given.origin(), String.valueOf(wrong.getMessage()));
        }
        List<Objective> applied = new ArrayList<>();
        for (Objective objective : objectives) {
            String path = "objectives[" + applied.size() + "]";
            boolean noFeeder = objective.subject().equals("feeder") && !feeder.isOn();
            if (noFeeder && settings.setting(Property.EPS).isPresent()) {
                continue;
            }
            if (noFeeder) {
                problems.add(given.origin(), "'" + objective.text() + "': there is no feeder (give eps or rate)");
            } else if (!isMeasured(objective.subject(), groups) || isLeftOut(objective.subject())) {
                problems.add(given.origin(), "'" + objective.text() + "': no group searches " + objective.subject());
            }
            log.put(path, objective.text(), given.origin());
            applied.add(objective);
        }
        return applied;
    }

    /** Follow-up searches may be any of the catalogue, so only without them a search can be ruled out. */
    private static boolean isMeasured(String subject, List<AnalystGroup> groups) {
        return ObjectiveParser.WHOLE_SUBJECTS.contains(subject)
                || groups.stream()
                        .anyMatch(group -> group.followUpRatio() > 0
                                || group.searched().mix().weights().entrySet().stream()
                                        .anyMatch(search ->
                                                search.getKey().name().equals(subject) && search.getValue() > 0));
    }

    private boolean isLeftOut(String subject) {
        return !ObjectiveParser.WHOLE_SUBJECTS.contains(subject) && SearchNames.isLeftOut(subject, settings);
    }

    /** Whoever turns the feeder or a search off by a setting is not held to it, and is told so; in the file it is a mistake. */
    private boolean isApplied(Objective objective, YamlNode node, Feeder feeder) {
        if (isLeftOut(objective.subject())) {
            log.put(
                    node.path(),
                    objective.text() + " (not applied: the search is left out)",
                    settings.origin(Property.SEARCHES));
            return false;
        }
        if (!objective.subject().equals("feeder") || feeder.isOn()) {
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
            if (ObjectiveParser.WHOLE_SUBJECTS.stream().anyMatch(name::equalsIgnoreCase)) {
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
     * Reads the feeder of a scenario. Its rate is written as {@code eps}, events a second, or as {@code rate}, which may change
     * with time; the properties of these names take the place of both.
     */
    private record FeederReader(Settings settings, ValueLog log, Problems problems) {
        static final Feeder NONE = new Feeder(ConstantRate.NONE, 50, 1);

        private static final ValueType<Rate> RATE = RateText.ofCaptured(10_000_000);
        private static final ValueType<Integer> CONNECTIONS = ValueType.wholeNumber(1, 1000);

        /** The feeder that is written here, or none, with what settings change about it. */
        Feeder read(Optional<YamlNode> written) {
            Feeder feeder = written.map(this::feeder).orElseGet(this::none);
            return new Feeder(
                    rate(feeder.rate()),
                    log.override("feeder.batch", Property.BATCH, feeder.batch()),
                    feeder.connections());
        }

        private Feeder none() {
            log.put("feeder.eps", "0", new Origin.Default());
            log.put("feeder.batch", Integer.toString(NONE.batch()), new Origin.Default());
            log.put("feeder.connections", Integer.toString(NONE.connections()), new Origin.Default());
            return NONE;
        }

        private Feeder feeder(YamlNode node) {
            log.optional(node, "profile", ValueType.choice(Choices.names(List.of("constant"))), "constant");
            Optional<YamlNode> changing = node.optional("rate");
            changing.ifPresent(unused -> node.optional("eps")
                    .ifPresent(constant -> constant.problem("says the rate a second time (leave eps or rate out)")));
            return new Feeder(
                    changing.map(rate -> log.value(rate, RATE))
                            .orElseGet(() -> new ConstantRate(log.required(node, "eps", Property.EPS.type()))),
                    log.optional(node, "batch", Property.BATCH.type(), Integer.toString(NONE.batch())),
                    log.optional(node, "connections", CONNECTIONS, Integer.toString(NONE.connections())));
        }

        private Rate rate(Rate written) {
            Optional<Setting> changing = settings.setting(Property.RATE);
            if (changing.isEmpty()) {
                if (settings.setting(Property.EPS).isEmpty()) {
                    return written;
                }
                log.remove("feeder.rate");
                return new ConstantRate(log.override("feeder.eps", Property.EPS, 0.0));
            }
            settings.setting(Property.EPS)
                    .ifPresent(constant -> problems.add(
                            constant.origin(),
                            "says the feeder's rate a second time, beside rate (leave one of them out)"));
            log.remove("feeder.eps");
            return parsed(changing.get());
        }

        private Rate parsed(Setting setting) {
            log.put("feeder.rate", setting.value(), setting.origin());
            try {
                return RATE.parse(setting.value());
            } catch (IllegalArgumentException wrong) {
                problems.add(setting.origin(), String.valueOf(wrong.getMessage()));
                return ConstantRate.NONE;
            }
        }

        /** A feeder that never fills a batch while measuring would have no rate to speak of. */
        void check(Feeder feeder, Phases phases) {
            if (!problems.isEmpty() || !feeder.isOn() || feeder.rate() instanceof CapturedRate) {
                return;
            }
            double start = seconds(phases.warmup());
            double events = feeder.rate().dueUntil(start + seconds(phases.measurement()))
                    - feeder.rate().dueUntil(start);
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

        private static double seconds(Duration duration) {
            return duration.toMillis() / 1e3;
        }
    }

    /**
     * Reads what is replayed, and at which speed.
     *
     * @param directory of the scenario, beside which the recording lies
     */
    private record ReplayReader(ValueLog log, Settings settings, Problems problems, Path directory) {
        private static final String GROUP = "sessions";
        private static final ValueType<Double> SPEED = ValueType.number(0.01, 100);

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
            YamlNode written = node.required("recording");
            String name = log.value(written, ValueType.text());
            double speed = log.optional(node, "speed", SPEED, "1");
            Optional<YamlNode> without = node.optional("without");
            if (name.isEmpty()) {
                return Optional.empty();
            }
            try {
                QueryRecording recording = QueryRecordingReader.headOf(FileBeside.find(directory, name));
                List<RecordedQuery> asked = asked(recording, without);
                return asked.isEmpty() ? Optional.empty() : Optional.of(replay(recording, asked, speed));
            } catch (IOException | IllegalArgumentException unreadable) {
                written.problem(String.valueOf(unreadable.getMessage()));
                return Optional.empty();
            }
        }

        private List<RecordedQuery> asked(QueryRecording recording, Optional<YamlNode> without) {
            Map<String, SearchName> names = new LinkedHashMap<>();
            recording
                    .queries()
                    .forEach(query -> names.put(
                            query.statement().name().name(), query.statement().name()));
            Set<SearchName> left = new LinkedHashSet<>();
            for (YamlNode element : without.map(YamlNode::elements).orElse(List.of())) {
                left.add(log.value(element, ValueType.choice(new Choices<>(names))));
            }
            List<RecordedQuery> asked = new ArrayList<>(recording.queries());
            asked.removeIf(query -> left.contains(query.statement().name()));
            if (asked.isEmpty() && problems.isEmpty()) {
                without.ifPresent(node -> node.problem("leaves nothing to be asked"));
            }
            return asked;
        }

        private Replay replay(QueryRecording recording, List<RecordedQuery> asked, double speed) {
            LoadModel.Replayed load = new LoadModel.Replayed(recording, speed);
            Map<SearchName, Double> mix = new LinkedHashMap<>();
            List<StatementPlan> statements = new ArrayList<>();
            for (RecordedQuery query : asked) {
                mix.put(query.statement().name(), 1.0);
                statements.add(plan(query));
            }
            AnalystGroup.Searched searched = AnalystGroup.Searched.ofStatements(new Weights<>(mix));
            AnalystGroup group = AnalystGroup.ofTasks(GROUP, load, searched, new ResultReading.Whole());
            return new Replay(group, statements, phases(load));
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
