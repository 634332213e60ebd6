package siemload.database.memory;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import siemload.database.Trends;
import siemload.query.Field;
import siemload.query.Summary;

/** The lines of each trend by hour and value. Thread-safe: one writes, or one reads, at a time. */
final class MemoryTrends implements Trends {
    private final Map<String, Map<List<Object>, Summary.Line>> trends = new HashMap<>();

    @Override
    public synchronized void create() {
        trends.clear();
    }

    synchronized void put(String trend, List<Summary.Line> lines) {
        Map<List<Object>, Summary.Line> stored = trends.computeIfAbsent(trend, unused -> new HashMap<>());
        lines.forEach(line -> stored.put(List.of(line.from(), line.value()), line));
    }

    @Override
    public synchronized List<Summary.Line> lines(String trend, Field field) {
        return new ArrayList<>(trends.getOrDefault(trend, Map.of()).values());
    }
}
