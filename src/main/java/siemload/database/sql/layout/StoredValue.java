package siemload.database.sql.layout;

/** What of an event can fill the column of a table. Implemented by an enum of each database. */
public interface StoredValue {
    /** The name in the files of layouts. */
    String label();

    /** Whether it can fill a column of such a table. */
    boolean fits(LayoutTable.Rows rows);
}
