package siemload.run.procedure;

import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import siemload.database.SearchException;
import siemload.database.TargetException;
import siemload.dataset.SearchedValues;
import siemload.dataset.SeededRandom;
import siemload.query.Order;
import siemload.query.Search;
import siemload.query.SearchName;
import siemload.query.Window;
import siemload.results.SearchKey;
import siemload.scenario.DrawRule;
import siemload.scenario.Procedure;
import siemload.scenario.Procedure.Asked;
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
        try (Servers servers = new Servers(procedure, context)) {
            Instant until = context.source().until();
            boolean changed = false;
            for (Step step : procedure.steps()) {
                context.steps().check();
                Optional<Searches> drawn = Searches.of(procedure, context.draw(), until, context.seed());
                if (step instanceof Load load) {
                    new WriteSteps(context).load(load, servers);
                    changed = true;
                } else if (step instanceof Feed feed) {
                    until = new WriteSteps(context).feed(feed, procedure.asked());
                    changed = true;
                } else if (step instanceof Read read) {
                    new ReadSteps(procedure, servers, context, changed).read(read, drawn);
                } else if (step instanceof Pages pages) {
                    new PageSteps(procedure, pages, servers.first(), context, drawn.orElseThrow()).run();
                } else if (step instanceof Items items) {
                    new ItemSteps(procedure, items, servers, context, drawn.orElseThrow()).run();
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

    /** The first draw of each search that a procedure asks for, by kind: what plans are shown for. */
    public static Map<SearchKey, Search> examples(Procedure procedure, SearchDraw draw, Instant until, long seed) {
        Map<SearchKey, Search> examples = new TreeMap<>();
        Searches.of(procedure, draw, until, seed)
                .filter(unused -> !procedure.startsEmpty())
                .ifPresent(drawn -> {
                    for (Order order : drawn.asked().orders().each()) {
                        for (SearchName name : drawn.asked().searches()) {
                            Search search = drawn.search(name, 0, order);
                            examples.put(SearchKey.of(search), search);
                        }
                    }
                });
        return examples;
    }

    /**
     * The searches of a procedure with their values, which depend on data set, seed and number of the draw alone: every run
     * asks for the same. Used by one thread.
     */
    record Searches(Asked asked, SearchDraw draw, SearchedValues wanted, Window window, long seed) {
        /** More than are drawn of one search. */
        private static final long DRAWS = 1L << 20;

        /** @param until where the window ends (excluded), unless the wanted values have a stretch of time of their own */
        private static Optional<Searches> of(Procedure procedure, SearchDraw draw, Instant until, long seed) {
            return procedure.asked().map(asked -> {
                SearchedValues wanted = draw.searched(asked.searched());
                Window window =
                        wanted.between().orElseGet(() -> asked.window().window(draw.dataFirst(), until));
                return new Searches(asked, draw, wanted, window, seed);
            });
        }

        Search search(SearchName name, int number) {
            return search(name, number, asked.order());
        }

        /** The search with the values of one draw in one of the orders. */
        Search search(SearchName name, int number, Order order) {
            SeededRandom random = SeededRandom.of(seed, name.name().hashCode() * DRAWS + number);
            DrawRule rule = new DrawRule(asked.popularity(), asked.listLength(), random);
            return draw.search(name, wanted, rule, window, order, asked.page());
        }
    }
}
