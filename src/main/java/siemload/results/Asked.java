package siemload.results;

/** What a user asked before a search. */
public enum Asked {
    /** Nothing like it: it is a new search. */
    FIRST,
    /** The same with one condition less, of whose answer a row was just seen. */
    FOLLOW_UP,
    /** The same for another page, or its count. */
    SAME
}
