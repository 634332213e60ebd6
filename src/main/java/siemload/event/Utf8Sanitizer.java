package siemload.event;

/** Makes texts that every database can store. Stateless. */
public final class Utf8Sanitizer {
    private static final int REPLACEMENT = 0xFFFD;

    private Utf8Sanitizer() {}

    /** Replaces half a surrogate pair, which has no UTF-8 form, by U+FFFD. Keeps everything else, including NUL. */
    public static String of(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (Character.isSurrogate(text.charAt(i))) {
                StringBuilder whole = new StringBuilder(text.length());
                text.codePoints()
                        .forEach(c ->
                                whole.appendCodePoint(Character.getType(c) == Character.SURROGATE ? REPLACEMENT : c));
                return whole.toString();
            }
        }
        return text;
    }
}
