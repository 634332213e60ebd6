package siemload.config;

import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Sizes, in bytes, as Docker and fio write them: {@code 512m}, {@code 2g}. Stateless and thread-safe. */
public final class ByteSize {
    private static final Map<String, Long> UNITS = Map.of("m", 1L << 20, "g", 1L << 30, "t", 1L << 40);
    private static final Pattern FORM = Pattern.compile("([0-9]{1,6})([mgt])b?");
    private static final long LEAST = 256L << 20;
    private static final long MOST = 64L << 40;
    private static final String ALLOWED = "256m to 64t";

    private ByteSize() {}

    /**
     * The type of such sizes.
     *
     * @param of what has the size, for messages: {@code memory}
     */
    public static ValueType<Long> of(String of) {
        return ValueType.of(of + ", " + ALLOWED, LEAST, text -> parse(text, of));
    }

    private static long parse(String text, String of) {
        Matcher form = FORM.matcher(text.toLowerCase(Locale.ROOT));
        if (!form.matches()) {
            throw new IllegalArgumentException(ValueType.quoted(text) + " is not a size of " + of + " (allowed: "
                    + ALLOWED + ", for example 512m, 2g)");
        }
        long bytes = Long.parseLong(form.group(1)) * UNITS.getOrDefault(form.group(2), 1L);
        if (bytes < LEAST || bytes > MOST) {
            throw new IllegalArgumentException(
                    text + " is too " + (bytes < LEAST ? "small" : "large") + " (allowed: " + ALLOWED + ")");
        }
        return bytes;
    }
}
