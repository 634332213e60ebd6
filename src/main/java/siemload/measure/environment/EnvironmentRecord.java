package siemload.measure.environment;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import siemload.config.Secrets;
import siemload.config.Sha256;
import siemload.results.ResultText;
import siemload.results.ResultValue;

/**
 * What a run took place on, as {@code environment.json} holds it: values by section, each section with a fingerprint that
 * is the same wherever all its values are. Values that differ from run to run without meaning are not in it. Immutable.
 *
 * @param sections by name: {@code hardware}, {@code kernel}, {@code filesystem}, {@code database}, {@code tables},
 *     {@code java}, {@code program}, {@code scenario}, {@code dataset}
 */
public record EnvironmentRecord(Map<String, Section> sections) {
    public EnvironmentRecord {
        sections = Collections.unmodifiableMap(new TreeMap<>(sections));
    }

    /** The record of these values, by section. Secrets in them are masked. */
    public static EnvironmentRecord of(Map<String, Map<String, String>> values) {
        Map<String, Section> sections = new TreeMap<>();
        values.forEach((name, some) -> sections.put(name, Section.of(some)));
        return new EnvironmentRecord(sections);
    }

    /** The fingerprint of each section, by its name. */
    public Map<String, String> fingerprints() {
        return sections.entrySet().stream()
                .collect(Collectors.toMap(
                        Map.Entry::getKey, entry -> entry.getValue().fingerprint()));
    }

    /** Writes {@code environment.json}. */
    public void write(Path file) throws IOException {
        Files.writeString(file, ResultValue.text(this));
    }

    /**
     * Reads the file; keys of later versions are ignored.
     *
     * @throws IOException if it cannot be read or is no such record
     */
    public static EnvironmentRecord read(Path file) throws IOException {
        String name = file.toString();
        return ResultValue.parse(name, ResultText.of(file, name), EnvironmentRecord.class);
    }

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
}
