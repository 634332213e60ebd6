package siemload.scenario;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import siemload.config.Choices;
import siemload.config.Durations;
import siemload.config.Origin;
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
import siemload.scenario.Procedure.Kind;
import siemload.scenario.Procedure.SearchSet;
import siemload.scenario.Procedure.Statistics;
import siemload.scenario.Procedure.WholeResult;

/**
 * Reads what a scenario does step by step, and applies the settings that override it. Reads one procedure.
 *
 * @param catalog the searches that it may ask
 */
record ProcedureReader(YamlNode node, Settings settings, ValueLog log, Problems problems, SearchCatalog catalog) {
    private static final ValueType<Kind> KIND = ValueType.choice(Choices.of(Kind.class, Kind::label));
    private static final ValueType<Integer> TIMES = ValueType.wholeNumber(1, 10_000);
    private static final ValueType<Integer> EVENTS = ValueType.wholeNumber(1, 100_000_000);
    private static final ValueType<Long> PAGE_NUMBER = ValueType.wholeNumber(1L, 1_000_000_000L);
    static final ValueType<Integer> CONNECTIONS = ValueType.wholeNumber(1, 1000);
    private static final ValueType<Duration> THIRD = ValueType.duration(Duration.ofSeconds(1), Duration.ofDays(1));
    private static final ValueType<Integer> LEVEL = ValueType.wholeNumber(1, 100_000);
    private static final ValueType<List<Integer>> LEVELS = ValueType.wholeNumbers(1, 100_000);
    private static final ValueType<Integer> SERVERS = ValueType.wholeNumber(1, 64);
    static final ValueType<Integer> LIST_LENGTH = ValueType.wholeNumber(1, 10_000);
    /** So that each of them has values of its own: ProcedureSearches has no more draws. */
    private static final long MOST_SEARCHES_OF_A_JOB = 1_000_000;

    private static final ValueType<String> WALK =
            ValueType.choice(Choices.names(List.of("last", "firstToLast", "lastToFirst")));

    Procedure read() {
        int problemsBefore = problems.count();
        Kind kind = log.required(node, "kind", KIND);
        if (problems.count() > problemsBefore) {
            // Which keys are wrong depends on the kind: without one none is refused.
            ProcedureKeys.all().forEach(node::optional);
            return new Procedure.Load(1);
        }
        new ProcedureKeys(settings, problems).check(node, kind);
        return switch (kind) {
            case LOAD -> new Procedure.Load(log.optional(node, "cycles", TIMES, "3"));
            case INDEXES -> new Procedure.Indexes(log.optional(node, "cycles", TIMES, "1"));
            case READ -> reading();
            case DEPTH -> depth();
            case FOLLOWUPS -> followUps();
            case FEED ->
                new Procedure.Feed(
                        searchSet("all"),
                        sorted(),
                        pageSize(),
                        passes(),
                        log.required(node, "events", EVENTS),
                        batch(),
                        log.optional(node, "connections", CONNECTIONS, "1"));
            case STALE ->
                new Procedure.Stale(
                        searchSet("5m"),
                        sorted(),
                        pageSize(),
                        passes(),
                        log.required(node, "events", EVENTS),
                        batch(),
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
            case TRANSACTIONS -> new TransactionsReader(node, settings, log, problems).read();
            case INGEST -> new IngestReader(this).read();
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

    int servers() {
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

    int passes() {
        return log.optional(node, "passes", TIMES, "1");
    }

    private CacheState caches() {
        CacheState written = choice("caches", Choices.camelCase(CacheState.class), "asFound");
        String given = log.override(node.pathOf("caches"), Property.CACHES, "");
        return Choices.camelCase(CacheState.class).find(given).orElse(written);
    }

    int batch() {
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

    <T> T choice(String key, Choices<T> choices, String standard) {
        return log.optional(node, key, ValueType.choice(choices), standard);
    }

    /** Which keys and settings are for which kinds of procedures. */
    private record ProcedureKeys(Settings settings, Problems problems) {
        private static final Set<Kind> SEARCHING = EnumSet.of(
                Kind.READ, Kind.DEPTH, Kind.FOLLOWUPS, Kind.FEED, Kind.STALE, Kind.NOISY, Kind.JOBS, Kind.CERTIFICATE);
        private static final Set<Kind> REPEATING =
                EnumSet.of(Kind.READ, Kind.DEPTH, Kind.FOLLOWUPS, Kind.FEED, Kind.STALE, Kind.JOBS, Kind.INGEST);
        private static final Set<Kind> FEEDING = EnumSet.of(Kind.FEED, Kind.STALE, Kind.CERTIFICATE);
        private static final Set<Kind> CACHED = EnumSet.of(Kind.READ, Kind.DEPTH, Kind.FOLLOWUPS);
        private static final Set<Kind> LOADING = EnumSet.of(Kind.LOAD, Kind.INDEXES);

        private static final Map<String, Set<Kind>> BY_KEY = byKey();

        private static final List<Property<?>> OF_ANALYSTS =
                List.of(Property.EPS, Property.ARRIVALS, Property.THINK_TIME, Property.WORKERS, Property.OBJECTIVES);

        private static Map<String, Set<Kind>> byKey() {
            Map<String, Set<Kind>> kinds = new LinkedHashMap<>();
            List.of("searches", "order", "window", "popularity", "listLength", "page")
                    .forEach(key -> kinds.put(key, SEARCHING));
            kinds.put("searched", CACHED);
            kinds.put("count", EnumSet.of(Kind.READ));
            kinds.put("passes", REPEATING);
            kinds.put("caches", CACHED);
            kinds.put("cycles", LOADING);
            kinds.put("depths", EnumSet.of(Kind.DEPTH));
            kinds.put("whole", EnumSet.of(Kind.DEPTH));
            kinds.put("changes", EnumSet.of(Kind.FOLLOWUPS));
            kinds.put("events", FEEDING);
            kinds.put("batch", EnumSet.of(Kind.FEED, Kind.STALE, Kind.CERTIFICATE, Kind.INGEST));
            kinds.put("connections", EnumSet.of(Kind.FEED, Kind.INGEST));
            kinds.put("statistics", EnumSet.of(Kind.STALE));
            kinds.put("users", EnumSet.of(Kind.NOISY, Kind.TRANSACTIONS));
            kinds.put("third", EnumSet.of(Kind.NOISY));
            List.of("levels", "itemSearches", "inFlight").forEach(key -> kinds.put(key, EnumSet.of(Kind.JOBS)));
            kinds.put("servers", EnumSet.of(Kind.JOBS, Kind.INGEST));
            for (String key : List.of("writing", "matching", "turns", "peakFactor", "retention")) {
                kinds.put(key, EnumSet.of(Kind.INGEST));
            }
            kinds.put("draws", EnumSet.of(Kind.CERTIFICATE));
            for (String key : List.of("accounts", "classes", "warmup", "duration", "crash")) {
                kinds.put(key, EnumSet.of(Kind.TRANSACTIONS));
            }
            return kinds;
        }

        /** Which kinds take a property: those that have a key of its name, or of the one it says something of; the duration is that
         * of all thirds. */
        private static Optional<Set<Kind>> takers(Property<?> property) {
            return property == Property.DURATION
                    ? Optional.of(EnumSet.of(Kind.NOISY, Kind.TRANSACTIONS))
                    : Optional.ofNullable(BY_KEY.get(property.name()));
        }

        /** The keys of all kinds. */
        static Set<String> all() {
            return BY_KEY.keySet();
        }

        /** Notes the keys and the settings that a procedure of this kind has no use for. */
        void check(YamlNode node, Kind kind) {
            BY_KEY.forEach((key, kinds) -> node.optional(key)
                    .filter(written -> !kinds.contains(kind))
                    .ifPresent(misplaced -> misplaced.problem(isFor(kinds, kind))));
            for (Property<?> property : Property.all()) {
                Optional<Set<Kind>> kinds = takers(property);
                settings.given(property)
                        .filter(setting ->
                                kinds.isPresent() && !kinds.orElseThrow().contains(kind))
                        .ifPresent(setting -> problems.add(setting.origin(), isFor(kinds.orElseThrow(), kind)));
            }
            settings.refuseGiven(
                    OF_ANALYSTS, "is for analysts, but this scenario is a procedure (leave it out)", problems);
        }

        private static String isFor(Set<Kind> kinds, Kind kind) {
            String labels = kinds.stream().map(Kind::label).collect(Collectors.joining(", "));
            return "is for kind: " + labels + ", but this procedure is of kind: " + kind.label() + " (leave it out)";
        }
    }

    /** Reads a procedure of kind transactions, and applies the settings that override it. Reads one procedure. */
    private record TransactionsReader(YamlNode node, Settings settings, ValueLog log, Problems problems) {
        private static final Choices<UserClass> CLASSES = Choices.camelCase(UserClass.class);
        private static final ValueType<Integer> SHARE = ValueType.wholeNumber(1, 1_000);
        private static final long ACCOUNTS_OF_BRANCH = 10_000;
        private static final ValueType<Long> ACCOUNTS = ValueType.of(
                "multiple of 10_000, up to 2_000_000_000", ACCOUNTS_OF_BRANCH, TransactionsReader::accounts);
        private static final ValueType<Duration> CRASH = ValueType.duration(Duration.ofMillis(1), Duration.ofDays(30));

        Procedure read() {
            int users = required("users", Property.USERS);
            long accounts = log.required(node, "accounts", ACCOUNTS);
            Duration warmup = log.override(
                    node.pathOf("warmup"), Property.WARMUP, log.optional(node, "warmup", Property.WARMUP.type(), "0s"));
            Duration duration = required("duration", Property.DURATION);
            return new Procedure.Transactions(accounts, usersOf(users, shares()), warmup, duration, crash(duration));
        }

        private <T> T required(String key, Property<T> property) {
            return log.override(node.pathOf(key), property, log.required(node, key, property.type()));
        }

        private Optional<Duration> crash(Duration duration) {
            Optional<Duration> crash = node.optional("crash").map(at -> log.value(at, CRASH));
            crash.filter(at -> at.compareTo(duration) >= 0)
                    .ifPresent(late -> problems.add(
                            log.origin(node.pathOf("crash")),
                            Durations.format(late) + " is not before the end of the measured time, "
                                    + Durations.format(duration)));
            return crash;
        }

        private Map<UserClass, Integer> shares() {
            return node.optional("classes").map(this::written).orElseGet(() -> {
                log.put(node.pathOf("classes") + "." + UserClass.WRITE_LIGHT.label(), "1", new Origin.Default());
                return Map.of(UserClass.WRITE_LIGHT, 1);
            });
        }

        private Map<UserClass, Integer> written(YamlNode classes) {
            Map<UserClass, Integer> shares = new LinkedHashMap<>();
            classes.entries(CLASSES).forEach((one, share) -> shares.put(one, log.value(share, SHARE)));
            if (classes.isMapping() && classes.entries().isEmpty()) {
                classes.problem("is empty (needed: at least one class with its share)");
            }
            return shares;
        }

        private static long accounts(String text) {
            long accounts =
                    ValueType.wholeNumber(ACCOUNTS_OF_BRANCH, 2_000_000_000L).parse(text);
            if (accounts % ACCOUNTS_OF_BRANCH != 0) {
                throw new IllegalArgumentException(text + " is no multiple of 10,000, the accounts of a branch");
            }
            return accounts;
        }

        private SortedMap<UserClass, Integer> usersOf(int users, Map<UserClass, Integer> shares) {
            SortedMap<UserClass, Integer> byClass = new TreeMap<>();
            if (shares.isEmpty()) {
                byClass.put(UserClass.WRITE_LIGHT, users); // What is wrong has been noted.
                return byClass;
            }
            if (users < shares.size()) {
                problems.add(
                        log.origin(node.pathOf("users")),
                        users + " users cannot be of " + shares.size()
                                + " classes (give more users, or fewer classes)");
                return byClass;
            }
            List<UserClass> classes = new ArrayList<>(shares.keySet());
            List<Integer> spread = UserSpread.of(users, new ArrayList<>(shares.values()));
            for (int i = 0; i < spread.size(); i++) {
                byClass.put(classes.get(i), spread.get(i));
            }
            return byClass;
        }
    }

    /** Reads a procedure of kind ingest, and applies the settings that override it. Reads one procedure. */
    private record IngestReader(ProcedureReader reader) {
        private static final Choices<MatchClass> CLASSES = Choices.camelCase(MatchClass.class);
        private static final ValueType<Double> PEAK_FACTOR = ValueType.number(1, 1_000);
        private static final ValueType<Duration> RETENTION =
                ValueType.duration(Duration.ofDays(1), Duration.ofDays(36_600));
        private static final String NO_HINT = "none";

        Procedure read() {
            refuseHint();
            return new Ingest(
                    writing(),
                    matching(reader.node().required("matching")),
                    reader.passes(),
                    reader.servers(),
                    reader.choice("turns", Choices.camelCase(Turns.class), "together"),
                    deployment());
        }

        /** Whether it takes effect is proven by plans before the first step, when there is nothing to search yet. */
        private void refuseHint() {
            reader.settings()
                    .setting(Property.HINT)
                    .filter(hint -> !hint.value().equals(NO_HINT))
                    .ifPresent(hint -> reader.problems()
                            .add(
                                    hint.origin(),
                                    "cannot be proven by a procedure of kind ingest, which begins with an empty store (leave it out,"
                                            + " or take one of kind read)"));
        }

        private Writing writing() {
            return new Writing(
                    reader.choice("writing", Choices.camelCase(Way.class), "bulk"),
                    reader.batch(),
                    reader.log().optional(reader.node(), "connections", ProcedureReader.CONNECTIONS, "1"));
        }

        /** A summary of many events has few rows, and no first event. */
        private SortedMap<MatchClass, SearchName> matching(YamlNode matching) {
            ValueType<SearchName> listing = ValueType.choice(reader.catalog().listing());
            SortedMap<MatchClass, SearchName> searches = new TreeMap<>();
            matching.entries(CLASSES)
                    .forEach((one, search) -> searches.put(one, reader.log().value(search, listing)));
            if (matching.isMapping() && matching.entries().isEmpty()) {
                matching.problem("is empty (needed: at least one class with its search, of "
                        + String.join(", ", List.copyOf(CLASSES.byName().keySet())) + ")");
            }
            return searches;
        }

        private Deployment deployment() {
            return new Deployment(
                    reader.log().optional(reader.node(), "peakFactor", PEAK_FACTOR, "3"),
                    reader.log().optional(reader.node(), "retention", RETENTION, "90d"));
        }
    }
}
