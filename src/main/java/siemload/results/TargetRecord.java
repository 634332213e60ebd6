package siemload.results;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import siemload.database.Transport;

/**
 * What was searched.
 *
 * @param connection where the connections to it led, and how they were secured
 * @param settings the server's settings that differ from its defaults
 * @param container what the server ran in: {@code image}, {@code imageId}, {@code memory}, {@code cpus},
 *     {@code sharedMemory} and {@code command}; empty where it ran in no container of ours
 */
public record TargetRecord(
        String id,
        String version,
        String provision,
        @JsonUnwrapped VariantRecord variant,
        Transport connection,
        Map<String, String> settings,
        Map<String, String> container) {
    public TargetRecord {
        settings = Collections.unmodifiableMap(new TreeMap<>(settings));
        container = Collections.unmodifiableMap(new TreeMap<>(container));
    }

    /**
     * The variant of the target, each part by its name in settings; all of them empty where data were asked that were there before.
     *
     * @param partitions what the tables were cut into: {@code none} or {@code day}
     */
    public record VariantRecord(String layout, String partitions, String indexes, String hint, String paging) {
        /** Of data that were there before, which siemload did not lay out. */
        public static final VariantRecord NONE = new VariantRecord("", "", "", "", "");

        /** For people: {@code layout mentat, partitions none, indexes native, hint none, paging offset}. */
        public String label() {
            return parts().entrySet().stream()
                    .map(part -> part.getKey() + " " + part.getValue())
                    .collect(Collectors.joining(", "));
        }

        /** The parts by what they are, in the order in which people are told them. */
        public Map<String, String> parts() {
            Map<String, String> parts = new LinkedHashMap<>();
            parts.put("layout", layout);
            parts.put("partitions", partitions);
            parts.put("indexes", indexes);
            parts.put("hint", hint);
            parts.put("paging", paging);
            parts.values().removeIf(String::isEmpty);
            return parts;
        }
    }
}
