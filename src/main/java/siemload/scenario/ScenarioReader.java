package siemload.scenario;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import siemload.config.Choices;
import siemload.config.Durations;
import siemload.config.NamedFile;
import siemload.config.Problems;
import siemload.config.Property;
import siemload.config.Setting;
import siemload.config.Settings;
import siemload.config.ValueType;
import siemload.config.YamlDocument;
import siemload.config.YamlNode;
import siemload.query.SearchCatalog;
import siemload.query.SearchDefinition;
import siemload.query.SearchName;

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
                countsTickIo(top),
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
                countsTickIo(top),
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
        for (String key : List.of("analysts", "feeder", "phases", "objectives", "retention", "ticks")) {
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
                Optional.of(new ProcedureReader(procedure, settings, log, problems, catalog).read()),
                Optional.empty(),
                false,
                List.of());
    }

    private boolean countsTickIo(YamlNode top) {
        return top.optional("ticks")
                .map(ticks -> log.optional(ticks, "io", ValueType.trueOrFalse(), "false"))
                .orElse(false);
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
}
