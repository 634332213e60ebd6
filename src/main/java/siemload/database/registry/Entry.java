package siemload.database.registry;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One thing that siemload made on a server, or is about to make, and the lease of the process that uses it. Immutable.
 *
 * @param name of the database, collection or group of tables; its last part is random, so that nobody else chooses it
 * @param fingerprint of the data set in it; empty where there is none
 * @param label what it is, for people who find it on the server
 * @param identity how the server tells this very object from another one of the same name; empty until it has been made
 * @param contents a summary of all events in it, by which damage shows; empty until it is complete
 * @param events how many events are in it; 0 until it is complete
 * @param holder who uses it, as {@link Registry#THIS_PROCESS}; empty for a complete data set, which belongs to no process, and for what is given up
 * @param beat raised by every change, also by the holder's signs of life
 * @param seen the server's time of the last change, in milliseconds since 1970
 */
public record Entry(
        String name,
        Purpose purpose,
        String fingerprint,
        String label,
        String identity,
        String contents,
        long events,
        String holder,
        long beat,
        long seen) {

    /** The names of its values. */
    public static final List<String> NAMES = Arrays.stream(Entry.class.getRecordComponents())
            .map(RecordComponent::getName)
            .toList();

    private static final ObjectMapper VALUES = JsonMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
            .enable(DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES)
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .build();

    /** What it is for. */
    public enum Purpose {
        /** A data set on its way in: of no use to anybody but who loads it. */
        LOADING,
        /** A data set that is complete and kept. */
        DATA_SET,
        /** One run's own copy. */
        RUN,
        /**
         * That somebody reads a complete data set, whose name is the identity. Nothing on the server stands behind it, and as long as it is
         * held nobody drops the data set.
         */
        READING
    }

    /** As it is written down: texts, and numbers as {@code Long}. */
    public Map<String, Object> values() {
        return VALUES.convertValue(this, new TypeReference<LinkedHashMap<String, Object>>() {});
    }

    /** What was written down with these values, among others; empty where siemload did not write it. */
    public static Optional<Entry> of(Map<String, ?> values) {
        try {
            return Optional.of(VALUES.convertValue(values, Entry.class));
        } catch (IllegalArgumentException another) {
            return Optional.empty();
        }
    }

    /** Under what it is found: there is one complete data set with a fingerprint. */
    public String key() {
        return purpose == Purpose.DATA_SET ? fingerprint : name;
    }

    Entry changed(String newIdentity, String newHolder, long now) {
        return new Entry(name, purpose, fingerprint, label, newIdentity, contents, events, newHolder, beat + 1, now);
    }

    /** The entry once its data set is complete. */
    Entry complete(String summary, long count, long now) {
        return new Entry(name, Purpose.DATA_SET, fingerprint, label, identity, summary, count, "", 0, now);
    }
}
