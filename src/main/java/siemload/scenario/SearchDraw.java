package siemload.scenario;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import siemload.dataset.DatasetSpec.SearchedValues;
import siemload.dataset.EventSource;
import siemload.dataset.Popularity;
import siemload.dataset.SeededRandom;
import siemload.dataset.ValuePools;
import siemload.dataset.ValuePools.Value;
import siemload.event.AddressRange;
import siemload.event.IdeaReader;
import siemload.event.SecurityEvent;
import siemload.query.Criterion;
import siemload.query.Criterion.AddressMatches;
import siemload.query.Criterion.Drawn;
import siemload.query.CriterionKey;
import siemload.query.EventSide;
import siemload.query.Order;
import siemload.query.Page;
import siemload.query.Search;
import siemload.query.SearchCatalog;
import siemload.query.SearchDefinition;
import siemload.query.SearchName;
import siemload.query.Summary;
import siemload.query.ValueField;
import siemload.query.Window;

/**
 * Fills in the values of searches from the data set; {@link FollowUp} takes values from a row. Values that are searched together come from
 * one event, so that HAWAT6 and OTHER2 find events, unless the drawn values are meant to be absent. Thread-safe.
 */
public final class SearchDraw {
    /** The prefix lengths of ranges around a source or target: for IPv4 as in the pool of ranges, for IPv6 that of a network. */
    private static final int IP4_NETWORK_BITS = 24;

    private static final int IP6_NETWORK_BITS = 64;

    /** The placeholder for a range that the search does not use. */
    private static final AddressRange NO_RANGE = AddressRange.ip4(0);

    /** The placeholder for any other value that the search does not use. */
    private static final Value NO_VALUE = new Value("", "", "", 0);

    private final ValuePools pools;
    private final Instant dataFirst;
    private final Map<String, SearchedValues> searched;
    private final Map<SearchName, StatementPlan> statements = new HashMap<>();
    private final SearchCatalog catalog;
    private final Map<SearchName, Looked> drawn = new HashMap<>();

    /**
     * The rule by which the values of a search are drawn. As thread-safe as its random numbers.
     *
     * @param listLength how many addresses a search for a list gets, 1 or more
     * @param random the source of draws; each search takes some of its numbers
     * @param wanted values that replace drawn values; their time range is ignored
     */
    public record SamplingRule(Popularity popularity, int listLength, SeededRandom random, SearchedValues wanted) {
        public SamplingRule(Popularity popularity, int listLength, SeededRandom random) {
            this(popularity, listLength, random, SearchedValues.NONE);
        }
    }

    /** The values to draw for a search: the keys of its criteria with drawn values, and the side of these values. */
    private record Looked(SearchDefinition definition, Set<CriterionKey> keys, EventSide side) {}

    /** Creates a draw of values for siemload's own searches. */
    public SearchDraw(ValuePools pools, EventSource source) {
        this(pools, source, SearchCatalog.builtIn(), List.of());
    }

    /** @param statements that replace searches of the same names */
    public SearchDraw(
            ValuePools pools, EventSource source, SearchCatalog catalog, Collection<StatementPlan> statements) {
        this.pools = pools;
        this.dataFirst = source.first();
        this.searched = source.searched();
        this.catalog = catalog;
        statements.forEach(plan -> this.statements.put(plan.statement().name(), plan));
        for (SearchDefinition search : catalog.all()) {
            EnumSet<CriterionKey> keys = EnumSet.allOf(CriterionKey.class);
            keys.removeIf(key -> !search.draws(key));
            drawn.put(search.name(), new Looked(search, keys, search.side()));
        }
    }

    /** Returns the searches for which values are drawn. */
    public SearchCatalog catalog() {
        return catalog;
    }

    /** Returns the earliest detect time of the data set. */
    public Instant dataFirst() {
        return dataFirst;
    }

    /** Returns the values that the data set has under a name; no values if they are to be drawn. */
    public SearchedValues searched(String name) {
        return searched.getOrDefault(name, SearchedValues.NONE);
    }

    /** Draws a search with values that follow this rule; {@link SearchDefinition#order} may replace the wanted order. */
    public Search search(SearchName name, SamplingRule rule, Window window, Order order, Page page) {
        StatementPlan statement = statements.get(name);
        if (statement != null) {
            return statement.search(rule.random());
        }
        Looked search = Optional.ofNullable(drawn.get(name))
                .orElseThrow(() -> new IllegalArgumentException(name + " is not in the catalogue"));
        SearchDefinition definition = search.definition();
        boolean isSummed = definition.summary().isPresent();
        // The window of a trend starts on the hour.
        Window whole =
                definition.summary().filter(Summary.Hours.class::isInstance).isPresent()
                        ? new Window(window.from().truncatedTo(ChronoUnit.HOURS), window.until())
                        : window;
        return new Search(
                name,
                definition.window().orElse(whole),
                definition.criteria(values(search, rule)),
                isSummed ? Order.NEWEST_FIRST : definition.order(page, order),
                isSummed ? new Page.Whole() : page,
                definition.summary());
    }

    /** Draws a search in which each given criterion replaces the drawn criteria of its kind, or is added. */
    public Search search(
            SearchName name, SamplingRule rule, Window window, Order order, Page page, List<Criterion> given) {
        Search search = search(name, rule, window, order, page);
        List<Criterion> criteria = new ArrayList<>(search.criteria());
        for (Criterion criterion : given) {
            criteria.removeIf(criterion::isLike);
            criteria.add(criterion);
        }
        return search.with(criteria);
    }

    /**
     * Takes the same random numbers for every search, and more only for searches that need more, so that draws of other searches do not
     * change. A value is fetched only if the search uses it: fetching seven values and parsing an address takes longer than all draws.
     */
    private Function<Drawn, Criterion> values(Looked search, SamplingRule rule) {
        Set<CriterionKey> keys = search.keys();
        boolean isEither = search.side() == EventSide.EITHER;
        boolean hasRange = keys.contains(CriterionKey.RANGE);
        boolean hasList = keys.contains(CriterionKey.ADDRESSES);
        boolean hasAddress = hasList || keys.contains(CriterionKey.ADDRESS);
        boolean hasService = keys.contains(CriterionKey.SERVICE);
        boolean hasDetector = keys.contains(CriterionKey.DETECTOR);
        boolean hasCategory = keys.contains(CriterionKey.CATEGORY);
        Value address = value(hasAddress, pools.of(ValueField.ADDRESS), rule);
        Value range = value(hasRange, pools.ranges(), rule);
        Value detector = value(hasDetector, pools.of(ValueField.DETECTOR), rule);
        Value together = hasAddress ? address : hasRange ? range : detector;
        String category = isEither && hasCategory && (hasAddress || hasRange || hasDetector)
                ? together.category()
                : value(hasCategory, pools.of(ValueField.CATEGORY), rule).text();
        Value service = hasService ? pools.services().draw(rule.popularity(), rule.random()) : address;
        List<AddressRange> addresses = new ArrayList<>();
        addresses.add(hasAddress || hasService ? service.range() : NO_RANGE);
        while (hasList && addresses.size() < rule.listLength()) {
            addresses.add(value(ValueField.ADDRESS, rule).range());
        }
        AddressRange around = hasRange ? range.range() : NO_RANGE;
        boolean isPortAlone = keys.contains(CriterionKey.PORT) && isEither && !hasAddress && !hasService;
        int port = isPortAlone ? value(ValueField.PORT, rule).number() : service.port();
        String id = value(keys.contains(CriterionKey.ID), pools.of(ValueField.ID), rule)
                .text();
        boolean isWhole = keys.contains(CriterionKey.DESCRIPTION);
        ValuePools.Pool texts = pools.of(isWhole ? ValueField.DESCRIPTION : ValueField.TEXT);
        String text =
                value(isWhole || keys.contains(CriterionKey.TEXT), texts, rule).text();
        if (!isEither) {
            boolean isSource = search.side() == EventSide.SOURCE;
            addresses.replaceAll(anywhere -> value(isSource ? ValueField.SOURCE : ValueField.TARGET, rule)
                    .range());
            AddressRange first = addresses.get(0);
            around = first.network(first.family() == AddressRange.Family.IP4 ? IP4_NETWORK_BITS : IP6_NETWORK_BITS);
            port = value(isSource ? ValueField.SOURCE_PORT : ValueField.TARGET_PORT, rule)
                    .number();
        }
        SearchedValues wanted = rule.wanted();
        wanted.address().ifPresent(one -> addresses.set(0, one));
        AddressRange network = wanted.range().orElse(around);
        String node = isEither && hasAddress ? address.detector() : detector.text();
        int used = wanted.port().orElse(port);
        return drawn -> switch (drawn.key()) {
            case ADDRESS -> new AddressMatches(addresses.subList(0, 1), drawn.side());
            case ADDRESSES -> new AddressMatches(addresses, drawn.side());
            case RANGE -> new AddressMatches(List.of(network), drawn.side());
            case SERVICE -> new Criterion.AddressAndPortOnOneSide(addresses.get(0), used);
            case PORT -> new Criterion.PortUsed(used, drawn.side());
            case CATEGORY -> drawn.key().is(wanted.category().orElse(category));
            case DETECTOR -> drawn.key().is(wanted.detector().orElse(node));
            case ID -> drawn.key().is(id);
            case TEXT, DESCRIPTION -> drawn.key().is(text);
        };
    }

    private Value value(ValueField field, SamplingRule rule) {
        return value(true, pools.of(field), rule);
    }

    private static Value value(boolean isLookedFor, ValuePools.Pool pool, SamplingRule rule) {
        if (isLookedFor) {
            return pool.draw(rule.popularity(), rule.random());
        }
        long unused = rule.random().nextLong();
        return NO_VALUE;
    }

    /** Turns a search into its follow-up: with one more criterion, or over a slightly different window. Not thread-safe. */
    public static final class FollowUp {
        /** A window moves by its length divided by this number. */
        private static final int PARTS_OF_WINDOW = 100;

        private final SearchCatalog catalog;
        private final IdeaReader reader = new IdeaReader();

        /** @param catalog has the narrower searches */
        public FollowUp(SearchCatalog catalog) {
            this.catalog = catalog;
        }

        /** Returns the search with a window that lies a hundredth of its length earlier. */
        public static Search earlier(Search search) {
            Window window = search.window();
            Duration step = Duration.between(window.from(), window.until()).dividedBy(PARTS_OF_WINDOW);
            return search.with(
                    new Window(window.from().minus(step), window.until().minus(step)));
        }

        /** Returns the search with one more criterion, from the JSON of a row of its answer; empty if the row has no value for one. */
        public Optional<Search> narrow(Search search, byte[] row, Page page, SeededRandom random) {
            SecurityEvent event = reader.read(row);
            List<Search> narrower = catalog.get(search.name()).refinements().stream()
                    .flatMap(name -> narrowed(search, catalog.get(name), event, page, random).stream())
                    .toList();
            return pick(narrower.stream(), random);
        }

        private Optional<Search> narrowed(
                Search search, SearchDefinition finer, SecurityEvent event, Page page, SeededRandom random) {
            if (finer.name().equals(SearchName.DETAIL)) {
                List<Criterion> id = List.of(CriterionKey.ID.is(event.id()));
                return Optional.of(
                        new Search(finer.name(), Window.ALWAYS, id, Order.NEWEST_FIRST, new Page.Numbered(1, 1)));
            }
            Criterion.Drawn added = catalog.get(search.name()).addedBy(finer).orElseThrow();
            Order wanted = search.order() == Order.UNSORTED ? Order.NEWEST_FIRST : search.order();
            Order order = finer.order(page, wanted);
            return seen(added, event, random).map(criterion -> {
                List<Criterion> criteria = new ArrayList<>(search.criteria());
                criteria.add(criterion);
                return new Search(finer.name(), search.window(), criteria, order, page, finer.summary());
            });
        }

        private static Optional<Criterion> seen(Criterion.Drawn wanted, SecurityEvent event, SeededRandom random) {
            EventSide side = wanted.side();
            return switch (wanted.key()) {
                case ADDRESS ->
                    pick(side.of(event).flatMap(end -> end.addresses().stream()).filter(AddressRange::isSingle), random)
                            .map(address -> new AddressMatches(List.of(address), side));
                case PORT ->
                    pick(side.of(event).flatMap(end -> end.ports().stream()), random)
                            .map(port -> new Criterion.PortUsed(port, side));
                case CATEGORY -> pick(event.categories().stream(), random).map(CriterionKey.CATEGORY::is);
                case DETECTOR -> event.detector().map(CriterionKey.DETECTOR::is);
                case ID, ADDRESSES, RANGE, SERVICE, TEXT, DESCRIPTION ->
                    throw new IllegalArgumentException(
                            "a row has no " + wanted.key().label() + " to narrow a search by");
            };
        }

        private static <T> Optional<T> pick(Stream<T> found, SeededRandom random) {
            List<T> values = found.toList();
            return values.isEmpty() ? Optional.empty() : Optional.of(values.get(random.nextInt(values.size())));
        }
    }
}
