package siemload.database.memory;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import siemload.query.Order;
import siemload.query.Page;
import siemload.query.PageKey;
import siemload.query.Search;
import siemload.query.SearchMeaning;
import siemload.query.Summary;
import siemload.query.Summary.Line;

/**
 * All events that meet a search's condition, and what is made of them.
 *
 * @param found in the order they were stored
 */
record Result(Search search, List<MemoryEvent> found) {

    /** The rows of the search's page. */
    Stream<MemoryEvent> page() {
        if (search.order() == Order.UNSORTED) {
            return found.stream();
        }
        Comparator<PageKey> order = SearchMeaning.comparator(search.order());
        Stream<MemoryEvent> sorted = found.stream().sorted(Comparator.comparing(MemoryEvent::place, order));
        if (search.page() instanceof Page.Numbered page) {
            return sorted.skip(page.offset()).limit(page.size());
        } else if (search.page() instanceof Page.After page) {
            PageKey key = page.key().inMicroseconds();
            return sorted.filter(event -> order.compare(event.place(), key) > 0).limit(page.size());
        } else if (search.page() instanceof Page.Last page) {
            return sorted.skip(Math.max(0, found.size() - page.size()));
        }
        return sorted;
    }

    List<Line> summary(Summary summary) {
        if (summary instanceof Summary.OverTime timeline) {
            return timeline(timeline);
        } else if (summary instanceof Summary.TopList top) {
            return topList(top);
        }
        throw new AssertionError("a kind of summary without a meaning: " + summary);
    }

    private List<Line> timeline(Summary.OverTime timeline) {
        Instant from = search.window().from().truncatedTo(ChronoUnit.MICROS);
        Duration step = timeline.step(search.window());
        Map<Instant, List<MemoryEvent>> steps = found.stream()
                .collect(Collectors.groupingBy(
                        event -> from.plus(step.multipliedBy(
                                Duration.between(from, event.place().detectTime())
                                        .dividedBy(step))),
                        TreeMap::new,
                        Collectors.toList()));
        return steps.entrySet().stream()
                .flatMap(entry -> counts(timeline, entry.getValue()).entrySet().stream()
                        .map(count -> new Line(entry.getKey(), count.getKey(), count.getValue())))
                .toList();
    }

    private List<Line> topList(Summary.TopList top) {
        return counts(top, found).entrySet().stream()
                .map(count -> new Line(search.window().start(), count.getKey(), count.getValue()))
                .sorted(Comparator.comparingLong(Line::events)
                        .reversed()
                        .thenComparing(Line::value, top.field().order()))
                .limit(top.size())
                .toList();
    }

    private static Map<String, Long> counts(Summary summary, List<MemoryEvent> events) {
        return events.stream()
                .flatMap(stored -> summary.field().values(stored.event()))
                .collect(Collectors.groupingBy(
                        value -> value, () -> new TreeMap<>(summary.field().order()), Collectors.counting()));
    }
}
