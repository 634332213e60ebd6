package siemload.run.procedure;

import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;
import siemload.database.SearchException;
import siemload.database.TargetException;
import siemload.query.Page;
import siemload.query.Search;
import siemload.results.SearchKey;
import siemload.scenario.Procedure;
import siemload.scenario.SearchDraw;

/** Follows procedures. Stateless and thread-safe. */
public final class Procedures {
    private Procedures() {}

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
        if (procedure instanceof Procedure.Read read) {
            return new ReadSteps(read, context);
        }
        if (procedure instanceof Procedure.Depth depth) {
            return new DepthSteps(depth, context);
        }
        if (procedure instanceof Procedure.FollowUps followUps) {
            return new FollowUpSteps(followUps, context);
        }
        if (procedure instanceof Procedure.Feed feed) {
            return new FeedSteps(feed, context);
        }
        if (procedure instanceof Procedure.Stale stale) {
            return new StaleSteps(stale, context);
        }
        if (procedure instanceof Procedure.Noisy noisy) {
            return new NoisyNeighbourSteps(noisy, context);
        }
        if (procedure instanceof Procedure.Certificate certificate) {
            return new CertificateSteps(certificate, context);
        }
        if (procedure instanceof Procedure.Load load) {
            return new LoadSteps(load, context);
        }
        if (procedure instanceof Procedure.Indexes indexes) {
            return new IndexesSteps(indexes, context);
        }
        throw new IllegalStateException("a procedure of an unknown kind: " + procedure);
    }

    /** One search of each kind that a procedure asks for, with its own values: what plans are shown for. */
    public static Map<SearchKey, Search> examples(Procedure procedure, SearchDraw draw, Instant until, long seed) {
        if (procedure instanceof Procedure.Read read) {
            return new ProcedureSearches(read.searchSet(), draw, until, seed).examples(read.order(), read.page());
        }
        if (procedure instanceof Procedure.FollowUps asked) {
            return new ProcedureSearches(asked.searchSet(), draw, until, seed).examples(asked.order(), asked.page());
        }
        Map<SearchKey, Search> examples = new TreeMap<>();
        if (procedure instanceof Procedure.OfPages pages) {
            ProcedureSearches searches = new ProcedureSearches(pages.searchSet(), draw, until, seed);
            Page first = new Page.Numbered(pages.pageSize(), 1);
            pages.orders().forEach(order -> examples.putAll(searches.examples(order, first)));
        }
        return examples;
    }
}
