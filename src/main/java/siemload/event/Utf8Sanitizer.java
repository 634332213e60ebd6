package siemload.event;

import java.util.regex.Pattern;

/** Makes texts that every database can store. Stateless. */
public final class Utf8Sanitizer {
    private static final Pattern HALF_PAIR = Pattern.compile("\\p{Cs}");

    private Utf8Sanitizer() {}

    /** Replaces half a surrogate pair, which has no UTF-8 form, by U+FFFD. Keeps everything else, including NUL. */
    public static String of(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (Character.isSurrogate(text.charAt(i))) {
                return HALF_PAIR.matcher(text).replaceAll("\uFFFD");
            }
        }
        return text;
    }
}
