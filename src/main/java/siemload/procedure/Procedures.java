package siemload.procedure;

import java.time.Instant;
import java.util.Map;
import siemload.measure.SearchKey;
import siemload.query.Search;
import siemload.scenario.Procedure;
import siemload.scenario.SearchDraw;
import siemload.target.TargetException;

/** Follows procedures. Stateless and thread-safe. */
public final class Procedures {
    private Procedures() {}

    /**
     * Does everything that the procedure says, or ends early where that is asked for.
     *
     * @throws siemload.target.TargetException if the server breaks down
     */
    public static void follow(Procedure procedure, Workbench bench) {
        try {
            steps(procedure, bench).run();
        } catch (Interruption.Interrupted asked) {
            // What was measured so far is in the log.
        }
    }

    private static Runnable steps(Procedure procedure, Workbench bench) {
        if (procedure instanceof Procedure.Read read) {
            return new ReadSteps(read, bench);
        }
        if (procedure instanceof Procedure.Load load) {
            return new LoadSteps(load, bench);
        }
        if (procedure instanceof Procedure.Indexes indexes) {
            return new IndexesSteps(indexes, bench);
        }
        throw new TargetException("procedures of kind " + procedure.kind().label() + " cannot be followed yet");
    }

    /** One search of each kind that a procedure asks for, with its own values: what plans are shown for. */
    public static Map<SearchKey, Search> examples(Procedure procedure, SearchDraw draw, Instant until, long seed) {
        if (procedure instanceof Procedure.Read read) {
            return new AskedSearches(read.asking(), draw, until, seed).examples(read.order(), read.page());
        }
        return Map.of();
    }
}
