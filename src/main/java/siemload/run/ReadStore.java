package siemload.run;

import java.util.List;
import java.util.Optional;
import siemload.database.Replica;
import siemload.database.Store;

/**
 * Where the searches of a load are answered: by the store of the run itself, or by a replica of it. Immutable.
 *
 * @param replica that has the store; empty for the run's own
 */
public record ReadStore(Store store, Optional<Replica> replica) {

    /** The store of a run that no replica answers for. */
    static List<ReadStore> alone(Store store) {
        return List.of(new ReadStore(store, Optional.empty()));
    }
}
