package siemload.database.registry;

import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One thing that siemload made on a server, or is about to make. Immutable.
 *
 * @param name of the database, collection or group of tables; its last part is random, so that nobody else chooses it
 * @param fingerprint of the data set in it; empty where there is none
 * @param label what it is, for people who find it on the server
 * @param identity how the server tells this very object from another one of the same name; empty until it has been made
 * @param contents a summary of all events in it, by which damage shows; empty until it is complete
 * @param events how many events are in it; 0 until it is complete
 * @param holder who uses it, as {@link Registry.Holder#text}; empty for a data set, which belongs to no process
 * @param beat raised by every change, also by the holder's signs of life
 * @param seen the server's time of the last change
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
        Instant seen) {

    /** The names of its values. */
    public static final List<String> NAMES = List.of(
            "name", "purpose", "fingerprint", "label", "identity", "contents", "events", "holder", "beat", "seen");

    /** As it is written down: texts, and numbers as {@code Long}; the time in milliseconds since 1970. */
    public Map<String, Object> values() {
        Map<String, Object> values = new LinkedHashMap<>();
        values.put("name", name);
        values.put("purpose", purpose.name());
        values.put("fingerprint", fingerprint);
        values.put("label", label);
        values.put("identity", identity);
        values.put("contents", contents);
        values.put("events", events);
        values.put("holder", holder);
        values.put("beat", beat);
        values.put("seen", seen.toEpochMilli());
        return values;
    }

    /** What was written down with these values; empty where siemload did not write it. */
    public static Optional<Entry> of(Map<String, ?> values) {
        boolean texts = List.of("name", "fingerprint", "label", "identity", "contents", "holder").stream()
                .allMatch(name -> values.get(name) instanceof String);
        if (!texts
                || !(values.get("events") instanceof Number events)
                || !(values.get("beat") instanceof Number beat)
                || !(values.get("seen") instanceof Number seen)) {
            return Optional.empty();
        }
        return Arrays.stream(Purpose.values())
                .filter(purpose -> purpose.name().equals(values.get("purpose")))
                .findFirst()
                .map(purpose -> new Entry(
                        text(values, "name"),
                        purpose,
                        text(values, "fingerprint"),
                        text(values, "label"),
                        text(values, "identity"),
                        text(values, "contents"),
                        events.longValue(),
                        text(values, "holder"),
                        beat.longValue(),
                        Instant.ofEpochMilli(seen.longValue())));
    }

    private static String text(Map<String, ?> values, String name) {
        return String.valueOf(values.get(name));
    }

    /** What it is for. */
    public enum Purpose {
        /** A data set on its way in: of no use to anybody but who loads it. */
        LOADING,
        /** A data set that is complete and kept. */
        DATA_SET,
        /** One run's own copy. */
        RUN,
        /**
         * That somebody reads a complete data set, or writes into what another process holds: its name is the identity. Nothing on the
         * server stands behind it.
         */
        READING
    }

    /** Under what it is found: there is one complete data set with a fingerprint. */
    public String key() {
        return purpose == Purpose.DATA_SET ? fingerprint : name;
    }

    Entry changed(String newIdentity, String newHolder, Instant now) {
        return new Entry(name, purpose, fingerprint, label, newIdentity, contents, events, newHolder, beat + 1, now);
    }

    /** The entry once its data set is complete. */
    Entry complete(String summary, long count, Instant now) {
        return new Entry(name, Purpose.DATA_SET, fingerprint, label, identity, summary, count, "", 0, now);
    }
}
