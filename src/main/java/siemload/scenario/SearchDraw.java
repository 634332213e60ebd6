package siemload.scenario;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import siemload.dataset.EventSource;
import siemload.dataset.SearchedValues;
import siemload.dataset.SeededRandom;
import siemload.dataset.ValuePools;
import siemload.dataset.ValuePools.Value;
import siemload.event.AddressRange;
import siemload.event.AddressRange.Family;
import siemload.query.Criterion;
import siemload.query.CriterionKey;
import siemload.query.EventSide;
import siemload.query.Order;
import siemload.query.Page;
import siemload.query.Search;
import siemload.query.SearchCatalog;
import siemload.query.SearchDefinition;
import siemload.query.SearchName;
import siemload.query.SearchValues;
import siemload.query.TrendCatalog;
import siemload.query.ValueField;
import siemload.query.Window;

/**
 * Fills in the values of searches from what the data set holds. Values that are looked for together come from one event,
 * so that HAWAT6 or OTHER2 find something unless they are meant not to. Thread-safe.
 */
public final class SearchDraw {
    /** How large the ranges are that lie around a source or a target: as those of the pool of ranges, and a network of IPv6. */
    private static final int IP4_NETWORK_BITS = 24;

    private static final int IP6_NETWORK_BITS = 64;

    /** In the place of a range that the search does not look for. */
    private static final AddressRange NO_RANGE = AddressRange.ip4(0);

    /** Likewise in the place of any value. */
    private static final Value NO_VALUE = new Value("", "", "", 0);

    private final ValuePools pools;
    private final Instant dataFirst;
    private final Map<String, SearchedValues> searched;
    private final Map<SearchName, StatementPlan> statements = new HashMap<>();
    private final SearchCatalog catalog;
    private final Map<SearchName, Drawn> drawn = new HashMap<>();

    /**
     * What is drawn for a search.
     *
     * @param keys what is looked for with drawn values
     * @param side the one side on which it is looked for
     */
    private record Drawn(SearchDefinition definition, Set<CriterionKey> keys, EventSide side) {}

    /** Of the searches that siemload brings. */
    public SearchDraw(ValuePools pools, EventSource source) {
        this(pools, source, SearchCatalog.builtIn(), List.of());
    }

    /** @param statements those whose names are asked for in the place of searches */
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
            drawn.put(search.name(), new Drawn(search, keys, search.side()));
        }
    }

    /** The searches that it draws values for. */
    public SearchCatalog catalog() {
        return catalog;
    }

    /** The earliest detect time of the data set. */
    public Instant dataFirst() {
        return dataFirst;
    }

    /** The values that the data set has under a name; of others all are drawn. */
    public SearchedValues searched(String name) {
        return searched.getOrDefault(name, SearchedValues.NONE);
    }

    /**
     * A search whose values are as popular as asked.
     *
     * @param order the wanted one; that of the search may be another, by {@link SearchDefinition#order}
     */
    public Search search(SearchName name, DrawRule rule, Window window, Order order, Page page) {
        return search(name, SearchedValues.NONE, rule, window, order, page);
    }

    /**
     * A search for these values; what is not among them is as popular as asked.
     *
     * @param wanted its stretch of time is not looked at
     */
    public Search search(SearchName name, SearchedValues wanted, DrawRule rule, Window window, Order order, Page page) {
        StatementPlan statement = statements.get(name);
        if (statement != null) {
            return statement.search(rule.random());
        }
        Drawn search = Optional.ofNullable(drawn.get(name))
                .orElseThrow(() -> new IllegalArgumentException(name + " is not in the catalogue"));
        SearchDefinition definition = search.definition();
        SearchValues values = values(search.keys(), search.side(), rule);
        boolean isSummed = definition.summary().isPresent();
        boolean isTrend = TrendCatalog.summary(name).isPresent();
        return new Search(
                name,
                definition.window().orElse(isTrend ? window.fromWholeHour() : window),
                definition.criteria(wanted.equals(SearchedValues.NONE) ? values : with(wanted, values)),
                isSummed ? Order.NEWEST_FIRST : definition.order(page, order),
                isSummed ? new Page.Whole() : page,
                definition.summary());
    }

    private static SearchValues with(SearchedValues wanted, SearchValues drawn) {
        List<AddressRange> addresses = new ArrayList<>(drawn.addresses());
        wanted.address().ifPresent(address -> addresses.set(0, address));
        return new SearchValues(
                addresses,
                wanted.range().orElse(drawn.range()),
                wanted.category().orElse(drawn.category()),
                wanted.detector().orElse(drawn.detector()),
                wanted.port().orElse(drawn.port()),
                drawn.id(),
                drawn.text());
    }

    /** Draws a search in which each given criterion takes the place of the drawn ones of its kind, or is added. */
    public Search search(SearchName name, DrawRule rule, Window window, Order order, Page page, List<Criterion> given) {
        Search search = search(name, rule, window, order, page);
        List<Criterion> criteria = new ArrayList<>(search.criteria());
        for (Criterion criterion : given) {
            criteria.removeIf(criterion::isLike);
            criteria.add(criterion);
        }
        return search.with(criteria);
    }

    /**
     * Draws the same for every search, and more only for those that need it: what others draw stays as it is. A value is only looked at
     * where the search looks for it: to fetch seven from memory, and to read the text of an address, takes longer than all draws.
     */
    private SearchValues values(Set<CriterionKey> keys, EventSide side, DrawRule rule) {
        SeededRandom random = rule.random();
        boolean isEither = side == EventSide.EITHER;
        boolean hasRange = keys.contains(CriterionKey.RANGE);
        boolean hasList = keys.contains(CriterionKey.ADDRESSES);
        boolean hasAddress = hasList || keys.contains(CriterionKey.ADDRESS);
        boolean hasService = keys.contains(CriterionKey.SERVICE);
        boolean hasPort = keys.contains(CriterionKey.PORT);
        boolean hasCategory = keys.contains(CriterionKey.CATEGORY);
        boolean hasDetector = keys.contains(CriterionKey.DETECTOR);
        int length = hasList ? rule.listLength() : 1;
        Value address = value(hasAddress || hasPort, ValueField.ADDRESS, rule);
        Value range = hasRange ? pools.ranges().draw(rule.popularity(), random) : unseen(random);
        Value detector = value(hasDetector, ValueField.DETECTOR, rule);
        boolean isTogether = isEither && hasCategory && (hasAddress || hasRange || hasDetector);
        Value together = hasAddress ? address : hasRange ? range : detector;
        String category = isTogether
                ? together.category()
                : value(hasCategory, ValueField.CATEGORY, rule).text();
        Value service = hasService ? pools.services().draw(rule.popularity(), random) : address;
        List<AddressRange> addresses = new ArrayList<>(length);
        addresses.add(hasAddress || hasService ? service.range() : NO_RANGE);
        while (addresses.size() < length) {
            addresses.add(value(true, ValueField.ADDRESS, rule).range());
        }
        boolean isPortAlone = hasPort && isEither && !hasAddress && !hasService;
        int port = isPortAlone ? value(true, ValueField.PORT, rule).number() : service.port();
        String id = value(keys.contains(CriterionKey.ID), ValueField.ID, rule).text();
        boolean isWhole = keys.contains(CriterionKey.DESCRIPTION);
        ValueField text = isWhole ? ValueField.DESCRIPTION : ValueField.TEXT;
        SearchValues anywhere = new SearchValues(
                addresses,
                hasRange ? range.range() : NO_RANGE,
                category,
                isEither && hasAddress ? address.detector() : detector.text(),
                port,
                id,
                value(isWhole || keys.contains(CriterionKey.TEXT), text, rule).text());
        return switch (side) {
            case SOURCE -> onSide(ValueField.SOURCE, ValueField.SOURCE_PORT, length, anywhere, rule);
            case TARGET -> onSide(ValueField.TARGET, ValueField.TARGET_PORT, length, anywhere, rule);
            case EITHER -> anywhere;
        };
    }

    /** What else the search may look for stays as it is. */
    private SearchValues onSide(ValueField side, ValueField ports, int length, SearchValues other, DrawRule rule) {
        List<AddressRange> addresses = new ArrayList<>(length);
        while (addresses.size() < length) {
            addresses.add(value(true, side, rule).range());
        }
        AddressRange first = addresses.get(0);
        AddressRange range = first.network(first.family() == Family.IP4 ? IP4_NETWORK_BITS : IP6_NETWORK_BITS);
        int port = value(true, ports, rule).number();
        return new SearchValues(addresses, range, other.category(), other.detector(), port, other.id(), other.text());
    }

    /** One of the values, or one without a text where it is drawn for others alone. */
    private Value value(boolean looksFor, ValueField field, DrawRule rule) {
        return looksFor ? pools.of(field).draw(rule.popularity(), rule.random()) : unseen(rule.random());
    }

    /** Takes the random number of a value that nobody looks at. */
    private static Value unseen(SeededRandom random) {
        long unused = random.nextLong();
        return NO_VALUE;
    }
}
