package siemload.run.procedure;

import java.util.Locale;
import siemload.scenario.Procedure;

/**
 * Loads the data set into an empty store whose indexes are there already, deletes it, and loads it again: what is left of
 * earlier cycles in the store's files shows in later ones.
 */
record LoadSteps(Procedure.Load procedure, ProcedureContext context) implements Runnable {
    @Override
    public void run() {
        WholeStore store = WholeStore.of(context);
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
