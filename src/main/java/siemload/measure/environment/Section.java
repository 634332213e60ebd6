package siemload.measure.environment;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Collections;
import java.util.HexFormat;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import siemload.config.Secrets;

/**
 * One part of the record. Immutable.
 *
 * @param fingerprint the first 16 hexadecimal digits of the SHA-256 of the lines {@code key=value}, each with its line
 *     break, in the order of the keys
 * @param values in the order of the keys
 */
public record Section(String fingerprint, Map<String, String> values) {
    private static final int DIGITS = 16;

    public Section {
        values = Collections.unmodifiableMap(new TreeMap<>(values));
    }

    /** The section of these values; secrets are masked, and line breaks are blanks. */
    static Section of(Map<String, String> values) {
        SortedMap<String, String> shown = new TreeMap<>();
        values.forEach((key, value) -> shown.put(key, Secrets.masked(key, value.replaceAll("\\R", " "))));
        String lines = shown.entrySet().stream()
                .map(entry -> entry.getKey() + "=" + entry.getValue() + "\n")
                .collect(Collectors.joining());
        return new Section(sha256(lines).substring(0, DIGITS), shown);
    }

    private static String sha256(String text) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest);
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every Java has SHA-256", impossible);
        }
    }
}
