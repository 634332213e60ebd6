package siemload.dataset.recording;

/** What happens with lines of a recording that are no events, or repeat the id of an earlier one. */
public enum Unreadable {
    /** They are counted, the first of them are reported, and the rest is read. */
    SKIP,
    /** The first of them ends the reading. */
    FAIL
}
