package siemload.run;

import java.util.SortedMap;
import java.util.TreeMap;
import siemload.database.Target;
import siemload.database.TargetException;
import siemload.database.provision.ProvidedServer;

/**
 * The server at the end of a run.
 *
 * @param settings empty where it can no longer be asked
 * @param failure why not; empty where it can
 */
record ServerState(SortedMap<String, String> settings, String failure) {

    static ServerState of(Target target, ProvidedServer provided) {
        try {
            return new ServerState(target.settings(), "");
        } catch (TargetException gone) {
            String cause = provided.causeOfEnd().get();
            return new ServerState(new TreeMap<>(), cause.isEmpty() ? String.valueOf(gone.getMessage()) : cause);
        }
    }

    boolean isGone() {
        return !failure.isEmpty();
    }
}
