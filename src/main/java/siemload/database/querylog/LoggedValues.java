package siemload.database.querylog;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The values of parameters as the log has them: {@code Parameters: $1 = 'it''s', $2 = NULL}, with a small p up to version 15. Immutable.
 *
 * @param byParameter those that are not NULL, by {@code p1}, {@code p2} and so on
 * @param hasNull whether some are
 */
record LoggedValues(Map<String, String> byParameter, boolean hasNull) {
    private static final Pattern BEGIN = Pattern.compile("[Pp]arameters: ");
    private static final Pattern VALUE = Pattern.compile("\\$(\\d{1,6}) = (?:'((?:[^']|'')*+)'|(NULL))(?:, |\\s*$)");
    /** How a value ends that {@code log_parameter_max_length} has cut off. */
    private static final String CUT_OFF = "...";

    LoggedValues {
        byParameter = Map.copyOf(byParameter);
    }

    /** Reads the detail of a record; empty where it is none of parameters, or does not end as one does. */
    static Optional<LoggedValues> read(String detail) {
        Matcher begin = BEGIN.matcher(detail);
        if (!begin.lookingAt()) {
            return Optional.empty();
        }
        Map<String, String> values = new HashMap<>();
        boolean hasNull = false;
        Matcher value = VALUE.matcher(detail).region(begin.end(), detail.length());
        int at = begin.end();
        while (at < detail.length() && value.region(at, detail.length()).lookingAt()) {
            if (value.group(3) == null) {
                values.put("p" + value.group(1), value.group(2).replace("''", "'"));
            } else {
                hasNull = true;
            }
            at = value.end();
        }
        return at < detail.length() ? Optional.empty() : Optional.of(new LoggedValues(values, hasNull));
    }

    /** The values of these parameters; empty where some are not there. */
    Optional<List<String>> of(List<String> parameters) {
        List<String> values = new ArrayList<>();
        for (String parameter : parameters) {
            String value = byParameter.get(parameter);
            if (value == null) {
                return Optional.empty();
            }
            values.add(value);
        }
        return Optional.of(values);
    }

    /** Whether a value may have been cut off when it was logged. */
    boolean isCutOff() {
        return byParameter.values().stream().anyMatch(value -> value.endsWith(CUT_OFF));
    }
}
