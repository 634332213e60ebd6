package siemload.environment;

import java.util.regex.Pattern;

/** Hides what nobody may read in a result: passwords in URLs, in options, and under telling names. Stateless. */
final class Secrets {
    private static final String MASK = "***";
    private static final String TELLING =
            "pass(?:word|wd|phrase)?|pwd|secret|token|credentials?|api[-_.]?key|private[-_.]?key";
    private static final Pattern TELLING_KEY =
            Pattern.compile("(?i)(?:.*[^a-z])?(?:" + TELLING + ")|.*(?:Password|Secret|Token)");
    private static final Pattern ASSIGNED =
            Pattern.compile("(?i)([-\\w.]*(?:" + TELLING + ")\\s*[=:]\\s*)(?:\"[^\"]*\"|'[^']*'|[^\\s&;,\"']+)");
    private static final Pattern USER_INFO = Pattern.compile("//[^/?#@\\s]*:[^/?#@\\s]*@");
    private static final Pattern ORACLE_USER = Pattern.compile("(?i)(jdbc:oracle:[a-z0-9]+:)[^/@\\s]+/[^@\\s]+@");

    private Secrets() {}

    /** The value as it may be shown under this key. */
    static String masked(String key, String value) {
        return TELLING_KEY.matcher(key).matches() ? MASK : masked(value);
    }

    /** A text as it may be shown. */
    static String masked(String text) {
        String masked = USER_INFO.matcher(text).replaceAll("//" + MASK + "@");
        masked = ORACLE_USER.matcher(masked).replaceAll("$1" + MASK + "@");
        return ASSIGNED.matcher(masked).replaceAll("$1" + MASK);
    }
}
