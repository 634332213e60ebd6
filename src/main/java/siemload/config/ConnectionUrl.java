package siemload.config;

import java.util.List;
import java.util.regex.Pattern;

/** The type of database URLs; those with a password inside are refused, by messages that do not repeat them. */
final class ConnectionUrl {
    static final ValueType<String> TYPE = ValueType.of("URL without a password", "", ConnectionUrl::parse);

    private static final List<Pattern> WITH_PASSWORD = List.of(
            Pattern.compile("//[^/?#@:]*:[^@?]*@"),
            Pattern.compile("(password|passwd|pwd)\\s*=", Pattern.CASE_INSENSITIVE),
            Pattern.compile("^jdbc:oracle:[a-z0-9]+:[^/@]+/[^@]+@", Pattern.CASE_INSENSITIVE));

    private ConnectionUrl() {}

    private static String parse(String text) {
        if (WITH_PASSWORD.stream().anyMatch(pattern -> pattern.matcher(text).find())) {
            throw new IllegalArgumentException("holds a password, which could end up in logs and reports"
                    + " (give it by SIEMLOAD_PASSWORD or SIEMLOAD_PASSWORD_FILE, the user by SIEMLOAD_USER)");
        }
        return ValueType.text().parse(text);
    }
}
