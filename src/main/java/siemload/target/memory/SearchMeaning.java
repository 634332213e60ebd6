package siemload.target.memory;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;
import siemload.event.AddressRange;
import siemload.event.Endpoint;
import siemload.event.SecurityEvent;
import siemload.query.Criterion;
import siemload.query.Criterion.AddressAndPortOnOneSide;
import siemload.query.Criterion.AddressFigured;
import siemload.query.Criterion.CategoryIs;
import siemload.query.Criterion.DetectorIs;
import siemload.query.Criterion.IdIs;
import siemload.query.Criterion.PortUsed;
import siemload.query.Order;
import siemload.query.Page;
import siemload.query.PageKey;
import siemload.query.Search;
import siemload.query.Window;

/** What a search means, in the plainest words: which events it finds, in which order, and which of them are its page. */
final class SearchMeaning {
    private SearchMeaning() {}

    static Predicate<StoredEvent> condition(Search search) {
        Window window = inMicroseconds(search.window());
        return stored -> window.contains(stored.place().detectTime())
                && search.criteria().stream().allMatch(criterion -> meets(stored.event(), criterion));
    }

    static boolean meets(SecurityEvent event, Criterion criterion) {
        if (criterion instanceof AddressFigured figured) {
            return figured.anyOf().stream().anyMatch(range -> bothSides(event).anyMatch(end -> has(end, range)));
        } else if (criterion instanceof CategoryIs is) {
            return event.categories().contains(is.category());
        } else if (criterion instanceof DetectorIs is) {
            return event.nodes().stream().anyMatch(node -> node.name().equals(is.nodeName()));
        } else if (criterion instanceof PortUsed used) {
            return bothSides(event).anyMatch(end -> end.ports().contains(used.port()));
        } else if (criterion instanceof AddressAndPortOnOneSide both) {
            return meets(event.sources(), both) || meets(event.targets(), both);
        } else if (criterion instanceof IdIs is) {
            return event.id().equals(is.id());
        }
        throw new AssertionError("a kind of criterion without a meaning: " + criterion);
    }

    /** The rows of the search's page out of all that meet its condition. */
    static Stream<StoredEvent> page(List<StoredEvent> found, Search search) {
        if (search.order() == Order.UNSORTED) {
            return found.stream();
        }
        Comparator<PageKey> order =
                search.order() == Order.OLDEST_FIRST ? StoredEvent.OLDEST_FIRST : StoredEvent.OLDEST_FIRST.reversed();
        Stream<StoredEvent> sorted = found.stream().sorted(Comparator.comparing(StoredEvent::place, order));
        if (search.page() instanceof Page.Numbered page) {
            return sorted.skip(page.offset()).limit(page.size());
        } else if (search.page() instanceof Page.After page) {
            PageKey key = StoredEvent.inMicroseconds(page.key());
            return sorted.filter(event -> order.compare(event.place(), key) > 0).limit(page.size());
        } else if (search.page() instanceof Page.Last page) {
            return sorted.skip(Math.max(0, found.size() - page.size()));
        }
        return sorted;
    }

    private static boolean meets(List<Endpoint> side, AddressAndPortOnOneSide both) {
        return side.stream().anyMatch(end -> has(end, both.address()))
                && side.stream().anyMatch(end -> end.ports().contains(both.port()));
    }

    private static boolean has(Endpoint end, AddressRange range) {
        return end.addresses().stream().anyMatch(range::overlaps);
    }

    private static Stream<Endpoint> bothSides(SecurityEvent event) {
        return Stream.concat(event.sources().stream(), event.targets().stream());
    }

    private static Window inMicroseconds(Window window) {
        return window.isAlways() ? window : new Window(inMicroseconds(window.from()), inMicroseconds(window.until()));
    }

    private static Instant inMicroseconds(Instant instant) {
        return instant.truncatedTo(ChronoUnit.MICROS);
    }
}
