package siemload.scenario;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import siemload.config.ValueType;
import siemload.config.YamlNode;
import siemload.config.YamlRecords;
import siemload.config.YamlRecords.Inline;
import siemload.config.YamlRecords.Key;
import siemload.query.Field;
import siemload.query.SearchName;

/**
 * Reads the groups of a scenario.
 *
 * @param records reads the values that only scenarios have
 */
record GroupReader(YamlRecords records) {
    /** A name that can stand in results and file names. */
    static final ValueType<String> NAME = ValueType.of("name", "", text -> {
        if (!text.matches("[A-Za-z0-9][A-Za-z0-9_.-]{0,59}")) {
            throw new IllegalArgumentException(
                    "'" + text + "' is not a name (allowed: up to 60 of A-Z a-z 0-9 _ . -, first a letter or digit)");
        }
        return text;
    });

    private static final ValueType<Double> WEIGHT = ValueType.number(0, 1_000_000);

    /** Tasks, which do not think, do not follow anything up, and have all the patience that a search has time. */
    record Tasks(
            @Key(allowed = "name") String name,
            @Inline LoadModel load,
            @Inline AnalystGroup.Searched searched,
            ResultReading page) {
        Tasks {
            searched.requireOrder(page);
        }

        AnalystGroup group() {
            return AnalystGroup.ofTasks(name, load, searched, page);
        }
    }

    /** Tasks that have the database store a trend, of the same each time; none of them leave the group out. */
    private record Trends(
            @Key(allowed = "name") String name,
            @Key(allowed = "0 to 1000") int tasks,
            @Key(allowed = "1ms to 30d") Duration every,
            @Key(allowed = "0s to 1d", standard = "0s") Duration offset,
            @Key(standard = "together") LoadModel.Scheduled.Spread spread,
            Field trend,
            @Key(standard = "{1h: 1}") Weights<WindowLength> window) {
        AnalystGroup group() {
            LoadModel load = new LoadModel.Scheduled(
                    tasks, every, offset, spread, LoadModel.Scheduled.Criteria.FIXED, Procedure.Counting.NONE);
            return AnalystGroup.ofTasks(
                    name, load, AnalystGroup.Searched.ofTrend(trend, window), new ResultReading.Whole());
        }
    }

    /** Users, or tasks, who ask statements: all of them alike unless there is a mix. */
    private record Asking(
            @Key(allowed = "name") String name, @Inline LoadModel load, Optional<Weights<SearchName>> mix) {
        AnalystGroup.Searched asked(List<SearchName> statements) {
            Map<SearchName, Double> alike = new LinkedHashMap<>();
            statements.forEach(statement -> alike.put(statement, 1.0));
            return AnalystGroup.Searched.ofStatements(mix.orElseGet(() -> new Weights<>(alike)));
        }
    }

    /** How users ask statements: one after the other, with a think time before each, unless more is said. */
    private record Thinking(Distribution thinkTime) {
        AnalystGroup.Investigation investigation() {
            return new AnalystGroup.Investigation(1, 1, thinkTime, thinkTime);
        }
    }

    private record Patient(
            @Key(allowed = AnalystGroup.PATIENCE, standard = "10s")
            Duration patience,

            @Key(allowed = "1 to 1000", standard = "7") int maxRunning) {}

    /** Groups that search for events; those that could be read. */
    List<AnalystGroup> searching(YamlNode analysts) {
        return groups(analysts, this::searchingGroup);
    }

    /**
     * Groups that ask statements: all of their keys but load and think time may be left out, and those of searches for events must
     * be.
     */
    List<AnalystGroup> asking(YamlNode analysts, List<SearchName> statements) {
        return groups(analysts, group -> askingGroup(group, statements));
    }

    private interface Reader {
        Optional<AnalystGroup> read(YamlNode group);
    }

    private static List<AnalystGroup> groups(YamlNode analysts, Reader reader) {
        List<AnalystGroup> groups = new ArrayList<>();
        Set<String> names = new HashSet<>();
        for (YamlNode element : analysts.elements()) {
            reader.read(element).ifPresent(groups::add);
            element.peek("name")
                    .filter(name -> !names.add(name.written()))
                    .ifPresent(name -> name.problem("'" + name.written() + "' is the name of another group already"));
        }
        if (analysts.isList() && analysts.elements().isEmpty()) {
            analysts.problem("is empty (needed: at least one group)");
        }
        return groups;
    }

    private Optional<AnalystGroup> searchingGroup(YamlNode node) {
        if (!isScheduled(node)) {
            refuse(node, "is for load: scheduled, but it is " + load(node) + " (leave it out)", "trend");
            return records.record(node, AnalystGroup.class);
        }
        refuseOfUsers(node);
        if (node.peek("trend").isPresent()) {
            records.value(node.required("load"), ValueType.text());
            refuse(
                    node,
                    "is for searches, but a trend is a sum that the database stores (leave it out)",
                    "mix",
                    "page",
                    "values",
                    "order",
                    "listLength",
                    "criteria",
                    "count");
            return records.record(node, Trends.class).map(Trends::group);
        }
        node.peek("page")
                .ifPresent(page -> refuse(
                        page,
                        "is for users, but tasks read the first page alone (leave it out)",
                        "deeper",
                        "maximum",
                        "lastPage"));
        return records.record(node, Tasks.class).map(Tasks::group);
    }

    private Optional<AnalystGroup> askingGroup(YamlNode node, List<SearchName> statements) {
        refuse(
                node,
                "is for searches of events, but this scenario has statements (leave it out)",
                "window",
                "values",
                "order",
                "listLength",
                "page",
                "followUp",
                "trend");
        Optional<Asking> asking = records.record(node, Asking.class);
        if (isScheduled(node)) {
            refuse(node, "is for searches of events, but this scenario has statements (leave it out)", "count");
            refuseOfUsers(node);
            return asking.map(one ->
                    AnalystGroup.ofTasks(one.name(), one.load(), one.asked(statements), new ResultReading.Whole()));
        }
        boolean inInvestigations =
                node.peek("actions").isPresent() || node.peek("pause").isPresent();
        Optional<AnalystGroup.Investigation> investigation = inInvestigations
                ? records.record(node, AnalystGroup.Investigation.class)
                : records.record(node, Thinking.class).map(Thinking::investigation);
        Optional<Patient> patient = records.record(node, Patient.class);
        return asking.flatMap(one -> investigation.flatMap(how -> patient.map(patience -> new AnalystGroup(
                one.name(),
                one.load(),
                how,
                one.asked(statements),
                new ResultReading.Whole(),
                0,
                patience.patience(),
                patience.maxRunning()))));
    }

    private static boolean isScheduled(YamlNode node) {
        return load(node).equals("scheduled");
    }

    /** As it is written. */
    static String load(YamlNode group) {
        return group.peek("load").map(YamlNode::written).orElse("closed");
    }

    private static void refuseOfUsers(YamlNode node) {
        refuse(
                node,
                "is for users, but tasks search by the clock (leave it out)",
                "actions",
                "thinkTime",
                "pause",
                "followUp",
                "patience",
                "maxRunning");
    }

    private static void refuse(YamlNode node, String why, String... keys) {
        for (String key : keys) {
            if (node.peek(key).isPresent()) {
                node.optional(key).ifPresent(misplaced -> misplaced.problem(why));
            }
        }
    }

    /** Reads weights by what they are of. */
    static Optional<Weights<Object>> weights(YamlRecords records, YamlNode node, ValueType<?> keys) {
        return records.map(node, keys, weight -> records.value(weight, WEIGHT)).flatMap(weights -> {
            if (weights.values().stream().noneMatch(weight -> weight > 0)) {
                node.problem("has no weight above 0 (needed: at least one)");
                return Optional.empty();
            }
            return Optional.of(new Weights<>(new LinkedHashMap<>(weights)));
        });
    }
}
