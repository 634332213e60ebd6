package siemload.run.procedure;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiFunction;
import siemload.database.SearchException;
import siemload.database.TargetException;
import siemload.query.Search;
import siemload.results.SearchKey;
import siemload.scenario.Ingest;
import siemload.scenario.Procedure;
import siemload.scenario.SearchDraw;

/** Follows procedures. Stateless and thread-safe. */
public final class Procedures {
    private static final List<Kind<?>> KINDS = List.of(
            searching(Procedure.Read.class, ReadSteps::new),
            searching(Procedure.Depth.class, DepthSteps::new),
            searching(Procedure.FollowUps.class, FollowUpSteps::new),
            new Kind<>(Procedure.Feed.class, FeedSteps::of),
            new Kind<>(Procedure.Stale.class, StaleSteps::of),
            new Kind<>(Procedure.Noisy.class, NoisyNeighbourSteps::new),
            new Kind<>(Procedure.Jobs.class, JobSteps::new),
            searching(Procedure.Certificate.class, CertificateSteps::new),
            new Kind<>(Procedure.Load.class, LoadSteps::new),
            new Kind<>(Procedure.Indexes.class, IndexesSteps::new),
            new Kind<>(Procedure.Transactions.class, TransactionSteps::new),
            new Kind<>(Ingest.class, IngestSteps::new));

    private Procedures() {}

    /** Makes the steps of a procedure that searches over one connection. */
    private interface SearchingSteps<P> {
        Runnable of(P procedure, ProcedureContext context, ProcedureSearches searches, MeasuredSession session);
    }

    private static <P extends Procedure.Searching> Kind<P> searching(Class<P> procedures, SearchingSteps<P> steps) {
        return new Kind<>(
                procedures,
                (procedure, context) -> steps.of(
                        procedure, context, context.searches(procedure.searchSet()), new MeasuredSession(context)));
    }

    /** Procedures of one kind, and what does their steps. */
    private record Kind<P extends Procedure>(Class<P> procedures, BiFunction<P, ProcedureContext, Runnable> steps) {
        Runnable stepsOf(Procedure procedure, ProcedureContext context) {
            return steps.apply(procedures.cast(procedure), context);
        }
    }

    /**
     * Does everything that the procedure says, or ends early where that is asked for.
     *
     * @throws siemload.database.TargetException if the server breaks down
     */
    public static void follow(Procedure procedure, ProcedureContext context) {
        try {
            steps(procedure, context).run();
        } catch (Interruption.Interrupted asked) {
            // What was measured so far is in the log.
        } catch (SearchException failed) {
            if (!context.interruption().isAsked()) {
                throw new TargetException("what no step can do without failed: " + failed.getMessage(), failed);
            }
        }
    }

    private static Runnable steps(Procedure procedure, ProcedureContext context) {
        return KINDS.stream()
                .filter(kind -> kind.procedures().isInstance(procedure))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("a procedure of an unknown kind: " + procedure))
                .stepsOf(procedure, context);
    }

    /** One search of each kind that a procedure asks for, with its own values: what plans are shown for. */
    public static Map<SearchKey, Search> examples(Procedure procedure, SearchDraw draw, Instant until, long seed) {
        Map<SearchKey, Search> examples = new TreeMap<>();
        if (procedure instanceof Procedure.Searching asked) {
            ProcedureSearches searches = ProcedureSearches.of(asked.searchSet(), draw, until, seed);
            asked.orders().forEach(order -> examples.putAll(searches.examples(order, asked.page())));
        }
        return examples;
    }
}
