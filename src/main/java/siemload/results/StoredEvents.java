package siemload.results;

/**
 * What was found of the fed events once the load was over. Immutable.
 *
 * @param lost acknowledged events that are not in the store; -1 if it could not be asked
 * @param duplicated events that are in the store more than once; -1 if it could not be asked
 * @param withoutAcknowledgement events that are in the store although their acknowledgement was lost
 * @param failed events that were sent, never acknowledged, and are not in the store
 * @param unknown events that were sent and never acknowledged, and which the store could not be asked for
 */
public record StoredEvents(long lost, long duplicated, long withoutAcknowledgement, long failed, long unknown) {

    /** No difference: nothing was fed, or all events are where they should be. */
    public static final StoredEvents ALL = new StoredEvents(0, 0, 0, 0, 0);

    /** Together with others; what could not be asked of either is not known of both. */
    public StoredEvents plus(StoredEvents other) {
        return new StoredEvents(
                lost < 0 || other.lost < 0 ? -1 : lost + other.lost,
                duplicated < 0 || other.duplicated < 0 ? -1 : duplicated + other.duplicated,
                withoutAcknowledgement + other.withoutAcknowledgement,
                failed + other.failed,
                unknown + other.unknown);
    }

    /** The store could not be asked for these. */
    public static StoredEvents unseen(long unacknowledged) {
        return new StoredEvents(-1, -1, 0, 0, unacknowledged);
    }
}
