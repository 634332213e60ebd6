package siemload.config;

import java.util.regex.Pattern;

/**
 * A form in which a secret occurs in texts, and what of the found text stays. Immutable.
 *
 * @param pattern finds it; every repetition has a bound, so that a long line takes no longer than its length
 * @param before stays in front of the mask, in the notation of {@link java.util.regex.Matcher#replaceAll(String)}
 * @param after stays behind it
 */
public record SecretForm(Pattern pattern, String before, String after) {
    private static final String MASK = "***";

    /** A form whose matches are replaced by their first group and this text. */
    public SecretForm(String pattern, String after) {
        this(Pattern.compile(pattern), "$1", after);
    }

    /** A form whose matches are replaced by their first group. */
    public SecretForm(String pattern) {
        this(pattern, "");
    }

    /** A form whose matches are masked as a whole. */
    static SecretForm whole(String pattern) {
        return new SecretForm(Pattern.compile(pattern), "", "");
    }

    String maskedIn(String text) {
        return pattern.matcher(text).replaceAll(before + MASK + after);
    }
}
