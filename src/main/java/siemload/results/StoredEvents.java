package siemload.results;

/**
 * What was found of the fed events once the load was over. Immutable.
 *
 * @param lost acknowledged events that are not in the store; -1 if nobody could look
 * @param duplicated events that are in the store more than once; -1 if nobody could look
 * @param withoutAcknowledgement events that are in the store although nobody heard that they are
 * @param failed events that were sent, never acknowledged, and are not in the store
 * @param unknown events that were sent and never acknowledged, and for which nobody could look
 */
public record StoredEvents(long lost, long duplicated, long withoutAcknowledgement, long failed, long unknown) {

    /** No difference: nothing was fed, or all events are where they should be. */
    public static final StoredEvents ALL = new StoredEvents(0, 0, 0, 0, 0);

    /** Where nobody could look for these. */
    public static StoredEvents unseen(long unacknowledged) {
        return new StoredEvents(-1, -1, 0, 0, unacknowledged);
    }
}
