package siemload.measure.environment;

import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import siemload.config.Secrets;
import siemload.config.Sha256;

/**
 * One part of the record. Immutable.
 *
 * @param fingerprint the first 16 hexadecimal digits of the SHA-256 of the lines {@code key=value}, each with its line
 *     break, in the order of the keys
 * @param values in the order of the keys
 */
public record Section(String fingerprint, Map<String, String> values) {
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
        return new Section(Sha256.fingerprint(lines), shown);
    }
}
