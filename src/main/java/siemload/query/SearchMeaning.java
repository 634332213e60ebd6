package siemload.query;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;
import siemload.event.AddressRange;
import siemload.event.Endpoint;
import siemload.event.SecurityEvent;
import siemload.query.Criterion.AddressAndPortOnOneSide;
import siemload.query.Criterion.AddressFigured;
import siemload.query.Criterion.AnyOf;
import siemload.query.Criterion.CategoryIs;
import siemload.query.Criterion.DescriptionIs;
import siemload.query.Criterion.DetectorIs;
import siemload.query.Criterion.IdIs;
import siemload.query.Criterion.Missing;
import siemload.query.Criterion.PortBetween;
import siemload.query.Criterion.PortUsed;
import siemload.query.Criterion.TextContains;

/** What a search means, in the plainest words: which events it finds, and in which order. Stateless and thread-safe. */
public final class SearchMeaning {
    private SearchMeaning() {}

    /** Whether an event meets the window and all criteria of the search. */
    public static Predicate<SecurityEvent> condition(Search search) {
        Window window = inMicroseconds(search.window());
        return event -> window.contains(inMicroseconds(event.detectTime()))
                && search.criteria().stream().allMatch(criterion -> meets(event, criterion));
    }

    /** The place of an event in the order of searches. */
    public static PageKey place(SecurityEvent event) {
        return new PageKey(event.detectTime(), event.id()).inMicroseconds();
    }

    /**
     * The order of the rows.
     *
     * @throws IllegalArgumentException for {@link Order#UNSORTED}, which is none
     */
    public static Comparator<PageKey> comparator(Order order) {
        return switch (order) {
            case OLDEST_FIRST -> PageKey.OLDEST_FIRST;
            case NEWEST_FIRST -> PageKey.OLDEST_FIRST.reversed();
            case UNSORTED -> throw new IllegalArgumentException("unsorted rows have no order");
        };
    }

    /** Whether an event meets a criterion. */
    public static boolean meets(SecurityEvent event, Criterion criterion) {
        if (criterion instanceof AddressFigured figured) {
            return figured.anyOf().stream()
                    .anyMatch(range -> figured.side().of(event).anyMatch(end -> has(end, range)));
        } else if (criterion instanceof CategoryIs is) {
            return event.categories().contains(is.category());
        } else if (criterion instanceof DetectorIs is) {
            return event.nodes().stream().anyMatch(node -> node.name().equals(is.nodeName()));
        } else if (criterion instanceof PortUsed used) {
            return used.side().of(event).anyMatch(end -> end.ports().contains(used.port()));
        } else if (criterion instanceof PortBetween between) {
            return between.side()
                    .of(event)
                    .flatMap(end -> end.ports().stream())
                    .anyMatch(port -> port >= between.first() && port <= between.last());
        } else if (criterion instanceof Missing missing) {
            return isMissing(event, missing);
        } else if (criterion instanceof AnyOf anyOf) {
            return anyOf.groups().stream().anyMatch(group -> group.stream().allMatch(one -> meets(event, one)));
        } else if (criterion instanceof AddressAndPortOnOneSide both) {
            return meets(event.sources(), both) || meets(event.targets(), both);
        } else if (criterion instanceof TextContains contains) {
            return withoutNul(event.description()).contains(withoutNul(contains.text()));
        } else if (criterion instanceof DescriptionIs is) {
            return withoutNul(event.description()).equals(withoutNul(is.text()));
        } else if (criterion instanceof IdIs is) {
            return event.id().equals(is.id());
        }
        throw new AssertionError("a kind of criterion without a meaning: " + criterion);
    }

    private static boolean isMissing(SecurityEvent event, Missing missing) {
        return switch (missing.part()) {
            case ADDRESS ->
                missing.side().of(event).allMatch(end -> end.addresses().isEmpty());
            case PORT -> missing.side().of(event).allMatch(end -> end.ports().isEmpty());
            case CATEGORY -> event.categories().isEmpty();
            case DESCRIPTION -> withoutNul(event.description()).isEmpty();
        };
    }

    private static boolean meets(List<Endpoint> side, AddressAndPortOnOneSide both) {
        return side.stream().anyMatch(end -> has(end, both.address()))
                && side.stream().anyMatch(end -> end.ports().contains(both.port()));
    }

    private static boolean has(Endpoint end, AddressRange range) {
        return end.addresses().stream().anyMatch(range::overlaps);
    }

    private static String withoutNul(String text) {
        return text.replace("\0", "");
    }

    private static Window inMicroseconds(Window window) {
        return window.isAlways() ? window : new Window(inMicroseconds(window.from()), inMicroseconds(window.until()));
    }

    private static Instant inMicroseconds(Instant instant) {
        return instant.truncatedTo(ChronoUnit.MICROS);
    }
}
