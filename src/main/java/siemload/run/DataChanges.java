package siemload.run;

import java.util.OptionalLong;
import siemload.database.Store;
import siemload.database.TargetException;

/** Whether anybody writes into the tables of a store that is not siemload's, from now on. Used by one thread at a time. */
record DataChanges(Store store, OptionalLong before) {

    static DataChanges from(Store store) {
        return new DataChanges(store, written(store));
    }

    /** How many rows were written; empty where nobody tells. */
    OptionalLong rows() {
        OptionalLong now = written(store);
        return before.isEmpty() || now.isEmpty()
                ? OptionalLong.empty()
                : OptionalLong.of(now.getAsLong() - before.getAsLong());
    }

    private static OptionalLong written(Store store) {
        try {
            return store.rowsWritten();
        } catch (TargetException untold) {
            return OptionalLong.empty();
        }
    }
}
