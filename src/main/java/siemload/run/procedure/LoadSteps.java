package siemload.run.procedure;

import java.util.Locale;
import siemload.scenario.Procedure;

/**
 * Loads the data set into an empty store whose indexes are there already, deletes it, and loads it again: what is left of
 * earlier cycles in the store's files shows in later ones.
 */
final class LoadSteps implements Runnable {
    private final Procedure.Load procedure;
    private final ProcedureContext context;

    LoadSteps(Procedure.Load procedure, ProcedureContext context) {
        this.procedure = procedure;
        this.context = context;
    }

    @Override
    public void run() {
        WholeStore store = new WholeStore(context);
        store.generate();
        store.prepareIndexes();
        for (int cycle = 1; cycle <= procedure.cycles(); cycle++) {
            String place = String.format(Locale.ROOT, "cycle %d of %d", cycle, procedure.cycles());
            double seconds = store.load(cycle, "loading, " + place);
            store.total(cycle, seconds);
            store.sizes(cycle);
            store.delete(cycle, "deleting, " + place);
        }
    }
}
