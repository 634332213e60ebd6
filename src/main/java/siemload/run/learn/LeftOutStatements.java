package siemload.run.learn;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What of a log a scenario does not ask, counted by the reason, with the first text of each. Not thread-safe. */
final class LeftOutStatements {
    private static final int SHOWN_CHARACTERS = 60;

    private final Map<String, Long> counts = new LinkedHashMap<>();
    private final Map<String, String> examples = new LinkedHashMap<>();

    void add(String reason, String text) {
        add(reason, text, 1);
    }

    void add(String reason, String text, long count) {
        if (counts.merge(reason, count, Long::sum) == count) {
            examples.put(reason, shown(text, SHOWN_CHARACTERS));
        }
    }

    long count() {
        return counts.values().stream().mapToLong(Long::longValue).sum();
    }

    /** The lines of a report, with one above them that has the sum; none where nothing was left out. */
    List<String> section() {
        if (count() == 0) {
            return List.of();
        }
        List<String> section = new ArrayList<>(List.of("", String.format(Locale.ROOT, "left out: %,d", count())));
        section.addAll(lines());
        return section;
    }

    /** A line for each reason, the commonest first: {@code 1,204  begins or ends a transaction: BEGIN}. */
    List<String> lines() {
        List<String> lines = new ArrayList<>();
        counts.entrySet().stream()
                .sorted(Map.Entry.comparingByValue(Comparator.reverseOrder()))
                .forEach(reason -> {
                    String example = examples.getOrDefault(reason.getKey(), "");
                    lines.add(String.format(Locale.ROOT, "%,9d  %s", reason.getValue(), reason.getKey())
                            + (example.isEmpty() ? "" : ": " + example));
                });
        return lines;
    }

    /** The beginning of a text as a part of a line. */
    static String shown(String text, int characters) {
        String line = text.substring(0, Math.min(text.length(), 4 * characters))
                .replaceAll("[\\s\\p{Cntrl}]+", " ")
                .strip();
        return line.length() > characters ? line.substring(0, characters) + "..." : line;
    }
}
