package siemload.scenario;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import siemload.config.Choices;
import siemload.config.Durations;
import siemload.config.Origin;
import siemload.config.Problems;
import siemload.config.Property;
import siemload.config.ValueType;
import siemload.config.YamlNode;
import siemload.dataset.Popularity;
import siemload.query.Field;
import siemload.query.Order;
import siemload.query.SearchName;
import siemload.query.Summary;
import siemload.scenario.rate.Rate;

/**
 * Reads one group of analysts.
 *
 * @param searches that it may ask
 */
record GroupReader(ValueLog log, Problems problems, Choices<SearchName> searches) {
    /** None leave a group with a trend out. */
    private static final ValueType<Integer> TRENDS = ValueType.wholeNumber(0, 1_000);

    private static final ValueType<Integer> ACTIONS = ValueType.wholeNumber(1, 1000);
    private static final ValueType<Integer> MAX_RUNNING = ValueType.wholeNumber(1, 1000);
    private static final String MAX_RUNNING_STANDARD = "7";
    private static final ValueType<Integer> MAXIMUM_PAGE = ValueType.wholeNumber(1, 1_000_000);
    private static final ValueType<Double> WEIGHT = ValueType.number(0, 1_000_000);
    private static final ValueType<Duration> WAIT = Property.THINK_TIME.type();
    private static final ValueType<Duration> PERIOD = ValueType.duration(Duration.ofMillis(1), Duration.ofDays(30));
    private static final ValueType<Duration> PATIENCE = ValueType.duration(Duration.ofMillis(1), Duration.ofDays(1));

    private enum Arrival {
        CLOSED,
        OPEN,
        SCHEDULED
    }

    private enum Shape {
        EXPONENTIAL,
        CONSTANT,
        UNIFORM
    }

    AnalystGroup read(YamlNode node) {
        String name = log.required(node, "name", GroupValues.NAME);
        LoadModel load = load(node);
        if (load instanceof LoadModel.Scheduled) {
            return tasks(node, name, load);
        }
        AnalystGroup.Investigation investigation = investigation(node);
        AnalystGroup.Searched searched = searched(node);
        ResultReading reading = reading(node.required("page"));
        checkUnsorted(node, searched.orders(), reading);
        return new AnalystGroup(
                name,
                load,
                investigation,
                searched,
                reading,
                log.optional(node, "followUp", ValueType.ratio(), "0"),
                log.optional(node, "patience", PATIENCE, "10s"),
                log.optional(node, "maxRunning", MAX_RUNNING, MAX_RUNNING_STANDARD));
    }

    /** Tasks do not think, do not follow anything up, and have all the patience that a search has time. */
    private AnalystGroup tasks(YamlNode node, String name, LoadModel load) {
        refuseOfUsers(node);
        if (node.optional("trend").isPresent()) {
            return trend(node, name, load);
        }
        AnalystGroup.Searched searched = searched(node);
        ResultReading reading = reading(node.required("page"));
        checkUnsorted(node, searched.orders(), reading);
        for (String key : List.of("deeper", "maximum", "lastPage")) {
            node.optional("page")
                    .filter(YamlNode::isMapping)
                    .ifPresent(page ->
                            refuse(page, key, "is for users, but tasks read the first page alone (leave it out)"));
        }
        return AnalystGroup.ofTasks(name, load, searched, reading);
    }

    /** A trend is of the same each time, and nobody reads it. */
    private AnalystGroup trend(YamlNode node, String name, LoadModel load) {
        for (String key : List.of("mix", "page", "values", "order", "listLength", "criteria", "count")) {
            refuse(node, key, "is for searches, but a trend is a sum that the database stores (leave it out)");
        }
        Field field = log.required(node, "trend", ValueType.choice(Choices.of(Field.class, Field::label)));
        Weights<WindowLength> windows = node.optional("window")
                .map(this::windows)
                .orElseGet(() -> {
                    log.put(node.pathOf("window") + ".1h", "1", new Origin.Default());
                    return new Weights<>(Map.of(new WindowLength.Last(Summary.Hours.HOUR), 1.0));
                });
        return AnalystGroup.ofTasks(
                name, load, AnalystGroup.Searched.ofTrend(field, windows), new ResultReading.Whole());
    }

    private static void refuseOfUsers(YamlNode node) {
        for (String key : List.of("actions", "thinkTime", "pause", "followUp", "patience", "maxRunning")) {
            refuse(node, key, "is for users, but tasks search by the clock (leave it out)");
        }
    }

    /**
     * Reads a group that asks statements: all of its keys but load and think time may be left out, and those of searches for
     * events must be.
     *
     * @param statements of the scenario, at least one
     */
    AnalystGroup readStatements(YamlNode node, List<SearchName> statements) {
        String name = log.required(node, "name", GroupValues.NAME);
        for (String key : List.of("window", "values", "order", "listLength", "page", "followUp")) {
            refuse(node, key, "is for searches of events, but this scenario has statements (leave it out)");
        }
        LoadModel load = load(node);
        AnalystGroup.Searched asked = asked(node, statements);
        if (load instanceof LoadModel.Scheduled) {
            refuseOfUsers(node);
            for (String key : List.of("count", "trend")) {
                refuse(node, key, "is for searches of events, but this scenario has statements (leave it out)");
            }
            return AnalystGroup.ofTasks(name, load, asked, new ResultReading.Whole());
        }
        return new AnalystGroup(
                name,
                load,
                investigationOfStatements(node),
                asked,
                new ResultReading.Whole(),
                0,
                log.optional(node, "patience", PATIENCE, "10s"),
                log.optional(node, "maxRunning", MAX_RUNNING, MAX_RUNNING_STANDARD));
    }

    private AnalystGroup.Searched asked(YamlNode node, List<SearchName> statements) {
        Map<String, SearchName> names = new LinkedHashMap<>();
        Map<SearchName, Double> alike = new LinkedHashMap<>();
        statements.forEach(statement -> {
            names.put(statement.name(), statement);
            alike.put(statement, 1.0);
        });
        return AnalystGroup.Searched.ofStatements(node.optional("mix")
                .map(mix -> weights(mix, new Choices<>(names), statements.get(0)))
                .orElseGet(() -> new Weights<>(alike)));
    }

    /** One statement after the other, with a think time before each, unless more is said. */
    private AnalystGroup.Investigation investigationOfStatements(YamlNode node) {
        if (node.optional("actions").isPresent() || node.optional("pause").isPresent()) {
            return investigation(node);
        }
        Distribution thinkTime = distribution(node.required("thinkTime"));
        return new AnalystGroup.Investigation(1, 1, thinkTime, thinkTime);
    }

    private LoadModel load(YamlNode node) {
        Arrival arrival = log.optional(node, "load", ValueType.choice(Choices.camelCase(Arrival.class)), "closed");
        return switch (arrival) {
            case CLOSED -> {
                refuseSchedule(node, arrival);
                refuse(node, "arrivals", "is for load: open, but it is closed (leave it out)");
                yield new LoadModel.Closed(log.required(node, "users", Property.USERS.type()));
            }
            case OPEN -> {
                refuseSchedule(node, arrival);
                refuse(node, "users", "is for load: closed, but it is open (give arrivals, for example 2/s)");
                yield open(node, log.required(node, "arrivals", GroupValues.ARRIVALS));
            }
            case SCHEDULED -> {
                refuse(node, "users", "is for load: closed, but it is scheduled (give tasks, for example 20)");
                refuse(node, "arrivals", "is for load: open, but it is scheduled (give every, for example 5m)");
                yield scheduled(node);
            }
        };
    }

    private static void refuseSchedule(YamlNode node, Arrival arrival) {
        for (String key : List.of("tasks", "every", "offset", "spread", "criteria", "count", "trend")) {
            refuse(node, key, "is for load: scheduled, but it is " + Choices.camelCase(arrival) + " (leave it out)");
        }
    }

    private LoadModel scheduled(YamlNode node) {
        return new LoadModel.Scheduled(
                log.required(node, "tasks", node.optional("trend").isPresent() ? TRENDS : Property.TASKS.type()),
                log.required(node, "every", PERIOD),
                log.optional(node, "offset", WAIT, "0s"),
                chosen(node, "spread", Choices.camelCase(LoadModel.Scheduled.Spread.class), "together"),
                chosen(node, "criteria", Choices.camelCase(LoadModel.Scheduled.Criteria.class), "fixed"),
                chosen(node, "count", Choices.camelCase(Procedure.Counting.class), "none"));
    }

    private <T> T chosen(YamlNode node, String key, Choices<T> choices, String standard) {
        return log.optional(node, key, ValueType.choice(choices), standard);
    }

    private static LoadModel open(YamlNode node, Rate arrivals) {
        if (arrivals.isNone()) {
            node.required("arrivals").problem("nobody ever arrives (allowed: a rate above 0)");
        }
        return new LoadModel.Open(arrivals);
    }

    private static void refuse(YamlNode node, String key, String message) {
        node.optional(key).ifPresent(misplaced -> misplaced.problem(message));
    }

    private AnalystGroup.Investigation investigation(YamlNode node) {
        YamlNode actions = node.required("actions");
        int problemsBefore = problems.count();
        int min = log.required(actions, "min", ACTIONS);
        int max = log.required(actions, "max", ACTIONS);
        if (problems.count() == problemsBefore && min > max) {
            actions.required("max").problem(max + " is less than min, which is " + min);
        }
        return new AnalystGroup.Investigation(
                min, max, distribution(node.required("thinkTime")), distribution(node.required("pause")));
    }

    private AnalystGroup.Searched searched(YamlNode node) {
        return new AnalystGroup.Searched(
                windows(node.required("window")),
                weights(node.required("mix"), searches, SearchName.MENTAT),
                choice(node, "values", Choices.camelCase(Popularity.class), Popularity.TYPICAL, "typical"),
                choice(node, "order", Choices.camelCase(Order.class), Order.NEWEST_FIRST, "newestFirst"),
                log.optional(node, "listLength", ProcedureReader.LIST_LENGTH, "10"));
    }

    private Distribution distribution(YamlNode node) {
        Shape shape = log.required(node, "distribution", ValueType.choice(Choices.camelCase(Shape.class)));
        return switch (shape) {
            case EXPONENTIAL -> new Distribution.Exponential(log.required(node, "mean", WAIT));
            case CONSTANT -> new Distribution.Constant(log.required(node, "value", WAIT));
            case UNIFORM -> uniform(node);
        };
    }

    private Distribution uniform(YamlNode node) {
        int problemsBefore = problems.count();
        Duration min = log.required(node, "min", WAIT);
        Duration max = log.required(node, "max", WAIT);
        if (problems.count() == problemsBefore && min.compareTo(max) > 0) {
            node.required("max")
                    .problem(Durations.format(max) + " is less than min, which is " + Durations.format(min));
        }
        return new Distribution.Uniform(min, max);
    }

    private Weights<WindowLength> windows(YamlNode node) {
        Map<WindowLength, YamlNode> lengths = new LinkedHashMap<>();
        node.entries().forEach((key, weight) -> {
            try {
                if (lengths.putIfAbsent(GroupValues.WINDOW.parse(key), weight) != null) {
                    node.problemWithKey(key, "'" + key + "' is as long as another window here (leave one out)");
                }
            } catch (IllegalArgumentException noWindow) {
                node.problemWithKey(key, String.valueOf(noWindow.getMessage()));
            }
        });
        return weigh(node, lengths, new WindowLength.Everything());
    }

    private <T> Weights<T> choice(YamlNode node, String key, Choices<T> choices, T standard, String standardText) {
        return node.optional(key)
                .map(weights -> weights(weights, choices, standard))
                .orElseGet(() -> {
                    log.put(node.pathOf(key) + "." + standardText, "1", new Origin.Default());
                    return new Weights<>(Map.of(standard, 1.0));
                });
    }

    private <T> Weights<T> weights(YamlNode node, Choices<T> choices, T standIn) {
        return weigh(node, node.entries(choices), standIn);
    }

    private <T> Weights<T> weigh(YamlNode node, Map<T, YamlNode> written, T standIn) {
        int problemsBefore = problems.count();
        Map<T, Double> weights = new LinkedHashMap<>();
        written.forEach((choice, weight) -> weights.put(choice, log.value(weight, WEIGHT)));
        if (weights.values().stream().anyMatch(weight -> weight > 0)) {
            return new Weights<>(weights);
        }
        boolean allGood = problems.count() == problemsBefore;
        if (node.isMapping() && allGood && written.size() == node.entries().size()) {
            node.problem("has no weight above 0 (needed: at least one)");
        }
        return new Weights<>(Map.of(standIn, 1.0));
    }

    private ResultReading reading(YamlNode node) {
        if (!node.isMapping()) {
            log.value(node, GroupValues.WHOLE);
            return new ResultReading.Whole();
        }
        int problemsBefore = problems.count();
        int size = log.required(node, "size", GroupValues.PAGE_SIZE);
        double deeper = log.optional(node, "deeper", ValueType.ratio(), "0");
        int maximum = log.optional(node, "maximum", MAXIMUM_PAGE, "50");
        double lastPage = log.optional(node, "lastPage", ValueType.ratio(), "0");
        if (problems.count() == problemsBefore) {
            checkPages(node, deeper, maximum, lastPage);
        }
        return new ResultReading.Paged(size, deeper, maximum, lastPage);
    }

    private static void checkPages(YamlNode node, double deeper, int maximum, double lastPage) {
        if (deeper + lastPage > 1) {
            node.problem("deeper and lastPage add up to " + (deeper + lastPage) + " (allowed: at most 1 together)");
        }
        if (deeper > 0 && maximum == 1) {
            node.required("maximum")
                    .problem("1 leaves no page for deeper, which is " + deeper + " (allowed: 2 or more)");
        }
    }

    private static void checkUnsorted(YamlNode node, Weights<Order> orders, ResultReading reading) {
        boolean unsorted = orders.weights().getOrDefault(Order.UNSORTED, 0.0) > 0;
        if (unsorted && reading instanceof ResultReading.Paged) {
            node.required("order").problem("unsorted is for page: whole (a page of unordered rows means nothing)");
        }
    }
}
