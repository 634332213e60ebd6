package siemload.database.registry;

/** What the entries stand for, on the server. Thread-safe. */
public interface ServerObjects {

    /**
     * Whether the object of an entry is there, and proven to be the very one that the entry tells of.
     *
     * @throws siemload.database.TargetException if the server cannot be asked
     */
    boolean isThere(Entry entry);

    /**
     * Drops the object of an entry, if it is proven to be the very one that the entry tells of and belongs to the user who is
     * logged in.
     *
     * @throws siemload.database.TargetException if the server cannot be asked, or refuses
     */
    Drop drop(Entry entry, Sessions sessions);

    /** What becomes of those who are connected to what is dropped. */
    enum Sessions {
        /** They are this process's own. */
        END,
        /** Nothing is dropped while there are any. */
        RESPECT
    }

    /** How that ended. */
    enum Drop {
        /** It is not there any more, or never was. */
        GONE,
        /** Somebody is connected to it. */
        IN_USE,
        /** It is another one of the same name, and was left alone. */
        FOREIGN
    }
}
