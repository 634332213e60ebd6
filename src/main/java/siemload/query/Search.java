package siemload.query;

import static java.time.temporal.ChronoUnit.MICROS;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import siemload.event.SecurityEvent;

/**
 * One search of a user. Immutable.
 *
 * @param criteria the conditions, all of which an event must meet; an empty list finds every event in the window
 * @param summary the summary of the events; empty if the search lists events
 */
public record Search(
        SearchName name, Window window, List<Criterion> criteria, Order order, Page page, Optional<Summary> summary) {

    /** @throws IllegalArgumentException if a page of an unsorted result is asked for */
    public Search {
        criteria = List.copyOf(criteria);
        if (order == Order.UNSORTED && !(page instanceof Page.Whole || page instanceof Page.Stated)) {
            throw new IllegalArgumentException("only a whole result can be read unsorted, not " + page);
        }
    }

    /** One of siemload's searches, with the summary of its definition; a search of another name lists its events. */
    public Search(SearchName name, Window window, List<Criterion> criteria, Order order, Page page) {
        this(name, window, criteria, order, page, SearchCatalog.summary(name));
    }

    /** Returns whether an event meets the window, in whole microseconds, and all criteria. */
    public Predicate<SecurityEvent> condition() {
        Window micros = window.isAlways()
                ? window
                : new Window(window.from().truncatedTo(MICROS), window.until().truncatedTo(MICROS));
        return event -> micros.contains(event.detectTime().truncatedTo(MICROS))
                && criteria.stream().allMatch(criterion -> criterion.meets(event));
    }

    /** The search in words: {@code HAWAT1: address 192.0.2.7, from ... until ..., newest first, page 2 of 100 rows each}. */
    @Override
    public String toString() {
        Stream<String> conditions = criteria.isEmpty()
                ? Stream.of("every event")
                : criteria.stream().map(Criterion::words);
        Stream<String> rest = page instanceof Page.Stated
                ? Stream.of()
                : Stream.of(
                        window.words(),
                        summary.map(Summary::words)
                                .orElse(order.name().toLowerCase(Locale.ROOT).replace('_', ' ') + ", " + page.words()));
        return name + ": " + Stream.concat(conditions, rest).collect(Collectors.joining(", "));
    }

    /** Returns this search for another page. */
    public Search with(Page other) {
        return new Search(name, window, criteria, order, other, summary);
    }

    /** Returns this search over another window. */
    public Search with(Window other) {
        return new Search(name, other, criteria, order, page, summary);
    }

    /** Returns this search in another order. */
    public Search with(Order other) {
        return new Search(name, window, criteria, other, page, summary);
    }

    /** Returns this search with other criteria. */
    public Search with(List<Criterion> others) {
        return new Search(name, window, others, order, page, summary);
    }
}
