package siemload.run.learn;

import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What a parameter of a statement was: how often each of its values, as far as there are few, and what they look like. Not thread-safe. */
final class ParameterValues {
    private static final int MOST_COUNTED = 200;
    private static final int LONGEST_COUNTED = 100;
    private static final int SHOWN = 3;
    private static final int SHOWN_CHARACTERS = 30;
    private static final Pattern NUMBER = Pattern.compile("[+-]?([0-9]+([.][0-9]*)?|[.][0-9]+)([eE][+-]?[0-9]{1,3})?");
    private static final Pattern TIME = Pattern.compile(
            "([0-9]{4}-[0-9]{2}-[0-9]{2})(?:[ T]([0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:[.][0-9]{1,9})?)?)(?: ?(?:Z|UTC|[+-][0-9]{2}(?::?[0-9]{2})?))?)?");

    private final Map<String, Long> counts = new LinkedHashMap<>();
    private long count;
    private long others;
    private boolean allNumbers = true;
    private boolean allTimes = true;

    void add(String value) {
        count++;
        allNumbers = allNumbers && NUMBER.matcher(value).matches();
        allTimes = allTimes && isTime(value);
        boolean isCounted =
                counts.containsKey(value) || (counts.size() < MOST_COUNTED && value.length() <= LONGEST_COUNTED);
        if (isCounted) {
            counts.merge(value, 1L, Long::sum);
        } else {
            others++;
        }
    }

    /** {@code number}, {@code timestamp} or {@code text}: what all of them can be read as. */
    String type() {
        return count > 0 && allNumbers ? "number" : count > 0 && allTimes ? "timestamp" : "text";
    }

    /** For people: {@code number, 200 different and more in 34.1 %: 17 (3.2 %), 4 (1.1 %), ...}. */
    String words() {
        List<Map.Entry<String, Long>> ranked = counts.entrySet().stream()
                .sorted(Map.Entry.<String, Long>comparingByValue(Comparator.reverseOrder()))
                .limit(SHOWN)
                .toList();
        StringBuilder text = new StringBuilder(type() + ", " + counts.size() + " different");
        if (others > 0) {
            text.append(" are counted, and others came in ").append(percent(others));
        }
        text.append(": ");
        for (Map.Entry<String, Long> value : ranked) {
            text.append(text.toString().endsWith(": ") ? "" : ", ")
                    .append(shown(value.getKey()))
                    .append(" (")
                    .append(percent(value.getValue()))
                    .append(')');
        }
        return text.append(counts.size() > SHOWN || others > 0 ? ", ..." : "").toString();
    }

    private String percent(long part) {
        return String.format(Locale.ROOT, "%.1f %%", 100.0 * part / count);
    }

    private static String shown(String value) {
        String line = value.replaceAll("\\p{Cntrl}", " ");
        return line.length() > SHOWN_CHARACTERS ? line.substring(0, SHOWN_CHARACTERS) + "..." : line;
    }

    private static boolean isTime(String value) {
        Matcher time = TIME.matcher(value);
        if (!time.matches()) {
            return false;
        }
        try {
            return time.group(2) == null
                    ? LocalDate.parse(time.group(1)).getYear() >= 0
                    : LocalDateTime.parse(time.group(1) + "T" + time.group(2)).getYear() >= 0;
        } catch (DateTimeException none) {
            return false;
        }
    }
}
