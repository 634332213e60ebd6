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

    private record Hour(String trend, SearchName search, Instant start) {}

    /** @param until where the window ended; the other instants are those of {@link System#nanoTime} */
    private record Tick(Instant until, long takenNanos, long endNanos) {}

    /** Notes that a search is about to be stored as a trend. */
    public void started(String trend, Search search) {
        note(trend, search, Optional.empty());
    }

    /** Notes that it was stored, between two instants of {@link System#nanoTime}. */
    public void stored(String trend, Search search, long takenNanos, long endNanos) {
        note(trend, search, Optional.of(new Tick(search.window().until(), takenNanos, endNanos)));
    }

    private void note(String trend, Search search, Optional<Tick> tick) {
        Window window = search.window();
        for (Instant hour = window.from(); hour.isBefore(window.until()); hour = hour.plus(Summary.Hours.HOUR)) {
            last.put(new Hour(trend, search.name(), hour), tick);
        }
    }

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
        Map<String, SearchName> trends = new TreeMap<>();
        last.keySet().forEach(hour -> trends.put(hour.trend(), hour.search()));
        List<SampledAnswer> answers = new ArrayList<>();
        trends.forEach((trend, search) -> {
            Summary.Hours summary = TrendCatalog.summary(search).orElseThrow();
            Map<Instant, List<Line>> written = new TreeMap<>();
            last.keySet().stream()
                    .filter(hour -> hour.trend().equals(trend))
                    .forEach(hour -> written.put(hour.start(), new ArrayList<>()));
            lines.apply(trend, summary.field())
                    .forEach(line -> written.computeIfAbsent(line.from(), unused -> new ArrayList<>())
                            .add(line));
            written.forEach((start, some) -> {
                some.sort(Comparator.comparing(Line::value, summary.field().order()));
                last.getOrDefault(new Hour(trend, search, start), Optional.of(new Tick(start, 0, 0)))
                        .ifPresent(tick -> answers.add(answer(search, start, tick, some)));
            });
        });
        return answers;
    }

    private static SampledAnswer answer(SearchName search, Instant start, Tick tick, List<Line> lines) {
        Instant end = start.plus(Summary.Hours.HOUR);
        Search hour = TrendCatalog.search(search, new Window(start, end.isBefore(tick.until()) ? end : tick.until()));
        SampledAnswer answer = new SampledAnswer(SearchKey.of(hour), hour, 0, Instant.EPOCH, taken -> {});
        answer.lines(lines);
        answer.answered(tick.takenNanos(), tick.endNanos(), lines.size());
        return answer;
    }
}
