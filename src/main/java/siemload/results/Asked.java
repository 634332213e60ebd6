package siemload.results;

/** What a user asked before a search. */
public enum Asked {
    /** A new search. */
    FIRST,
    /** A search with one condition less, of whose answer the user has just seen a row. */
    FOLLOW_UP,
    /** The same search, for another page or for its count. */
    SAME
}
