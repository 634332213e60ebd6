package siemload.scenario;

import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import siemload.dataset.EventSource;
import siemload.dataset.SearchedValues;
import siemload.dataset.SeededRandom;
import siemload.dataset.ValuePools;
import siemload.dataset.ValuePools.Value;
import siemload.event.AddressRange;
import siemload.event.AddressRange.Family;
import siemload.query.Criterion;
import siemload.query.Criterion.AddressFigured;
import siemload.query.Criterion.PortUsed;
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
    private final StatementDraw statements;
    private final SearchCatalog catalog;
    private final Map<SearchName, Drawn> drawn = new HashMap<>();

    /** Of the searches that siemload brings. */
    public SearchDraw(ValuePools pools, EventSource source) {
        this(pools, source, SearchCatalog.builtIn(), StatementDraw.NONE);
    }

    /** @param statements those whose names are asked for in the place of searches */
    public SearchDraw(ValuePools pools, EventSource source, SearchCatalog catalog, StatementDraw statements) {
        this.statements = statements;
        this.catalog = catalog;
        for (SearchDefinition definition : catalog.all()) {
            drawn.put(definition.name(), Drawn.of(definition));
        }
        this.pools = pools;
        this.dataFirst = source.first();
        this.searched = source.searched();
    }

    /**
     * What is drawn for a search.
     *
     * @param keys what is looked for with drawn values
     * @param side the one side on which it is looked for
     * @param isTrend whether what it finds is summed up by whole hours and stored
     */
    private record Drawn(SearchDefinition definition, EnumSet<CriterionKey> keys, EventSide side, boolean isTrend) {
        static Drawn of(SearchDefinition definition) {
            EnumSet<CriterionKey> keys = EnumSet.allOf(CriterionKey.class);
            keys.removeIf(key -> !definition.draws(key));
            boolean isTrend = TrendCatalog.summary(definition.name()).isPresent();
            return new Drawn(definition, keys, definition.side(), isTrend);
        }

        boolean has(CriterionKey key) {
            return keys.contains(key);
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
     * A search for these values; what is not among them is as popular as asked.
     *
     * @param wanted its stretch of time is not looked at
     */
    public Search search(SearchName name, SearchedValues wanted, DrawRule rule, Window window, Order order, Page page) {
        Drawn search = drawn(name);
        SearchValues drawn = values(search, rule);
        List<AddressRange> addresses = new ArrayList<>(drawn.addresses());
        wanted.address().ifPresent(address -> addresses.set(0, address));
        SearchValues values = new SearchValues(
                addresses,
                wanted.range().orElse(drawn.range()),
                wanted.category().orElse(drawn.category()),
                wanted.detector().orElse(drawn.detector()),
                wanted.port().orElse(drawn.port()),
                drawn.id(),
                drawn.text());
        return search(search.definition().criteria(values), search, window, order, page);
    }

    /**
     * A search whose values are as popular as asked.
     *
     * @param order the wanted one; that of the search may be another, by {@link SearchDefinition#order}
     */
    public Search search(SearchName name, DrawRule rule, Window window, Order order, Page page) {
        return search(name, rule, window, order, page, List.of());
    }

    /** Draws a search in which each given criterion takes the place of a drawn one of its kind, or is added. */
    public Search search(SearchName name, DrawRule rule, Window window, Order order, Page page, List<Criterion> given) {
        if (statements.has(name)) {
            return statements.search(name, rule.random());
        }
        Drawn search = drawn(name);
        List<Criterion> criteria = search.definition().criteria(values(search, rule));
        for (Criterion criterion : given) {
            List<Criterion> drawn = criteria.stream()
                    .filter(other -> other.getClass().equals(criterion.getClass()))
                    .toList();
            criteria.removeAll(drawn);
            criteria.addAll(drawn.isEmpty() ? List.of(criterion) : inPlaceOf(drawn, criterion));
        }
        return search(criteria, search, window, order, page);
    }

    /** What is given is looked for on the sides on which the drawn values would be. */
    private static List<Criterion> inPlaceOf(List<Criterion> drawn, Criterion given) {
        if (given instanceof AddressFigured figured) {
            return drawn.stream()
                    .<Criterion>map(other -> new AddressFigured(figured.anyOf(), ((AddressFigured) other).side()))
                    .toList();
        } else if (given instanceof PortUsed used) {
            return drawn.stream()
                    .<Criterion>map(other -> new PortUsed(used.port(), ((PortUsed) other).side()))
                    .toList();
        }
        return List.of(given);
    }

    private static Search search(List<Criterion> criteria, Drawn drawn, Window window, Order order, Page page) {
        SearchDefinition definition = drawn.definition();
        Window looked = definition.window().orElse(drawn.isTrend() ? window.fromWholeHour() : window);
        boolean isSummed = definition.summary().isPresent();
        return new Search(
                definition.name(),
                looked,
                criteria,
                isSummed ? Order.NEWEST_FIRST : definition.order().of(page, order),
                isSummed ? new Page.Whole() : page,
                definition.summary());
    }

    private Drawn drawn(SearchName name) {
        return Optional.ofNullable(drawn.get(name))
                .orElseThrow(() -> new IllegalArgumentException(name + " is not in the catalogue"));
    }

    /**
     * Draws the same for every search, and more only for those that need it: what others draw stays as it is. A value is only looked at
     * where the search looks for it: to fetch seven from memory, and to read the text of an address, takes longer than all draws.
     */
    private SearchValues values(Drawn search, DrawRule rule) {
        SeededRandom random = rule.random();
        boolean isEither = search.side() == EventSide.EITHER;
        boolean hasAddress = search.has(CriterionKey.ADDRESS) || search.has(CriterionKey.ADDRESSES);
        boolean hasService = search.has(CriterionKey.SERVICE);
        int length = search.has(CriterionKey.ADDRESSES) ? rule.listLength() : 1;
        Value address = value(hasAddress || search.has(CriterionKey.PORT), ValueField.ADDRESS, rule);
        Value range = search.has(CriterionKey.RANGE) ? pools.ranges().draw(rule.popularity(), random) : unseen(random);
        Value detector = value(search.has(CriterionKey.DETECTOR), ValueField.DETECTOR, rule);
        Value together = hasAddress ? address : search.has(CriterionKey.RANGE) ? range : detector;
        boolean isTogether = isEither
                && search.has(CriterionKey.CATEGORY)
                && (hasAddress || search.has(CriterionKey.RANGE) || search.has(CriterionKey.DETECTOR));
        String category = isTogether
                ? together.category()
                : value(search.has(CriterionKey.CATEGORY), ValueField.CATEGORY, rule)
                        .text();
        Value service = hasService ? pools.services().draw(rule.popularity(), random) : address;
        List<AddressRange> addresses = new ArrayList<>(length);
        addresses.add(hasAddress || hasService ? service.range() : NO_RANGE);
        while (addresses.size() < length) {
            addresses.add(value(true, ValueField.ADDRESS, rule).range());
        }
        boolean isPortAlone = search.has(CriterionKey.PORT) && isEither && !hasAddress && !hasService;
        int port = isPortAlone ? value(true, ValueField.PORT, rule).number() : service.port();
        String id = value(search.has(CriterionKey.ID), ValueField.ID, rule).text();
        boolean isWhole = search.has(CriterionKey.DESCRIPTION);
        ValueField text = isWhole ? ValueField.DESCRIPTION : ValueField.TEXT;
        SearchValues anywhere = new SearchValues(
                addresses,
                search.has(CriterionKey.RANGE) ? range.range() : NO_RANGE,
                category,
                isEither && hasAddress ? address.detector() : detector.text(),
                port,
                id,
                value(isWhole || search.has(CriterionKey.TEXT), text, rule).text());
        return switch (search.side()) {
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
