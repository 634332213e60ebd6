package siemload.config;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * Names with values in one text: {@code work_mem=64MB,jit=off}. A comma belongs to a value unless another name follows it, so
 * that {@code search_path=a,b,jit=off} has two names.
 */
final class Assignments {
    private static final Pattern BETWEEN = Pattern.compile(",(?=\\s*[A-Za-z_][\\w.$-]*\\s*=)");
    private static final Pattern NAME = Pattern.compile("[A-Za-z_][\\w.$-]*");
    private static final String EXAMPLE = " (write for example work_mem=64MB,jit=off)";

    private Assignments() {}

    /** @throws IllegalArgumentException if a name or a value is missing, or a name stands there twice */
    static SortedMap<String, String> parse(String text) {
        SortedMap<String, String> values = new TreeMap<>();
        for (String part : BETWEEN.split(text, -1)) {
            int equals = part.indexOf('=');
            String name = equals < 0 ? part.strip() : part.substring(0, equals).strip();
            if (equals < 0 || !NAME.matcher(name).matches()) {
                throw new IllegalArgumentException(ValueType.quoted(part.strip()) + " is not name=value" + EXAMPLE);
            }
            String value = part.substring(equals + 1).strip();
            if (value.isEmpty()) {
                throw new IllegalArgumentException("'" + name + "' has no value" + EXAMPLE);
            }
            if (values.put(name, value) != null) {
                throw new IllegalArgumentException("'" + name + "' stands there twice");
            }
        }
        return Collections.unmodifiableSortedMap(values);
    }
}
