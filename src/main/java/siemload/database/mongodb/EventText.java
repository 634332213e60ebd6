package siemload.database.mongodb;

import java.time.Instant;

/** Parts of events in the form that MongoDB compares as the suite does. */
final class EventText {
    private static final long MICROS_PER_SECOND = 1_000_000;
    private static final int NANOS_PER_MICRO = 1_000;
    private static final int REPLACEMENT = 0xFFFD;

    private EventText() {}

    /** Microseconds since 1970, rounded down; the nearest possible number for times beyond any event. */
    static long micros(Instant instant) {
        long limit = Long.MAX_VALUE / MICROS_PER_SECOND;
        long seconds = instant.getEpochSecond();
        if (seconds >= limit || seconds <= -limit) {
            return seconds > 0 ? Long.MAX_VALUE : Long.MIN_VALUE;
        }
        return seconds * MICROS_PER_SECOND + instant.getNano() / NANOS_PER_MICRO;
    }

    static Instant instant(long micros) {
        long nanos = Math.floorMod(micros, MICROS_PER_SECOND) * NANOS_PER_MICRO;
        return Instant.ofEpochSecond(Math.floorDiv(micros, MICROS_PER_SECOND), nanos);
    }

    /** Half a surrogate pair has no UTF-8 form and becomes U+FFFD; all else stays, NUL too. Usually the text itself. */
    static String clean(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (Character.isSurrogate(text.charAt(i))) {
                StringBuilder clean = new StringBuilder(text.length());
                text.codePoints().forEach(c -> clean.appendCodePoint(isHalf(c) ? REPLACEMENT : c));
                return clean.toString();
            }
        }
        return text;
    }

    /** The text without NUL characters, which a regular expression cannot look for. */
    static String searchable(String text) {
        return clean(text.indexOf(0) < 0 ? text : text.replace("\0", ""));
    }

    private static boolean isHalf(int codePoint) {
        return codePoint >= Character.MIN_SURROGATE && codePoint <= Character.MAX_SURROGATE;
    }
}
