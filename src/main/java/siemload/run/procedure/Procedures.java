package siemload.run.procedure;

import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import siemload.database.SearchException;
import siemload.database.TargetException;
import siemload.query.Search;
import siemload.results.SearchKey;
import siemload.scenario.Procedure;
import siemload.scenario.Procedure.Feed;
import siemload.scenario.Procedure.Items;
import siemload.scenario.Procedure.Load;
import siemload.scenario.Procedure.Pages;
import siemload.scenario.Procedure.Read;
import siemload.scenario.Procedure.Step;
import siemload.scenario.Procedure.Transactions;
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
        try (Servers servers = new Servers(procedure.servers(), context)) {
            Instant until = context.source().until();
            boolean changed = false;
            for (Step step : procedure.steps()) {
                context.steps().check();
                Optional<ProcedureSearches> searches =
                        ProcedureSearches.of(procedure, context.draw(), until, context.seed());
                if (step instanceof Load load) {
                    new WriteSteps(context).load(load, servers);
                    changed = true;
                } else if (step instanceof Feed feed) {
                    until = new WriteSteps(context).feed(feed, procedure.asked());
                    changed = true;
                } else if (step instanceof Read read) {
                    new ReadSteps(procedure, servers, context, searches, changed).read(read);
                } else if (step instanceof Pages pages) {
                    new PageSteps(procedure, pages, servers.first(), context, searches.orElseThrow()).run();
                } else if (step instanceof Items items) {
                    new ItemSteps(procedure, items, servers, context, searches.orElseThrow()).run();
                } else if (step instanceof Transactions transactions) {
                    new TransactionSteps(transactions, context).run();
                }
                servers.close();
            }
        } catch (StepLog.Interrupted asked) {
            // What was measured so far is in the log.
        } catch (SearchException failed) {
            if (!context.steps().isInterrupted()) {
                throw new TargetException("what no step can do without failed: " + failed.getMessage(), failed);
            }
        }
    }

    /** One search of each kind that a procedure asks for, with its own values: what plans are shown for. */
    public static Map<SearchKey, Search> examples(Procedure procedure, SearchDraw draw, Instant until, long seed) {
        return ProcedureSearches.of(procedure, draw, until, seed)
                .filter(unused -> !procedure.startsEmpty())
                .map(ProcedureSearches::examples)
                .orElse(Map.of());
    }
}
