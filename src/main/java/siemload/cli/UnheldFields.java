package siemload.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * How often which field of events had no place in IDEA: the first thousand different ones by their paths, since events whose
 * keys are data could have any number, and all others together. Not thread-safe.
 */
final class UnheldFields {
    private static final int MOST = 1_000;
    private static final int LONGEST_SHOWN = 200;

    private final Map<String, Long> counts = new TreeMap<>();
    private long others;

    /** Counts all values in what is left of an event. */
    void add(String path, JsonNode left) {
        if (left.isObject()) {
            left.properties().forEach(field -> add(path + "." + field.getKey(), field.getValue()));
        } else if (left.isArray()) {
            left.forEach(element -> add(path, element));
        } else {
            String shown =
                    path.substring(0, Math.min(path.length(), LONGEST_SHOWN)).replaceAll("\\p{Cntrl}", "?");
            if (counts.size() < MOST || counts.containsKey(shown)) {
                counts.merge(shown, 1L, Long::sum);
            } else {
                others++;
            }
        }
    }

    /** A line for each field, with a heading; none if there was no field. */
    List<String> lines() {
        List<String> lines = new ArrayList<>();
        if (!counts.isEmpty()) {
            lines.add("without a place in IDEA, and kept in each event under the key before the dot:");
            counts.forEach((field, count) -> lines.add(line(field, count)));
        }
        if (others > 0) {
            lines.add(line("(fields beyond the first " + MOST + ")", others));
        }
        return lines;
    }

    private static String line(String field, long count) {
        return String.format(Locale.ROOT, "  %-40s %,12d", field, count);
    }
}
