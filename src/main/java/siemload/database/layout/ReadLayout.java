package siemload.database.layout;

import java.util.SortedMap;
import siemload.database.Partitions;

/** A layout whose files were read: siemload's, or one of a user's own. Immutable and thread-safe. */
public interface ReadLayout {

    /** What layouts of all databases say. */
    LayoutOffer offer();

    /** What its tables are cut into. */
    default Partitions partitions() {
        return Partitions.NONE;
    }

    /** Whether it says how to search events that are there already, and neither loads nor feeds any. */
    default boolean isForSearchesAlone() {
        return offer().loading() == Loading.NONE;
    }

    /** All its files with those of its base, as a folder has them that needs no base. */
    SortedMap<String, String> copied();
}
