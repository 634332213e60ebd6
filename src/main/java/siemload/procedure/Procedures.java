package siemload.procedure;

import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;
import siemload.measure.SearchKey;
import siemload.query.Order;
import siemload.query.Page;
import siemload.query.Search;
import siemload.scenario.Procedure;
import siemload.scenario.Procedure.Asking;
import siemload.scenario.SearchDraw;
import siemload.target.SearchException;
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
        } catch (SearchException failed) {
            if (!bench.interruption().isAsked()) {
                throw new TargetException("what no step can do without failed: " + failed.getMessage(), failed);
            }
        }
    }

    private static Runnable steps(Procedure procedure, Workbench bench) {
        if (procedure instanceof Procedure.Read read) {
            return new ReadSteps(read, bench);
        }
        if (procedure instanceof Procedure.Depth depth) {
            return new DepthSteps(depth, bench);
        }
        if (procedure instanceof Procedure.Feed feed) {
            return new FeedSteps(feed, bench);
        }
        if (procedure instanceof Procedure.Stale stale) {
            return new StaleSteps(stale, bench);
        }
        if (procedure instanceof Procedure.Noisy noisy) {
            return new NoisySteps(noisy, bench);
        }
        if (procedure instanceof Procedure.Certificate certificate) {
            return new CertificateSteps(certificate, bench);
        }
        if (procedure instanceof Procedure.Load load) {
            return new LoadSteps(load, bench);
        }
        if (procedure instanceof Procedure.Indexes indexes) {
            return new IndexesSteps(indexes, bench);
        }
        throw new IllegalStateException("a procedure of an unknown kind: " + procedure);
    }

    /** One search of each kind that a procedure asks for, with its own values: what plans are shown for. */
    public static Map<SearchKey, Search> examples(Procedure procedure, SearchDraw draw, Instant until, long seed) {
        if (procedure instanceof Procedure.Read read) {
            return new AskedSearches(read.asking(), draw, until, seed).examples(read.order(), read.page());
        }
        if (procedure instanceof Procedure.Depth depth) {
            return firstPages(depth.asking(), depth.order(), depth.pageSize(), draw, until, seed);
        }
        if (procedure instanceof Procedure.Feed feed) {
            return firstPages(feed.asking(), feed.order(), feed.pageSize(), draw, until, seed);
        }
        if (procedure instanceof Procedure.Stale stale) {
            return firstPages(stale.asking(), stale.order(), stale.pageSize(), draw, until, seed);
        }
        if (procedure instanceof Procedure.Noisy noisy) {
            return firstPages(noisy.asking(), noisy.order(), noisy.pageSize(), draw, until, seed);
        }
        if (procedure instanceof Procedure.Certificate certificate) {
            Map<SearchKey, Search> examples = new TreeMap<>();
            certificate
                    .orders()
                    .forEach(order -> examples.putAll(
                            firstPages(certificate.asking(), order, certificate.pageSize(), draw, until, seed)));
            return examples;
        }
        return Map.of();
    }

    private static Map<SearchKey, Search> firstPages(
            Asking asking, Order order, int size, SearchDraw draw, Instant until, long seed) {
        return new AskedSearches(asking, draw, until, seed).examples(order, new Page.Numbered(size, 1));
    }
}
