package siemload.measure;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import siemload.results.RunFile;

/**
 * What the sessions of a tick read and wrote for it, of their own counts. Immutable.
 *
 * @param figures by their names, which are those of the columns in ticks.csv; what the server does not tell is missing
 */
public record TickIo(Map<String, Long> figures) {
    /** All names that there can be, in their order. */
    static final List<String> NAMES = names();

    /** Nothing was counted. */
    public static final TickIo NONE = new TickIo(Map.of());

    private static List<String> names() {
        List<String> columns = RunFile.TICKS.columns();
        return columns.subList(columns.indexOf("dataBlocksRead"), columns.size());
    }

    public TickIo {
        figures = Collections.unmodifiableMap(new LinkedHashMap<>(figures));
    }

    /** That of two searches of one tick together; of the tick nothing is known, where it is not of both. */
    public TickIo plus(TickIo other) {
        Map<String, Long> sum = new LinkedHashMap<>();
        figures.forEach((name, value) -> {
            if (other.figures.containsKey(name)) {
                sum.put(name, value + other.figures.getOrDefault(name, 0L));
            }
        });
        return new TickIo(sum);
    }

    boolean isCounted() {
        return !figures.isEmpty();
    }

    /** As it stands in a table: empty where it was not counted. */
    String cell(String name) {
        Long value = figures.get(name);
        return value == null ? "" : value.toString();
    }
}
