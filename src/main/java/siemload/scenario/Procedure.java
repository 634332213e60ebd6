package siemload.scenario;

import static siemload.config.YamlRecords.Misfit.require;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import siemload.config.Durations;
import siemload.config.YamlRecords.Key;
import siemload.dataset.EventSource;
import siemload.dataset.Popularity;
import siemload.query.Order;
import siemload.query.Page;
import siemload.query.SearchName;
import siemload.query.StatementText;

/**
 * The work of one person on a database, step by step, without other users unless a step has users. Immutable.
 *
 * @param steps in order, one or more, each kind once
 * @param asked the searches; empty if there are none, or only those of {@link Read#matching}
 * @param passes how often each search, page or job is measured, 1 or more
 * @param caches the state of the caches before reads
 * @param servers how many servers are used at the same time, 1 or more, each with its own store
 */
public record Procedure(List<Step> steps, Optional<Asked> asked, int passes, CacheState caches, int servers) {
    public Procedure {
        steps = List.copyOf(steps);
    }

    /** A step, whose components are its keys in the file. */
    public sealed interface Step permits Load, Feed, Read, Pages, Items, Transactions {
        /** Returns how many connections write at once on one server, 1 or more. */
        default int connections() {
            return 1;
        }
    }

    /** Returns whether the run begins with an empty store, which the procedure fills. */
    public boolean startsEmpty() {
        return steps.get(0) instanceof Load || transactions().isPresent();
    }

    /** Returns whether the procedure adds, changes or deletes events or indexes. */
    public boolean writes() {
        return startsEmpty() || steps.stream().anyMatch(Feed.class::isInstance);
    }

    /** Returns the transactions, if the procedure has any; a procedure with transactions has no other steps. */
    public Optional<Transactions> transactions() {
        return steps.get(0) instanceof Transactions only ? Optional.of(only) : Optional.empty();
    }

    /** Returns how many connections write at once on one server, 1 or more. */
    public int connections() {
        return steps.stream().mapToInt(Step::connections).max().orElse(1);
    }

    /** Returns how many sessions search at once on one server, 1 or more. */
    public int searchers() {
        return steps.get(0) instanceof Items items ? items.inFlight() : 1;
    }

    /**
     * The searches of a procedure.
     *
     * @param searches at least one, each once
     * @param listLength how many addresses a search for a list gets, 1 to 10,000
     * @param searched the name of values of the data set, which replace drawn values and the window; or {@link EventSource#DRAWN}
     * @param orders in which results are read, one after the other; at least one, each once
     * @param page the whole result, or its first page
     */
    public record Asked(
            @Key(filled = true) List<SearchName> searches,
            @Key(standard = "all") AnalystGroup.WindowLength window,
            @Key(standard = "typical") Popularity popularity,
            @Key(allowed = "1 to 10000", standard = "10") int listLength,
            @Key(standard = EventSource.DRAWN) String searched,

            @Key(value = "order", standard = "[newestFirst]", filled = true)
            List<Order> orders,

            Page page) {
        public Asked {
            searches = List.copyOf(searches);
            orders = List.copyOf(orders);
            requireDifferent(searches, "searches");
            requireDifferent(orders, "order");
            boolean fits = !orders.contains(Order.UNSORTED) || page instanceof Page.Whole;
            require(fits, "order", "unsorted needs page: whole (a page of unordered rows means nothing)");
        }

        /** The first order. */
        public Order order() {
            return orders.get(0);
        }

        /** Returns the number of rows in a page; 0 if results are read whole. */
        public int pageSize() {
            return page instanceof Page.Numbered numbered ? numbered.size() : 0;
        }
    }

    /** The contents of the caches of the database and of the system before a measurement. */
    public enum CacheState {
        /** The caches hold what earlier work left in them. */
        AS_FOUND,
        /** The caches hold nothing: the database was restarted, and the system's cache of files is empty. */
        COLD,
        /** Only the server's own cache is empty. */
        LUKEWARM,
        /** The caches are warm: the measured work was done once before, unmeasured. */
        HOT
    }

    /** The possible steps. */
    enum Kind {
        READ(Read.class),
        PAGE(Pages.class),
        LOAD(Load.class),
        FEED(Feed.class),
        USERS(Items.class);

        final Class<? extends Step> type;

        Kind(Class<? extends Step> type) {
            this.type = type;
        }
    }

    record Steps(
            @Key(filled = true) List<Kind> steps,
            @Key(allowed = "1 to 10000", standard = "1") int passes,
            @Key(standard = "asFound") CacheState caches,
            @Key(allowed = "1 to 64", standard = "1") int servers) {
        Steps {
            String late = "has load after another step, but load needs an empty store (put load first)";
            boolean beside = steps.contains(Kind.USERS) && steps.size() > 1;
            requireDifferent(steps, "steps");
            require(!beside, "steps", "has users together with other steps (remove users or the others)");
            require(steps.indexOf(Kind.LOAD) <= 0, "steps", late);
        }
    }

    record Size(@Key(allowed = "1 to 10000000") int size) {}

    private static void requireDifferent(List<?> values, String key) {
        require(new HashSet<>(values).size() == values.size(), key, "has an entry twice (remove one)");
    }

    /** Whether the rows of a search are also counted, with the criteria of the search, after they were read. */
    public enum Counting {
        NONE,
        EXACT
    }

    /** Whether the server gathers statistics on the newest events, or uses earlier statistics, which are stale. */
    public enum Statistics {
        STALE,
        FRESH
    }

    /**
     * Loads the data set into an empty store of each server, deletes it, and loads it again. The last load is also deleted, unless a later
     * step reads it or indexes were built after it.
     *
     * @param batch events per transaction, for inserts
     * @param connections the connections for inserts; 1 for a bulk load, which opens its own connections
     * @param cycles how often the data set is loaded
     */
    public record Load(
            @Key(standard = "bulk") Way writing,
            @Key(allowed = "1 to 10000", standard = "100") int batch,
            @Key(allowed = "1 to 1000", standard = "1") int connections,
            @Key(standard = "before") Indexing indexing,
            @Key(allowed = "1 to 10000", standard = "1") int cycles,
            @Key(standard = "stale") Statistics statistics)
            implements Step {
        public Load {
            connections = writing == Way.BULK ? 1 : connections;
        }

        /** Loads by the target's fastest way; or like a feeder, where each connection sends a batch once its last batch is acknowledged. */
        public enum Way {
            BULK,
            INSERTS
        }

        /** Whether the indexes are built before the data set is loaded, or one by one after each load. */
        public enum Indexing {
            BEFORE,
            AFTER
        }
    }

    /**
     * Inserts events as fast as possible, with times spread over the window that is searched afterwards, or a millisecond apart.
     *
     * @param batch events per transaction
     */
    public record Feed(
            @Key(allowed = "1 to 100000000") int events,
            @Key(allowed = "1 to 10000", standard = "100") int batch,
            @Key(allowed = "1 to 1000", standard = "1") int connections,
            @Key(standard = "stale") Statistics statistics)
            implements Step {}

    /**
     * Reads results, search by search.
     *
     * @param changes if there are any, follow-ups are measured, each twice from the same state of the caches: without the search that it
     *     follows, and after that search
     * @param matching searches by the names of their steps; if there are any, their whole results are read
     */
    public record Read(
            @Key(standard = "none") Counting count,
            @Key(standard = "sameValues") Passes values,
            @Key(standard = "[]", filled = true) List<Change> changes,
            @Key(standard = "{}", filled = true) SortedMap<String, Match> matching)
            implements Step {
        public Read {
            changes = List.copyOf(changes);
            matching = Collections.unmodifiableSortedMap(new TreeMap<>(matching));
            requireDifferent(changes, "changes");
            Stream<Boolean> asked = Stream.of(
                    count != Counting.NONE, values != Passes.SAME_VALUES, !changes.isEmpty(), !matching.isEmpty());
            String several = "has more than one of count, values, changes and matching (remove the others)";
            require(asked.filter(isAsked -> isAsked).count() <= 1, "", several);
        }

        /**
         * A search that lists events, with values chosen by how many events have them.
         *
         * @param least the fewest events that it must find; {@code leastRatio} is the same as a share of all events
         * @param most the most events that it may find; {@code mostRatio} is the same as a share of all events
         */
        public record Match(
                @Key(allowed = "listing") SearchName search,

                @Key(allowed = "1 to 1000000000", standard = "1")
                long least,

                @Key(allowed = "1 to 1000000000", standard = "1000000000")
                long most,

                @Key(standard = "0") double leastRatio,
                @Key(standard = "1") double mostRatio) {
            public Match {
                require(least <= most, "most", "is less than least (give a larger number)");
                require(leastRatio <= mostRatio, "mostRatio", "is less than leastRatio (give a larger ratio)");
            }

            /** Returns whether the search may find this many of all events. */
            public boolean holds(long matching, long events) {
                double ratio = (double) matching / events;
                return matching >= least && matching <= most && ratio >= leastRatio && ratio <= mostRatio;
            }
        }

        /** Whether passes look for different values, as users do, and form one step; or for the same values, and each pass is a step. */
        public enum Passes {
            OTHER_VALUES,
            SAME_VALUES
        }

        /** A follow-up has one more criterion, from the answer's first row, or a window that lies a hundredth of its length earlier. */
        public enum Change {
            NARROWER,
            WINDOW
        }
    }

    /** Reads single pages of each search, or all pages one after the other, for each of several draws of values. */
    public record Pages(
            Depths depths,
            @Key(standard = "none") WholeResult whole,
            @Key(allowed = "1 to 10000", standard = "1") int draws)
            implements Step {
        public Pages {
            boolean fits = whole == WholeResult.NONE || depths == Depths.Walk.FIRST_TO_LAST;
            String why = "measured needs depths: firstToLast (a whole result is compared with all its pages)";
            require(fits, "whole", why);
        }

        /** Whether the whole result is read before all pages are turned. For hot caches, it is also read once unmeasured. */
        public enum WholeResult {
            NONE,
            MEASURED
        }
    }

    /** Which pages are read. */
    public sealed interface Depths {
        /** Pages by their number, 1 for the first; pages beyond the end of a result are left out. */
        record Listed(
                @Key(value = "depths", allowed = "1 to 1000000000", filled = true)
                List<Long> numbers) implements Depths {
            public Listed {
                numbers = List.copyOf(numbers);
            }
        }

        /** Pages by their position: the last one, or all. */
        enum Walk implements Depths {
            LAST,
            FIRST_TO_LAST,
            LAST_TO_FIRST
        }
    }

    /**
     * Users work on jobs of many items, one job after the other. An item is a list of searches for one session; all items of a job are
     * submitted at once, and each server processes some at a time.
     *
     * @param levels how many items each job has, all different
     * @param itemSearches how many searches an item has
     * @param inFlight concurrent items on each server
     */
    public record Items(
            @Key(allowed = "1 to 100000", filled = true) List<Integer> levels,
            @Key(allowed = "1 to 10000", standard = "192") int itemSearches,
            @Key(allowed = "1 to 10000", standard = "20") int inFlight)
            implements Step {
        public Items {
            levels = List.copyOf(levels);
            requireDifferent(levels, "levels");
        }
    }

    /**
     * Users who execute transactions of the scenario's own statements as fast as they can for a fixed time, in tables that the scenario
     * creates. Afterwards the scenario's invariants must hold. Immutable.
     *
     * @param scale factor of all sizes given as a single number
     * @param values of the parameters of statements except {@link #ID}
     * @param setup creates the tables and their rows, in this order; a parameter with a range is replaced by the end of the range
     * @param bytes the approximate size of the tables on disk at this scale; 0 if the scenario does not say
     * @param transactions the transactions by the name of their class of users
     * @param committed the rows that acknowledged transactions must leave; empty for transactions that only read
     * @param invariants queries by name, all of which must return the same number
     * @param classes the share of each class in the users
     * @param warmup the time before the measurement; transactions that end in the warm-up count only for the invariants
     * @param crash the part of the duration after which the server is killed and restarted; empty for never
     */
    public record Transactions(
            @Key(allowed = "1 to 1000000000", standard = "1")
            long scale,

            @Key(standard = "{}") SortedMap<String, StatementPlan.Values> values,
            @Key(allowed = "setup", filled = true) List<StatementText> setup,

            @Key(allowed = "0 to 1000000000000", standard = "0")
            long bytes,

            SortedMap<String, Transaction> transactions,
            Optional<Committed> committed,
            @Key(standard = "{}") SortedMap<String, List<StatementText>> invariants,
            @Key(allowed = "1 to 1000") SortedMap<String, Integer> classes,
            @Key(allowed = "1 to 100000") int users,
            @Key(allowed = "0s to 1d", standard = "0s") Duration warmup,
            @Key(allowed = "1s to 30d") Duration duration,
            @Key(allowed = "1ms to 30d") Optional<Duration> crash)
            implements Step {
        /** The parameter with a different value in each row of the run, by which rows are looked up afterwards. */
        public static final String ID = "id";

        public Transactions {
            bytes *= scale;
            Map<String, String> ends = new HashMap<>();
            values.forEach((name, some) -> {
                if (some instanceof StatementPlan.Values.Range numbers) {
                    ends.put(name, Long.toString(numbers.to()));
                }
            });
            requireKnown("setup", setup, ends.keySet(), "is not a range of numbers in procedure.values");
            setup = setup.stream()
                    .map(one -> StatementText.parse(one.written(code -> code, name -> ends.getOrDefault(name, name))))
                    .toList();
            Set<String> known = new HashSet<>(values.keySet());
            known.add(ID);
            String unknown = "has no values (give them in procedure.values; only :id needs none)";
            committed.ifPresent(one -> requireKnown("committed", one.find(), known, unknown));
            SortedMap<String, Transaction> written = transactions;
            String there = " (known: " + String.join(", ", written.keySet()) + ")";
            transactions = new TreeMap<>(written);
            transactions.replaceAll((name, one) -> {
                Transaction of = one.like().isEmpty()
                        ? one
                        : written.getOrDefault(one.like(), new Transaction("", List.of(), 1));
                String none = "has no statements, and its key like does not name a transaction with statements" + there;
                require(!of.statements().isEmpty(), "transactions." + name, none);
                requireKnown("transactions", of.statements(), known, unknown);
                return new Transaction("", of.statements(), one.rows());
            });
            classes.keySet()
                    .forEach(name ->
                            require(written.containsKey(name), "classes." + name, "is not a transaction" + there));
            String few = " users cannot fill " + classes.size() + " classes (give more users, or fewer classes)";
            require(users >= classes.size() && !classes.isEmpty(), "users", users + few);
            String late = " is not before the end of the measured time, " + Durations.format(duration);
            crash.ifPresent(after -> require(after.compareTo(duration) < 0, "crash", Durations.format(after) + late));
        }

        private static void requireKnown(String key, List<StatementText> statements, Set<String> known, String why) {
            statements.stream()
                    .flatMap(statement -> statement.parameters().stream())
                    .forEach(parameter -> require(known.contains(parameter), key, ":" + parameter + " " + why));
        }

        /** Returns how many users each class has, at least one. */
        public SortedMap<String, Integer> usersByClass() {
            List<Integer> spread = LoadModel.spread(users, new ArrayList<>(classes.values()));
            SortedMap<String, Integer> byClass = new TreeMap<>();
            classes.keySet().forEach(name -> byClass.put(name, spread.get(byClass.size())));
            return byClass;
        }

        /**
         * A transaction.
         *
         * @param like the name of another transaction with the same statements; empty if it has its own
         * @param statements the statements; each is executed for all rows, in the order of its last parameter, before the next statement
         *     begins, so that rows are always locked in the same order
         * @param rows how many rows of values are drawn for each transaction, 1 or more
         */
        public record Transaction(
                @Key(standard = Key.NOTHING) String like,
                @Key(standard = "[]") List<StatementText> statements,
                @Key(allowed = "1 to 10000", standard = "1") int rows) {
            public Transaction {
                statements = List.copyOf(statements);
            }

            /** Returns whether the transaction has rows that must exist afterwards. */
            public boolean writes() {
                return statements.stream().anyMatch(one -> one.parameters().contains(ID));
            }
        }

        /**
         * The rows by which committed transactions are found.
         *
         * @param name what rows with an id are called: {@code withdrawals}
         * @param count returns how many of these rows there are
         * @param find a transaction whose last statement returns a number above 0 if the row exists; earlier ones wait for locks on it
         */
        public record Committed(
                String name,
                StatementText count,
                @Key(filled = true) List<StatementText> find) {
            public Committed {
                find = List.copyOf(find);
            }
        }

        /** Returns the number of users, each of whom has one connection. */
        @Override
        public int connections() {
            return users;
        }
    }
}
