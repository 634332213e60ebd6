package siemload.database.contract;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import siemload.dataset.SeededRandom;
import siemload.event.AddressRange;
import siemload.event.Endpoint;
import siemload.event.Node;
import siemload.event.SecurityEvent;
import siemload.query.Criterion;
import siemload.query.CriterionKey;
import siemload.query.EventSide;
import siemload.query.Order;
import siemload.query.Page;
import siemload.query.PageKey;
import siemload.query.Search;
import siemload.query.SearchName;
import siemload.query.Window;

/** Random events and searches over so few values that they meet often. */
public final class RandomEvents {
    private static final Instant START = Instant.parse("2016-06-06T00:00:00Z");
    private static final int MINUTES = 12;
    private static final long FIRST_ADDRESS = 0xC000_0200L;
    private static final int ADDRESSES = 24;
    private static final List<String> CATEGORIES =
            List.of("Recon.Scanning", "Recon", "recon.scanning", "Other", "a\"b\\c");
    private static final List<String> DETECTORS = List.of("cz.cesnet.one", "cz.cesnet.two", "cz.cesnet", "ž");
    private static final List<Integer> PORTS = List.of(0, 22, 23, 80, 65_535);

    private static final List<EventSide> SIDES = List.of(EventSide.values());

    private static final List<CriterionKey> PARTS = Criterion.Missing.PARTS;

    private final SeededRandom random;

    public RandomEvents(long seed) {
        random = new SeededRandom(seed);
    }

    public SecurityEvent event(String id) {
        return new SecurityEvent(
                id,
                time(),
                some(2, () -> one(CATEGORIES)),
                "",
                some(3, this::endpoint),
                some(3, this::endpoint),
                some(2, () -> new Node(one(DETECTORS), List.of("Flow"), List.of(), Map.of())),
                Map.of());
    }

    public Search search() {
        Order order = one(List.of(Order.values()));
        Page page = order == Order.UNSORTED ? new Page.Whole() : page();
        return new Search(SearchName.MENTAT, window(), some(3, this::criterion), order, page);
    }

    private Page page() {
        int size = 1 + random.nextInt(10);
        return switch (random.nextInt(5)) {
            case 0 -> new Page.Whole();
            case 1 -> new Page.Last(size);
            case 2 -> new Page.After(size, new PageKey(time(), "random-" + random.nextInt(100)));
            default -> new Page.Numbered(size, 1 + random.nextInt(4));
        };
    }

    private Window window() {
        if (random.nextInt(4) == 0) {
            return Window.ALWAYS;
        }
        Instant from = time();
        Instant until = time();
        return from.isBefore(until) ? new Window(from, until) : new Window(until, from);
    }

    private Criterion criterion() {
        return switch (random.nextInt(12)) {
            case 0 -> CriterionKey.CATEGORY.is(one(CATEGORIES));
            case 1 -> CriterionKey.DETECTOR.is(one(DETECTORS));
            case 2 -> new Criterion.PortUsed(one(PORTS), EventSide.EITHER);
            case 3 -> new Criterion.AddressAndPortOnOneSide(addresses(), one(PORTS));
            case 4 -> CriterionKey.ID.is("random-" + random.nextInt(100));
            case 5 -> new Criterion.PortUsed(one(PORTS), one(SIDES));
            case 6 -> between(one(PORTS), one(PORTS));
            case 7 -> new Criterion.Missing(one(PARTS), one(SIDES));
            case 8 -> new Criterion.AnyOf(List.of(group(), group()));
            default -> {
                List<AddressRange> anyOf = new ArrayList<>(some(5, this::addresses));
                anyOf.add(addresses());
                yield new Criterion.AddressMatches(anyOf, one(SIDES));
            }
        };
    }

    private Criterion between(int one, int other) {
        return new Criterion.PortUsed(Math.min(one, other), Math.max(one, other), one(SIDES));
    }

    private List<Criterion> group() {
        List<Criterion> group = new ArrayList<>(some(1, this::criterion));
        group.add(criterion());
        return group;
    }

    private Endpoint endpoint() {
        return new Endpoint(
                some(1, () -> "Botnet"),
                some(3, this::addresses),
                some(2, () -> one(PORTS)),
                some(1, () -> "tcp"),
                Map.of());
    }

    private AddressRange addresses() {
        long first = FIRST_ADDRESS + random.nextInt(ADDRESSES);
        return switch (random.nextInt(6)) {
            case 0 -> AddressRange.hull(List.of(AddressRange.ip4(first), AddressRange.ip4(first + random.nextInt(6))));
            case 1 -> AddressRange.ip6(0x2001_0db8_0000_0000L, -random.nextInt(ADDRESSES));
            case 2 -> AddressRange.parse("2001:db8::" + random.nextInt(ADDRESSES) + "00/120");
            default -> AddressRange.ip4(first);
        };
    }

    private Instant time() {
        return START.plus(Duration.ofMinutes(random.nextInt(MINUTES)));
    }

    private <T> List<T> some(int most, Supplier<T> one) {
        List<T> some = new ArrayList<>();
        for (int count = random.nextInt(most + 1); count > 0; count--) {
            some.add(one.get());
        }
        return some;
    }

    private <T> T one(List<T> list) {
        return list.get(random.nextInt(list.size()));
    }
}
