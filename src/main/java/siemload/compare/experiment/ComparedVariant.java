package siemload.compare.experiment;

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
public record ComparedVariant(String label, Map<String, String> settings) {

    public ComparedVariant {
        settings = Collections.unmodifiableMap(new LinkedHashMap<>(settings));
    }

    /** All combinations of the values of these axes; the last axis varies fastest. */
    static List<ComparedVariant> of(List<Axis> axes) {
        List<ComparedVariant> cells = List.of(new ComparedVariant("", Map.of()));
        for (Axis axis : axes) {
            List<ComparedVariant> more = new ArrayList<>();
            for (ComparedVariant cell : cells) {
                axis.values().forEach(value -> more.add(cell.and(axis, value)));
            }
            cells = more;
        }
        return List.copyOf(cells);
    }

    /** For people: {@code theirs: layout address, paging keyset}. */
    String described() {
        return label + ": "
                + String.join(
                        ", ",
                        settings.entrySet().stream()
                                .map(setting -> setting.getKey() + " " + setting.getValue())
                                .toList());
    }

    /** This variant with one property more. */
    ComparedVariant with(String property, String value) {
        Map<String, String> more = new LinkedHashMap<>(settings);
        more.put(property, value);
        return new ComparedVariant(label, more);
    }

    private ComparedVariant and(Axis axis, String value) {
        Map<String, String> more = new LinkedHashMap<>(settings);
        if (!axis.isWithinRuns()) {
            more.put(axis.property(), value);
        }
        return new ComparedVariant(label.isEmpty() ? value : label + " " + value, more);
    }
}
