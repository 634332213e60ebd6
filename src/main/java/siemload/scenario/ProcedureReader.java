package siemload.scenario;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import siemload.config.Choices;
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
import siemload.scenario.Procedure.Asked;
import siemload.scenario.Procedure.Change;
import siemload.scenario.Procedure.Counting;
import siemload.scenario.Procedure.Deletion;
import siemload.scenario.Procedure.Depths;
import siemload.scenario.Procedure.Feed;
import siemload.scenario.Procedure.Indexing;
import siemload.scenario.Procedure.Items;
import siemload.scenario.Procedure.Load;
import siemload.scenario.Procedure.Pages;
import siemload.scenario.Procedure.Passes;
import siemload.scenario.Procedure.Read;
import siemload.scenario.Procedure.Statistics;
import siemload.scenario.Procedure.Step;
import siemload.scenario.Procedure.Transactions;
import siemload.scenario.Procedure.Way;
import siemload.scenario.Procedure.WholeResult;
import siemload.scenario.Procedure.Writing;

/**
 * Reads what a scenario does step by step, and applies the settings that override it. Reads one procedure.
 *
 * @param catalog the searches that it may ask
 * @param directory of the scenario, beside which files of values lie
 */
record ProcedureReader(
        YamlNode node, Settings settings, ValueLog log, Problems problems, SearchCatalog catalog, Path directory) {
    private static final String READ = "read";
    private static final String PAGE = "page";
    private static final String LOAD = "load";
    private static final String FEED = "feed";
    private static final String USERS = "users";
    private static final ValueType<String> STEP =
            ValueType.choice(Choices.names(List.of(READ, PAGE, LOAD, FEED, USERS)));
    private static final ValueType<Integer> TIMES = ValueType.wholeNumber(1, 10_000);
    private static final ValueType<Integer> EVENTS = ValueType.wholeNumber(1, 100_000_000);
    private static final ValueType<Long> PAGE_NUMBER = ValueType.wholeNumber(1L, 1_000_000_000L);
    private static final ValueType<Integer> CONNECTIONS = ValueType.wholeNumber(1, 1000);
    private static final ValueType<Integer> LEVEL = ValueType.wholeNumber(1, 100_000);
    private static final ValueType<List<Integer>> LEVELS = ValueType.wholeNumbers(1, 100_000);
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

    private static final String BOTH = "both";
    private static final ValueType<String> ORDER =
            ValueType.choice(Choices.names(List.of("newestFirst", "oldestFirst", "unsorted", BOTH)));
    private static final ValueType<String> WALK =
            ValueType.choice(Choices.names(List.of("last", "firstToLast", "lastToFirst")));

    Procedure read() {
        int problemsBefore = problems.count();
        List<String> kinds = distinct(node.required("steps"), element -> log.value(element, STEP), "step");
        if (problems.count() > problemsBefore) {
            // Which keys are wrong depends on the steps: without them none is refused.
            Map<String, YamlNode> unused = node.entries();
            Feed none = new Feed(1, 1, 1, Statistics.STALE);
            return new Procedure(List.of(none), Optional.empty(), 1, CacheState.AS_FOUND, 1);
        }
        requireFitting(kinds);
        if (kinds.contains(USERS) && node.optional("transactions").isPresent()) {
            refuseSettings(kinds, Set.of(Property.USERS, Property.WARMUP, Property.DURATION));
            Transactions all = new TransactionsReader(node, settings, log, problems, directory).read();
            return new Procedure(List.of(all), Optional.empty(), 1, CacheState.AS_FOUND, 1);
        }
        Set<Property<?>> taken = new HashSet<>();
        Optional<SortedMap<MatchClass, SearchName>> matching =
                kinds.contains(READ) ? node.optional("matching").map(this::matching) : Optional.empty();
        Optional<Asked> asked = Optional.empty();
        if (matching.isEmpty() && kinds.stream().anyMatch(kind -> !kind.equals(LOAD) && !kind.equals(FEED))) {
            taken.addAll(List.of(Property.SEARCHES, Property.PAGE));
            asked = Optional.of(asked(kinds));
        }
        boolean isMeasured = kinds.contains(READ) || kinds.contains(PAGE);
        int passes = isMeasured || kinds.contains(USERS) ? log.optional(node, "passes", TIMES, "1") : 1;
        CacheState caches = isMeasured && matching.isEmpty() ? caches(taken) : CacheState.AS_FOUND;
        boolean isOfOneServer = kinds.contains(PAGE) || kinds.contains(FEED);
        int servers = isOfOneServer ? 1 : log.optional(node, "servers", SERVERS, "1");
        List<Step> steps = new ArrayList<>();
        for (String kind : kinds) {
            steps.add(
                    switch (kind) {
                        case LOAD -> load(taken);
                        case READ -> matching.map(ProcedureReader::matched).orElseGet(this::reading);
                        case PAGE -> pages();
                        case FEED ->
                            new Feed(
                                    log.required(node, "events", EVENTS),
                                    batch(taken),
                                    log.optional(node, "connections", CONNECTIONS, "1"),
                                    statistics());
                        default -> items();
                    });
        }
        Procedure read = new Procedure(steps, asked, passes, caches, servers);
        requireMeaningful(read);
        refuseSettings(kinds, taken);
        return read;
    }

    private void requireFitting(List<String> kinds) {
        if (kinds.contains(USERS) && kinds.size() > 1) {
            node.required("steps").problem("has users beside other steps (leave one of them out)");
        }
        if (kinds.indexOf(LOAD) > 0) {
            node.required("steps").problem("has a load that is not the first step, into a store that is not empty");
        }
    }

    private void requireMeaningful(Procedure read) {
        boolean reads = read.steps().stream().anyMatch(step -> step instanceof Read || step instanceof Pages);
        if (read.startsEmpty() && reads) {
            settings.setting(Property.HINT)
                    .filter(hint -> !hint.value().equals("none"))
                    .ifPresent(hint -> problems.add(
                            hint.origin(),
                            "cannot be proven by a procedure that begins with an empty store (leave it out, or take one"
                                    + " without load)"));
        }
        boolean follows = read.steps().stream()
                .anyMatch(step -> step instanceof Read one && !one.changes().isEmpty());
        boolean emptied = read.caches() == CacheState.COLD || read.caches() == CacheState.LUKEWARM;
        if (read.servers() > 1 && (follows || emptied)) {
            problems.add(
                    log.origin(node.pathOf("servers")),
                    "caches are emptied, and follow-ups are asked, on one server (give 1)");
        }
        if (follows && read.caches() == CacheState.HOT) {
            problems.add(
                    log.origin(node.pathOf("caches")),
                    "hot leaves no search that is asked first (allowed: asFound, cold, lukewarm)");
        }
    }

    private Load load(Set<Property<?>> taken) {
        Way way = choice("writing", Choices.camelCase(Way.class), "bulk");
        int connections = log.optional(node, "connections", CONNECTIONS, "1");
        int batch = batch(taken);
        return new Load(
                new Writing(way, batch, way == Way.INSERTS ? connections : 1),
                choice("indexing", Choices.camelCase(Indexing.class), "before"),
                log.optional(node, "cycles", TIMES, "1"),
                choice("deletion", Choices.camelCase(Deletion.class), "between"),
                statistics());
    }

    private static Read matched(SortedMap<MatchClass, SearchName> matching) {
        return new Read(Counting.EXACT, Passes.SAME_VALUES, List.of(), matching);
    }

    private Read reading() {
        ValueType<Change> change = ValueType.choice(Choices.camelCase(Change.class));
        Optional<YamlNode> changes = node.optional("changes");
        if (changes.isPresent()) {
            List<Change> all = distinct(changes.orElseThrow(), element -> log.value(element, change), "change");
            return new Read(Counting.NONE, Passes.SAME_VALUES, all, new TreeMap<>());
        }
        Counting counting = choice("count", Choices.camelCase(Counting.class), "none");
        Passes values = choice("values", Choices.camelCase(Passes.class), "sameValues");
        return new Read(counting, values, List.of(), new TreeMap<>());
    }

    private Pages pages() {
        Depths depths = depths();
        WholeResult whole = choice("whole", Choices.camelCase(WholeResult.class), "none");
        if (whole == WholeResult.MEASURED && !(depths instanceof Depths.FirstToLast)) {
            problems.add(
                    log.origin(node.pathOf("whole")),
                    "measured is for depths: firstToLast (all pages are what a whole result is held against)");
        }
        return new Pages(depths, whole, log.optional(node, "draws", TIMES, "1"));
    }

    private Items items() {
        Items items = new Items(
                levels(),
                log.optional(node, "itemSearches", LEVEL, "192"),
                log.optional(node, "inFlight", TIMES, "20"));
        long most = items.levels().stream().mapToLong(Integer::longValue).max().orElse(1) * items.itemSearches();
        if (most > MOST_SEARCHES_OF_A_JOB) {
            problems.add(
                    log.origin(node.pathOf("levels")),
                    "make a job of " + most + " searches, of which each has values of its own (allowed: levels and"
                            + " itemSearches whose product is at most " + MOST_SEARCHES_OF_A_JOB + ")");
        }
        return items;
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

    /** Orders and pages are such that all of the steps can have them. */
    private Asked asked(List<String> kinds) {
        List<SearchName> written = SearchNames.read(node.required("searches"), log, catalog.names());
        List<SearchName> searches = SearchNames.kept(written, settings, problems);
        if (settings.find(Property.SEARCHES).isPresent()) {
            String names = searches.stream().map(SearchName::name).collect(Collectors.joining(","));
            log.put(node.pathOf("searches"), names, settings.origin(Property.SEARCHES));
        }
        boolean readsAlone = !kinds.contains(PAGE) && !kinds.contains(USERS);
        Page page = readsAlone ? page() : new Page.Numbered(pageSize(), 1);
        return new Asked(
                searches,
                log.optional(node, "window", WindowLength.TYPE, "all"),
                choice("popularity", Choices.camelCase(Popularity.class), "typical"),
                log.optional(node, "listLength", LIST_LENGTH, "10"),
                // Whether the data set has such values shows when it is opened.
                log.optional(node, "searched", ValueType.text(), EventSource.DRAWN),
                orders(page, kinds),
                page);
    }

    private List<Order> orders(Page page, List<String> kinds) {
        String written = log.optional(node, "order", ORDER, "newestFirst");
        List<Order> both = List.of(Order.NEWEST_FIRST, Order.OLDEST_FIRST);
        if (written.equals(BOTH)) {
            if (!kinds.contains(PAGE)) {
                problems.add(log.origin(node.pathOf("order")), "both is for steps: [page] (give one of them)");
            }
            return both;
        }
        Order order = Choices.camelCase(Order.class).find(written).orElseThrow();
        if (order == Order.UNSORTED
                && (page instanceof Page.Numbered || node.optional("changes").isPresent())) {
            problems.add(
                    log.origin(node.pathOf("order")),
                    "unsorted is for page: whole (a page of unordered rows means nothing)");
            return both;
        }
        return List.of(order);
    }

    private Page page() {
        YamlNode page = node.required("page");
        if (page.isMapping()) {
            return new Page.Numbered(pageSize(), 1);
        }
        log.value(page, ResultReading.WHOLE);
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
            return new Depths.Listed(numbers);
        }
        return switch (log.value(depths, WALK)) {
            case "firstToLast" -> new Depths.FirstToLast();
            case "lastToFirst" -> new Depths.LastToFirst();
            default -> new Depths.LastPage();
        };
    }

    private CacheState caches(Set<Property<?>> taken) {
        taken.add(Property.CACHES);
        CacheState written = choice("caches", Choices.camelCase(CacheState.class), "asFound");
        String given = log.override(node.pathOf("caches"), Property.CACHES, "");
        return Choices.camelCase(CacheState.class).find(given).orElse(written);
    }

    private int batch(Set<Property<?>> taken) {
        taken.add(Property.BATCH);
        return log.override(
                node.pathOf("batch"), Property.BATCH, log.optional(node, "batch", Property.BATCH.type(), "100"));
    }

    private Statistics statistics() {
        return choice("statistics", Choices.camelCase(Statistics.class), "stale");
    }

    private <T> T choice(String key, Choices<T> choices, String standard) {
        return log.optional(node, key, ValueType.choice(choices), standard);
    }

    /** Notes the settings that these steps have no use for. */
    private void refuseSettings(List<String> kinds, Set<Property<?>> taken) {
        List<Property<?>> refused =
                OF_PROCEDURES.stream().filter(one -> !taken.contains(one)).toList();
        String steps = "[" + String.join(", ", kinds) + "]";
        settings.refuseGiven(refused, "means nothing to a procedure of steps: " + steps + " (leave it out)", problems);
        settings.refuseGiven(OF_ANALYSTS, "is for analysts, but this scenario is a procedure (leave it out)", problems);
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
