package siemload.run.procedure;

import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.concurrent.CancellationException;
import java.util.function.Supplier;
import siemload.database.SearchException;
import siemload.database.Store;
import siemload.database.TargetException;
import siemload.database.Variant;
import siemload.database.provision.ProvidedServer.Listener;
import siemload.dataset.DatasetSpec.SearchedValues;
import siemload.dataset.EventSource;
import siemload.dataset.SeededRandom;
import siemload.query.Order;
import siemload.query.Search;
import siemload.query.SearchName;
import siemload.query.Window;
import siemload.results.SearchKey;
import siemload.scenario.Procedure;
import siemload.scenario.SearchDraw;
import siemload.scenario.SearchDraw.SamplingRule;

/**
 * The environment of a procedure, and its execution. The record is immutable, but its parts are not.
 *
 * @param stores this run's own copy of the data set, one on each server; one or more
 * @param source the events of the data set
 * @param draw fills in the values of searches
 * @param planShapes the plan of each kind of search
 * @param seed the seed of all random numbers
 * @param caches brings the server's caches into a state
 * @param cpu the CPU time of all databases on this machine so far, in nanoseconds; empty if unknown
 * @param crash kills all processes of the server at once, without any warning, and returns when it accepts connections again
 * @param steps receives the measurements, and can end the procedure
 */
public record ProcedureContext(
        List<Store> stores,
        EventSource source,
        SearchDraw draw,
        Variant variant,
        Map<SearchKey, String> planShapes,
        long seed,
        CacheKeeper caches,
        Supplier<OptionalLong> cpu,
        Runnable crash,
        StepLog steps,
        Listener progress) {
    public ProcedureContext {
        stores = List.copyOf(stores);
        planShapes = Map.copyOf(planShapes);
    }

    /** Executes the procedure, or ends early if that is requested. @throws TargetException if the server breaks down */
    public void follow(Procedure procedure) {
        try (Servers servers = new Servers(procedure, this)) {
            Instant until = source.until();
            boolean changed = false;
            for (Procedure.Step step : procedure.steps()) {
                steps.check();
                Optional<Searches> drawn = Searches.of(procedure, draw, until, seed);
                ReadSteps reading = new ReadSteps(procedure, servers, this, changed);
                if (step instanceof Procedure.Load load) {
                    new WriteSteps(this).load(load, servers, procedure.steps().size() > 1);
                } else if (step instanceof Procedure.Feed feed) {
                    until = new WriteSteps(this).feed(feed, procedure.asked());
                } else if (step instanceof Procedure.Read read) {
                    reading.read(read, drawn);
                } else if (step instanceof Procedure.Pages pages) {
                    reading.turn(pages, drawn.orElseThrow());
                } else if (step instanceof Procedure.Items items) {
                    reading.work(items, drawn.orElseThrow());
                } else if (step instanceof Procedure.Transactions transactions) {
                    new TransactionSteps(transactions, this).run();
                }
                changed = changed || step instanceof Procedure.Load || step instanceof Procedure.Feed;
                servers.close();
            }
        } catch (CancellationException asked) {
            // The step log already has the measurements so far.
        } catch (SearchException failed) {
            if (!steps.isInterrupted()) {
                throw new TargetException("a required step failed: " + failed.getMessage(), failed);
            }
        }
    }

    /** Returns the first draw of each search of a procedure, by kind: plans are shown for these draws. */
    public static Map<SearchKey, Search> examples(Procedure procedure, SearchDraw draw, Instant until, long seed) {
        Map<SearchKey, Search> examples = new TreeMap<>();
        Optional<Searches> all = Searches.of(procedure, draw, until, seed).filter(unused -> !procedure.startsEmpty());
        for (Searches drawn : all.stream().toList()) {
            for (Order order : drawn.asked().orders()) {
                for (SearchName name : drawn.asked().searches()) {
                    Search search = drawn.search(name, 0, order);
                    examples.put(SearchKey.of(search), search);
                }
            }
        }
        return examples;
    }

    /** Returns the store on the first server, which is the only server unless a procedure uses several. */
    Store store() {
        return stores.get(0);
    }

    /** Shows the progress, in the form of {@link String#format}. */
    void status(String format, Object... values) {
        progress.status(text(format, values));
    }

    static String text(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }

    /** Returns the seconds since an instant, always above 0. */
    static double secondsSince(long nanos) {
        return Math.max(1, System.nanoTime() - nanos) / 1e9;
    }

    /**
     * The searches of a procedure with their values, which depend only on data set, seed and number of the draw: they are the same in every
     * run. Used by one thread.
     */
    record Searches(Procedure.Asked asked, SearchDraw draw, SearchedValues wanted, Window window, long seed) {
        /** The distance between the first random numbers of two searches: more than one search draws. */
        private static final long DRAWS = 1L << 20;

        /** @param until the end of the window (excluded), unless the named values have a time range of their own */
        private static Optional<Searches> of(Procedure procedure, SearchDraw draw, Instant until, long seed) {
            return procedure.asked().map(asked -> {
                SearchedValues wanted = draw.searched(asked.searched());
                Window window = wanted.between().orElseGet(() -> asked.window().window(draw.dataFirst(), until));
                return new Searches(asked, draw, wanted, window, seed);
            });
        }

        Search search(SearchName name, int number) {
            return search(name, number, asked.order());
        }

        /** Returns the search with the values of one draw, in one of the orders. */
        Search search(SearchName name, int number, Order order) {
            SeededRandom random = SeededRandom.of(seed, name.name().hashCode() * DRAWS + number);
            SamplingRule rule = new SamplingRule(asked.popularity(), asked.listLength(), random, wanted);
            return draw.search(name, rule, window, order, asked.page());
        }
    }
}
