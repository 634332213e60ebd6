package siemload.scenario;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import siemload.config.Choices;
import siemload.config.Durations;
import siemload.config.Problems;
import siemload.config.Property;
import siemload.config.Settings;
import siemload.config.ValueType;
import siemload.config.YamlNode;
import siemload.dataset.EventSource;
import siemload.dataset.Popularity;
import siemload.query.MatchClass;
import siemload.query.Order;
import siemload.query.Page;
import siemload.query.SearchCatalog;
import siemload.query.SearchName;
import siemload.scenario.Ingest.Deployment;
import siemload.scenario.Ingest.Turns;
import siemload.scenario.Ingest.Way;
import siemload.scenario.Ingest.Writing;
import siemload.scenario.Procedure.Change;
import siemload.scenario.Procedure.Counting;
import siemload.scenario.Procedure.Depths;
import siemload.scenario.Procedure.Indexing;
import siemload.scenario.Procedure.Kind;
import siemload.scenario.Procedure.Passes;
import siemload.scenario.Procedure.SearchSet;
import siemload.scenario.Procedure.Statistics;
import siemload.scenario.Procedure.WholeResult;

/**
 * Reads what a scenario does step by step, and applies the settings that override it. Reads one procedure.
 *
 * @param catalog the searches that it may ask
 * @param directory of the scenario, beside which files of values lie
 */
record ProcedureReader(
        YamlNode node, Settings settings, ValueLog log, Problems problems, SearchCatalog catalog, Path directory) {
    private static final ValueType<Kind> KIND = ValueType.choice(Choices.of(Kind.class, Kind::label));
    private static final ValueType<Integer> TIMES = ValueType.wholeNumber(1, 10_000);
    private static final ValueType<Integer> EVENTS = ValueType.wholeNumber(1, 100_000_000);
    private static final ValueType<Long> PAGE_NUMBER = ValueType.wholeNumber(1L, 1_000_000_000L);
    private static final ValueType<Integer> CONNECTIONS = ValueType.wholeNumber(1, 1000);
    private static final ValueType<Duration> THIRD = ValueType.duration(Duration.ofSeconds(1), Duration.ofDays(1));
    private static final ValueType<Integer> LEVEL = ValueType.wholeNumber(1, 100_000);
    private static final ValueType<List<Integer>> LEVELS = ValueType.wholeNumbers(1, 100_000);
    private static final ValueType<Duration> RETENTION =
            ValueType.duration(Duration.ofDays(1), Duration.ofDays(36_600));
    private static final ValueType<Integer> SERVERS = ValueType.wholeNumber(1, 64);
    static final ValueType<Integer> LIST_LENGTH = ValueType.wholeNumber(1, 10_000);
    /** So that each of them has values of its own: ProcedureSearches has no more draws. */
    private static final long MOST_SEARCHES_OF_A_JOB = 1_000_000;

    private static final List<Property<?>> OF_PROCEDURES = List.of(
            Property.SEARCHES,
            Property.PAGE,
            Property.CACHES,
            Property.BATCH,
            Property.USERS,
            Property.WARMUP,
            Property.DURATION);
    private static final List<Property<?>> OF_ANALYSTS =
            List.of(Property.EPS, Property.ARRIVALS, Property.THINK_TIME, Property.WORKERS, Property.OBJECTIVES);

    private static final ValueType<String> WALK =
            ValueType.choice(Choices.names(List.of("last", "firstToLast", "lastToFirst")));

    Procedure read() {
        int problemsBefore = problems.count();
        Kind kind = log.required(node, "kind", KIND);
        if (problems.count() > problemsBefore) {
            // Which keys are wrong depends on the kind: without one none is refused.
            Map<String, YamlNode> unused = node.entries();
            return new Procedure.Load(Indexing.BEFORE, 1);
        }
        refuseSettings(kind);
        return switch (kind) {
            case LOAD ->
                new Procedure.Load(
                        choice("indexing", Choices.camelCase(Indexing.class), "before"),
                        log.optional(node, "cycles", TIMES, "3"));
            case READ -> reading();
            case DEPTH -> depth();
            case FOLLOWUPS -> followUps();
            case FEED ->
                new Procedure.Feed(
                        searchSet("all"),
                        sorted(),
                        pageSize(),
                        passes(),
                        choice("values", Choices.camelCase(Passes.class), "otherValues"),
                        log.required(node, "events", EVENTS),
                        batch(),
                        log.optional(node, "connections", CONNECTIONS, "1"),
                        choice("statistics", Choices.camelCase(Statistics.class), "stale"));
            case NOISY -> new Procedure.Noisy(searchSet("all"), sorted(), pageSize(), users(), part());
            case JOBS -> jobs();
            case CERTIFICATE ->
                new Procedure.Certificate(
                        searchSet("all"),
                        orders(),
                        pageSize(),
                        log.optional(node, "draws", TIMES, "3"),
                        log.optional(node, "events", EVENTS, "1000"),
                        batch());
            case TRANSACTIONS -> new TransactionsReader(node, settings, log, problems, directory).read();
            case INGEST -> ingest();
        };
    }

    private Procedure reading() {
        Page page = page();
        Order order = order();
        if (order == Order.UNSORTED && page instanceof Page.Numbered) {
            problems.add(
                    log.origin(node.pathOf("order")),
                    "unsorted is for page: whole (a page of unordered rows means nothing)");
        }
        Counting counting = choice("count", Choices.camelCase(Counting.class), "none");
        return new Procedure.Read(searchSet("all"), order, page, counting, passes(), caches());
    }

    private Procedure followUps() {
        ValueType<Change> change = ValueType.choice(Choices.camelCase(Change.class));
        List<Change> changes = distinct(node.required("changes"), element -> log.value(element, change), "change");
        CacheState caches = caches();
        if (caches == CacheState.HOT) {
            problems.add(
                    log.origin(node.pathOf("caches")),
                    "hot leaves no search that is asked first (allowed: asFound, cold, lukewarm)");
        }
        return new Procedure.FollowUps(searchSet("all"), sorted(), page(), changes, passes(), caches);
    }

    private Procedure depth() {
        Depths depths = depths();
        WholeResult whole = log.optional(node, "whole", ValueType.choice(Choices.camelCase(WholeResult.class)), "none");
        if (whole == WholeResult.MEASURED && !(depths instanceof Depths.FirstToLast)) {
            problems.add(
                    log.origin(node.pathOf("whole")),
                    "measured is for depths: firstToLast (all pages are what a whole result is held against)");
        }
        return new Procedure.Depth(searchSet("all"), sorted(), pageSize(), depths, whole, passes(), caches());
    }

    private Procedure jobs() {
        Procedure.Jobs jobs = new Procedure.Jobs(
                searchSet("all"),
                sorted(),
                pageSize(),
                levels(),
                log.optional(node, "itemSearches", LEVEL, "192"),
                log.optional(node, "inFlight", TIMES, "20"),
                servers(),
                passes());
        long most = jobs.levels().stream().mapToLong(Integer::longValue).max().orElse(1) * jobs.itemSearches();
        if (most > MOST_SEARCHES_OF_A_JOB) {
            problems.add(
                    log.origin(node.pathOf("levels")),
                    "make a job of " + most + " searches, of which each has values of its own (allowed: levels and"
                            + " itemSearches whose product is at most " + MOST_SEARCHES_OF_A_JOB + ")");
        }
        return jobs;
    }

    private List<Integer> levels() {
        YamlNode levels = node.required("levels");
        if (!levels.isList()) {
            return log.value(levels, LEVELS);
        }
        List<Integer> written = distinct(levels, element -> element.as(LEVEL), "number of items");
        log.put(levels.path(), written.stream().map(String::valueOf).collect(Collectors.joining(",")), levels.origin());
        return written;
    }

    /** At least one of these, each once; notes what stands there twice. */
    private static <T> List<T> distinct(YamlNode list, Function<YamlNode, T> value, String name) {
        List<T> values = new ArrayList<>();
        for (YamlNode element : list.elements()) {
            T one = value.apply(element);
            if (values.contains(one)) {
                element.problem("'" + element.written() + "' stands here twice (leave one out)");
            }
            values.add(one);
        }
        if (values.isEmpty() && list.isList()) {
            list.problem("is empty (needed: at least one " + name + ")");
        }
        return values;
    }

    private int servers() {
        return log.optional(node, "servers", SERVERS, "1");
    }

    private SearchSet searchSet(String window) {
        List<SearchName> written = SearchNames.read(node.required("searches"), log, catalog.names());
        List<SearchName> searches = SearchNames.kept(written, settings, problems);
        if (settings.find(Property.SEARCHES).isPresent()) {
            String names = searches.stream().map(SearchName::name).collect(Collectors.joining(","));
            log.put(node.pathOf("searches"), names, settings.origin(Property.SEARCHES));
        }
        return new SearchSet(
                searches,
                log.optional(node, "window", GroupValues.WINDOW, window),
                choice("popularity", Choices.camelCase(Popularity.class), "typical"),
                log.optional(node, "listLength", LIST_LENGTH, "10"),
                // Whether the data set has such values shows when it is opened.
                log.optional(node, "searched", ValueType.text(), EventSource.DRAWN));
    }

    private Order order() {
        return choice("order", Choices.camelCase(Order.class), "newestFirst");
    }

    /** The order of results that are read in pages. */
    private Order sorted() {
        Order order = order();
        if (order == Order.UNSORTED) {
            problems.add(
                    log.origin(node.pathOf("order")), "a page of unordered rows means nothing (give another order)");
            return Order.NEWEST_FIRST;
        }
        return order;
    }

    /** Both orders, unless one is asked for. */
    private List<Order> orders() {
        return node.optional("order").isPresent() ? List.of(sorted()) : List.of(Order.NEWEST_FIRST, Order.OLDEST_FIRST);
    }

    private Page page() {
        YamlNode page = node.required("page");
        if (page.isMapping()) {
            return new Page.Numbered(pageSize(), 1);
        }
        log.value(page, GroupValues.WHOLE);
        settings.setting(Property.PAGE)
                .ifPresent(size -> problems.add(
                        size.origin(), "is for pages, but this procedure reads whole results (leave it out)"));
        return new Page.Whole();
    }

    private int pageSize() {
        YamlNode page = node.required("page");
        int size = log.required(page, "size", Property.PAGE.type());
        return log.override(page.pathOf("size"), Property.PAGE, size);
    }

    private Depths depths() {
        YamlNode depths = node.required("depths");
        if (depths.isList()) {
            List<Long> numbers = new ArrayList<>();
            depths.elements().forEach(number -> numbers.add(log.value(number, PAGE_NUMBER)));
            if (numbers.isEmpty()) {
                depths.problem("is empty (needed: at least one page number)");
            }
            return new Depths.Pages(numbers);
        }
        return switch (log.value(depths, WALK)) {
            case "firstToLast" -> new Depths.FirstToLast();
            case "lastToFirst" -> new Depths.LastToFirst();
            default -> new Depths.LastPage();
        };
    }

    private int passes() {
        return log.optional(node, "passes", TIMES, "1");
    }

    private CacheState caches() {
        CacheState written = choice("caches", Choices.camelCase(CacheState.class), "asFound");
        String given = log.override(node.pathOf("caches"), Property.CACHES, "");
        return Choices.camelCase(CacheState.class).find(given).orElse(written);
    }

    private int batch() {
        return log.override(
                node.pathOf("batch"), Property.BATCH, log.optional(node, "batch", Property.BATCH.type(), "100"));
    }

    private int users() {
        return log.override(node.pathOf("users"), Property.USERS, log.required(node, "users", Property.USERS.type()));
    }

    /** The property is the time of the three parts together. */
    private Duration part() {
        Duration written = log.optional(node, "third", THIRD, "10s");
        return settings.find(Property.DURATION)
                .map(all -> all.dividedBy(3))
                .map(part -> {
                    log.put(node.pathOf("third"), Durations.format(part), settings.origin(Property.DURATION));
                    return part;
                })
                .orElse(written);
    }

    private <T> T choice(String key, Choices<T> choices, String standard) {
        return log.optional(node, key, ValueType.choice(choices), standard);
    }

    /** Notes the settings that a procedure of this kind has no use for. */
    private void refuseSettings(Kind kind) {
        for (Property<?> property : OF_PROCEDURES) {
            List<String> takers = Stream.of(Kind.values())
                    .filter(one -> settingsOf(one).contains(property))
                    .map(Kind::label)
                    .toList();
            if (!takers.contains(kind.label())) {
                String why = "is for kind: " + String.join(", ", takers) + ", but this procedure is of kind: "
                        + kind.label() + " (leave it out)";
                settings.refuseGiven(List.of(property), why, problems);
            }
        }
        settings.refuseGiven(OF_ANALYSTS, "is for analysts, but this scenario is a procedure (leave it out)", problems);
    }

    private static Set<Property<?>> settingsOf(Kind kind) {
        return switch (kind) {
            case LOAD -> Set.of();
            case READ, DEPTH, FOLLOWUPS -> Set.of(Property.SEARCHES, Property.PAGE, Property.CACHES);
            case FEED, CERTIFICATE -> Set.of(Property.SEARCHES, Property.PAGE, Property.BATCH);
            case NOISY -> Set.of(Property.SEARCHES, Property.PAGE, Property.USERS, Property.DURATION);
            case JOBS -> Set.of(Property.SEARCHES, Property.PAGE);
            case TRANSACTIONS -> Set.of(Property.USERS, Property.WARMUP, Property.DURATION);
            case INGEST -> Set.of(Property.BATCH);
        };
    }

    /** Whether a hint takes effect is proven by plans before the first step, when there is nothing to search yet. */
    private Ingest ingest() {
        settings.setting(Property.HINT)
                .filter(hint -> !hint.value().equals("none"))
                .ifPresent(hint -> problems.add(
                        hint.origin(),
                        "cannot be proven by a procedure of kind ingest, which begins with an empty store (leave it out,"
                                + " or take one of kind read)"));
        return new Ingest(
                new Writing(
                        choice("writing", Choices.camelCase(Way.class), "bulk"),
                        batch(),
                        log.optional(node, "connections", CONNECTIONS, "1")),
                matching(node.required("matching")),
                passes(),
                servers(),
                choice("turns", Choices.camelCase(Turns.class), "together"),
                new Deployment(
                        log.optional(node, "peakFactor", ValueType.number(1, 1_000), "3"),
                        log.optional(node, "retention", RETENTION, "90d")));
    }

    /** A summary of many events has few rows, and no first event. */
    private SortedMap<MatchClass, SearchName> matching(YamlNode matching) {
        Choices<MatchClass> classes = Choices.camelCase(MatchClass.class);
        ValueType<SearchName> listing = ValueType.choice(catalog.listing());
        SortedMap<MatchClass, SearchName> searches = new TreeMap<>();
        matching.entries(classes).forEach((one, search) -> searches.put(one, log.value(search, listing)));
        if (matching.isMapping() && matching.entries().isEmpty()) {
            matching.problem("is empty (needed: at least one class with its search, of "
                    + String.join(", ", classes.byName().keySet()) + ")");
        }
        return searches;
    }
}
