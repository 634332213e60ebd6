package siemload.experiment;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * One variant under comparison. Immutable.
 *
 * @param label for people, different from that of every other cell: the values of the axes
 * @param settings the properties that make it, by name
 */
public record Cell(String label, Map<String, String> settings) {

    public Cell {
        settings = Collections.unmodifiableMap(new LinkedHashMap<>(settings));
    }

    /** All combinations of the values of these axes; the last axis varies fastest. */
    static List<Cell> of(List<Axis> axes) {
        List<Cell> cells = List.of(new Cell("", Map.of()));
        for (Axis axis : axes) {
            List<Cell> more = new ArrayList<>();
            for (Cell cell : cells) {
                axis.values().forEach(value -> more.add(cell.and(axis, value)));
            }
            cells = more;
        }
        return List.copyOf(cells);
    }

    private Cell and(Axis axis, String value) {
        Map<String, String> more = new LinkedHashMap<>(settings);
        if (!axis.isWithinRuns()) {
            more.put(axis.property(), value);
        }
        return new Cell(label.isEmpty() ? value : label + " " + value, more);
    }
}
