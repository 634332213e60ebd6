package siemload.measure.environment;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * What a run took place on, as {@code environment.json} holds it: values by section, each section with a fingerprint that
 * is the same wherever all its values are. Values that differ from run to run without meaning are not in it. Immutable.
 *
 * @param formatVersion 1
 * @param sections by name: {@code hardware}, {@code kernel}, {@code filesystem}, {@code database}, {@code tables},
 *     {@code java}, {@code drivers}, {@code program}, {@code scenario}, {@code dataset}
 */
public record EnvironmentRecord(int formatVersion, Map<String, Section> sections) {
    public static final int FORMAT_VERSION = 1;

    public EnvironmentRecord {
        sections = Collections.unmodifiableMap(new TreeMap<>(sections));
    }

    /** The record of these values, by section. Secrets in them are masked. */
    public static EnvironmentRecord of(Map<String, Map<String, String>> values) {
        Map<String, Section> sections = new TreeMap<>();
        values.forEach((name, some) -> sections.put(name, Section.of(some)));
        return new EnvironmentRecord(FORMAT_VERSION, sections);
    }

    /** The fingerprint of each section, by its name. */
    public Map<String, String> fingerprints() {
        return sections.entrySet().stream()
                .collect(Collectors.toMap(
                        Map.Entry::getKey, entry -> entry.getValue().fingerprint()));
    }
}
