package siemload.scenario;

/** What the caches of database and system hold before something is measured. */
public enum CacheState {
    /** What earlier work has left in them. */
    AS_FOUND,
    /** Nothing: the database was started anew, and the system's cache of files is empty. */
    COLD,
    /** One of the two is empty. */
    LUKEWARM,
    /** What is measured was done once before, and not measured. */
    HOT
}
