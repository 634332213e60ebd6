package siemload.scenario;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import siemload.dataset.SeededRandom;

/**
 * Values of several parameters that belong together, such as the start and the end of a window: one row is drawn, and gives all of
 * them. All rows come alike often; one that stands there twice comes twice as often. Immutable.
 *
 * @param parameters in the order of the values of a row; none where nothing comes from rows
 */
public record ValueRows(List<String> parameters, List<List<String>> rows) {
    /** Nothing comes from rows. */
    public static final ValueRows NONE = new ValueRows(List.of(), List.of());

    public ValueRows {
        parameters = List.copyOf(parameters);
        rows = List.copyOf(rows);
        if (parameters.isEmpty() != rows.isEmpty()) {
            throw new IllegalArgumentException("rows need parameters, and parameters at least one row");
        }
    }

    /** The values of one row, by parameter. */
    Map<String, String> draw(SeededRandom random) {
        Map<String, String> values = new HashMap<>();
        if (!rows.isEmpty()) {
            List<String> row = rows.get(random.nextInt(rows.size()));
            for (int i = 0; i < parameters.size(); i++) {
                values.put(parameters.get(i), row.get(i));
            }
        }
        return values;
    }
}
