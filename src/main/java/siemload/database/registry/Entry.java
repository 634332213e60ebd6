package siemload.database.registry;

import java.time.Instant;

/**
 * One thing that siemload made on a server, or is about to make. Immutable.
 *
 * @param name of the database, collection or group of tables; its last part is random, so that nobody else chooses it
 * @param fingerprint of the data set in it; empty where there is none
 * @param label what it is, for people who find it on the server
 * @param identity how the server tells this very object from another one of the same name; empty until it has been made
 * @param contents a summary of all events in it, by which damage shows; empty until it is complete
 * @param events how many events are in it; 0 until it is complete
 * @param holder who uses it, as {@link Holder#text}; empty for a data set, which belongs to no process
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

    /** What it is for. */
    public enum Purpose {
        /** A data set on its way in: of no use to anybody but who loads it. */
        LOADING,
        /** A data set that is complete and kept. */
        DATA_SET,
        /** One run's own copy. */
        RUN
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
