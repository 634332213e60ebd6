package siemload.scenario;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import siemload.dataset.EventSource;
import siemload.dataset.Popularity;
import siemload.dataset.SearchedValues;
import siemload.dataset.SeededRandom;
import siemload.dataset.ValuePools;
import siemload.dataset.ValuePools.SideValues;
import siemload.event.AddressRange;
import siemload.event.AddressRange.Family;
import siemload.query.Criterion;
import siemload.query.Criterion.AddressFigured;
import siemload.query.Criterion.PortUsed;
import siemload.query.Order;
import siemload.query.Page;
import siemload.query.Search;
import siemload.query.SearchCatalog;
import siemload.query.SearchName;
import siemload.query.SearchValues;
import siemload.query.Window;

/**
 * Fills in the values of searches from what the data set holds. Values that are looked for together come from one event,
 * so that HAWAT6 or OTHER2 find something unless they are meant not to. Thread-safe.
 */
public final class SearchDraw {
    /** How large the ranges are that lie around a source or a target: as those of the pool of ranges, and a network of IPv6. */
    private static final int IP4_NETWORK_BITS = 24;

    private static final int IP6_NETWORK_BITS = 64;

    private final ValuePools pools;
    private final Instant dataFirst;
    private final Map<String, SearchedValues> searched;
    private final StatementDraw statements;

    public SearchDraw(ValuePools pools, EventSource source) {
        this(pools, source, StatementDraw.NONE);
    }

    /** @param statements those whose names are asked for in the place of searches */
    public SearchDraw(ValuePools pools, EventSource source, StatementDraw statements) {
        this.statements = statements;
        this.pools = pools;
        this.dataFirst = source.first();
        this.searched = source.searched();
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
    public Search search(
            SearchName name,
            SearchedValues wanted,
            Popularity popularity,
            int listLength,
            Window window,
            Order order,
            Page page,
            SeededRandom random) {
        SearchValues drawn = values(name, popularity, listLength, random);
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
        return search(name, SearchCatalog.criteria(name, values), window, order, page);
    }

    /**
     * A search whose values are as popular as asked.
     *
     * @param order the wanted one; that of the search may be another, by {@link SearchCatalog#order}
     */
    public Search search(
            SearchName name,
            Popularity popularity,
            int listLength,
            Window window,
            Order order,
            Page page,
            SeededRandom random) {
        return search(name, popularity, listLength, window, order, page, List.of(), random);
    }

    /** Draws a search in which each given criterion takes the place of a drawn one of its kind, or is added. */
    public Search search(
            SearchName name,
            Popularity popularity,
            int listLength,
            Window window,
            Order order,
            Page page,
            List<Criterion> given,
            SeededRandom random) {
        if (statements.has(name)) {
            return statements.search(name, random);
        }
        List<Criterion> criteria =
                new ArrayList<>(SearchCatalog.criteria(name, values(name, popularity, listLength, random)));
        for (Criterion criterion : given) {
            List<Criterion> drawn = criteria.stream()
                    .filter(other -> other.getClass().equals(criterion.getClass()))
                    .toList();
            criteria.removeAll(drawn);
            criteria.addAll(drawn.isEmpty() ? List.of(criterion) : inPlaceOf(drawn, criterion));
        }
        return search(name, criteria, window, order, page);
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

    private static Search search(SearchName name, List<Criterion> criteria, Window window, Order order, Page page) {
        if (SearchCatalog.summary(name).isPresent()) {
            Window summed = SearchCatalog.trend(name).isPresent() ? window.fromWholeHour() : window;
            return new Search(name, summed, criteria, Order.NEWEST_FIRST, new Page.Whole());
        }
        boolean detail = name.equals(SearchName.DETAIL);
        return new Search(
                name, detail ? Window.ALWAYS : window, criteria, SearchCatalog.order(name, page, order), page);
    }

    private SearchValues values(SearchName name, Popularity popularity, int listLength, SeededRandom random) {
        SearchValues any = anywhere(name, popularity, listLength, random);
        return switch (SearchCatalog.side(name)) {
            case SOURCE -> onSide(pools.source(), name, any, popularity, listLength, random);
            case TARGET -> onSide(pools.target(), name, any, popularity, listLength, random);
            case EITHER -> any;
        };
    }

    /** What else the search may look for stays as it is. */
    private static SearchValues onSide(
            SideValues side,
            SearchName name,
            SearchValues any,
            Popularity popularity,
            int listLength,
            SeededRandom random) {
        List<AddressRange> addresses = new ArrayList<>();
        for (int i = 0; i < (SearchCatalog.hasList(name) ? listLength : 1); i++) {
            addresses.add(side.addresses().draw(popularity, random));
        }
        AddressRange first = addresses.get(0);
        AddressRange range = first.network(first.family() == Family.IP4 ? IP4_NETWORK_BITS : IP6_NETWORK_BITS);
        int port = side.ports().draw(popularity, random);
        return new SearchValues(addresses, range, any.category(), any.detector(), port, any.id(), any.text());
    }

    private SearchValues anywhere(SearchName name, Popularity popularity, int listLength, SeededRandom random) {
        ValuePools.AddressValue address = pools.addresses().draw(popularity, random);
        ValuePools.RangeValue range = pools.ranges().draw(popularity, random);
        ValuePools.DetectorValue detector = pools.detectors().draw(popularity, random);
        String category = categoryBeside(name, address, range, detector)
                .orElseGet(() -> pools.categories().draw(popularity, random));
        ValuePools.ServiceValue service = name.equals(SearchName.SERVICE)
                ? pools.services().draw(popularity, random)
                : new ValuePools.ServiceValue(address.address(), address.port());
        return new SearchValues(
                addresses(SearchCatalog.hasList(name) ? listLength : 1, service.address(), popularity, random),
                range.range(),
                category,
                detector.name(),
                name.equals(SearchName.PORT) ? pools.ports().draw(popularity, random) : service.port(),
                pools.id(popularity, random),
                (name.equals(SearchName.DESCRIPTION) ? pools.descriptions() : pools.texts()).draw(popularity, random));
    }

    /** The category of the value that the search looks for together with one; empty where it does so with none. */
    private static Optional<String> categoryBeside(
            SearchName name,
            ValuePools.AddressValue address,
            ValuePools.RangeValue range,
            ValuePools.DetectorValue detector) {
        if (name.equals(SearchName.HAWAT5)) {
            return Optional.of(detector.category());
        }
        if (name.equals(SearchName.HAWAT6)) {
            return Optional.of(address.category());
        }
        return name.equals(SearchName.HAWAT7) ? Optional.of(range.category()) : Optional.empty();
    }

    private List<AddressRange> addresses(int length, AddressRange first, Popularity popularity, SeededRandom random) {
        List<AddressRange> addresses = new ArrayList<>(length);
        addresses.add(first);
        while (addresses.size() < length) {
            addresses.add(pools.addresses().draw(popularity, random).address());
        }
        return addresses;
    }
}
