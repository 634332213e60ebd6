package siemload.run.answers;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;
import siemload.query.Field;
import siemload.query.Search;
import siemload.query.SearchName;
import siemload.query.Summary;
import siemload.query.Summary.Line;
import siemload.query.TrendCatalog;
import siemload.query.Window;
import siemload.results.SearchKey;

/**
 * Which tick was the last to store each hour of each trend: an hour must hold what that one saw. What a tick stored that failed, or did
 * not end, nobody knows; its hours are not judged. Thread-safe.
 */
public final class TrendHours {
    private final Map<Hour, Optional<Tick>> last = new ConcurrentHashMap<>();

    private record Hour(Trend trend, Instant start) {}

    private record Trend(String name, SearchName search) {
        Summary.Hours summary() {
            return TrendCatalog.summary(search).orElseThrow();
        }
    }

    /** Instants are those of {@link System#nanoTime}. */
    private record Tick(Search search, long takenNanos, long endNanos) {}

    /** Notes that a search is about to be stored as a trend. */
    public void started(String trend, Search search) {
        note(trend, search, Optional.empty());
    }

    /** Notes that it was stored, between two instants of {@link System#nanoTime}. */
    public void stored(String trend, Search search, long takenNanos, long endNanos) {
        note(trend, search, Optional.of(new Tick(search, takenNanos, endNanos)));
    }

    private void note(String name, Search search, Optional<Tick> tick) {
        Trend trend = new Trend(name, search.name());
        Window window = search.window();
        for (Instant hour = window.from(); hour.isBefore(window.until()); hour = hour.plus(Summary.Hours.HOUR)) {
            last.put(new Hour(trend, hour), tick);
        }
    }

    /** Whether no trend was stored. */
    public boolean isEmpty() {
        return last.isEmpty();
    }

    /**
     * What there is of each hour, as the answer of a search for that hour at the time of its last tick. Where there are lines of an hour
     * in which nobody stored any, the search finds nothing.
     *
     * @param lines what a trend says now, by its name and the field that it sums up by
     */
    public List<SampledAnswer> answers(BiFunction<String, Field, List<Line>> lines) {
        List<SampledAnswer> answers = new ArrayList<>();
        last.keySet().stream()
                .map(Hour::trend)
                .distinct()
                .sorted(Comparator.comparing(Trend::name).thenComparing(Trend::search))
                .forEach(trend ->
                        add(trend, lines.apply(trend.name(), trend.summary().field()), answers));
        return answers;
    }

    private void add(Trend trend, List<Line> lines, List<SampledAnswer> answers) {
        Map<Instant, List<Line>> written = new TreeMap<>();
        last.keySet().stream()
                .filter(hour -> hour.trend().equals(trend))
                .forEach(hour -> written.put(hour.start(), new ArrayList<>()));
        lines.forEach(line -> written.computeIfAbsent(line.from(), unused -> new ArrayList<>())
                .add(line));
        written.forEach((start, some) -> {
            some.sort(Comparator.comparing(Line::value, trend.summary().field().order()));
            Optional<Tick> tick = last.getOrDefault(new Hour(trend, start), Optional.of(nothing(trend, start)));
            tick.ifPresent(known -> answers.add(answer(trend, start, known, some)));
        });
    }

    private static Tick nothing(Trend trend, Instant start) {
        Search search = TrendCatalog.search(trend.search(), new Window(start, start));
        return new Tick(search, 0, 0);
    }

    private static SampledAnswer answer(Trend trend, Instant start, Tick tick, List<Line> lines) {
        Instant end = start.plus(Summary.Hours.HOUR);
        Instant until = tick.search().window().until();
        Search hour = TrendCatalog.search(trend.search(), new Window(start, end.isBefore(until) ? end : until));
        return SampledAnswer.ofLines(
                SearchKey.of(hour), hour, trend.summary(), tick.takenNanos(), tick.endNanos(), lines);
    }
}
