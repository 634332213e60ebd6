package siemload.database;

/**
 * The least that a client of this database can do for a search by id: one connection and one prepared statement, with
 * nothing around them. What a load generator costs is told beside it. Used by one thread.
 */
public interface PlainLookup extends AutoCloseable {

    /**
     * Looks one event up.
     *
     * @return the size of its JSON in bytes; 0 if it is not there
     * @throws SearchException if the search failed
     */
    int lookUp(String id);

    @Override
    void close();
}
