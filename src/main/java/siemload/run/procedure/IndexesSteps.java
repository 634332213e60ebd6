package siemload.run.procedure;

import java.util.Locale;
import siemload.scenario.Procedure;

/** Loads the data set into a store without any key or index, then builds each of them. */
record IndexesSteps(Procedure.Indexes procedure, ProcedureContext context) implements Runnable {
    @Override
    public void run() {
        WholeStore store = WholeStore.of(context);
        store.generate();
        for (int cycle = 1; cycle <= procedure.cycles(); cycle++) {
            String place = String.format(Locale.ROOT, "cycle %d of %d", cycle, procedure.cycles());
            if (cycle > 1) {
                store.dropIndexes();
                store.delete(cycle - 1, "deleting, " + place);
            }
            double loading = store.load(cycle, "loading, " + place);
            double indexing = store.buildIndexes(cycle);
            store.total(cycle, loading + indexing);
            store.sizes(cycle);
        }
    }
}
