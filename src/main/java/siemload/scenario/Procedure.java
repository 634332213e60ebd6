package siemload.scenario;

import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import siemload.dataset.Popularity;
import siemload.query.Order;
import siemload.query.Page;
import siemload.query.SearchName;
import siemload.query.StatementText;

/** What one person does with a database, step by step, without anybody beside unless it says so. Immutable. */
public sealed interface Procedure permits Procedure.Searching, Procedure.Load, Procedure.Transactions, Ingest {

    /** The kinds there are. */
    enum Kind {
        LOAD,
        READ,
        DEPTH,
        FOLLOWUPS,
        FEED,
        NOISY,
        JOBS,
        CERTIFICATE,
        TRANSACTIONS,
        INGEST;

        /** As it is written in a file. */
        public String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Whether the run begins with an empty store: the procedure itself loads the data set. */
    default boolean startsEmpty() {
        return false;
    }

    /** Whether it adds, changes or deletes events or indexes. */
    default boolean writes() {
        return !(this instanceof Searching) || this instanceof Feed || this instanceof Certificate;
    }

    /** What the caches hold before each step. */
    default CacheState caches() {
        return CacheState.AS_FOUND;
    }

    /** What is searched for; empty where nothing is. */
    default Optional<SearchSet> searching() {
        return Optional.empty();
    }

    /** How many connections write, 1 or more. */
    default int connections() {
        return 1;
    }

    /** How many search at once on one server, 1 or more. */
    default int searchers() {
        return 1;
    }

    /** How many servers it works with, 1 or more. */
    default int servers() {
        return 1;
    }

    /** Searches, and reads what it finds. */
    sealed interface Searching extends Procedure {
        SearchSet searchSet();

        @Override
        default Optional<SearchSet> searching() {
            return Optional.of(searchSet());
        }

        /** The orders in which it reads, one or both. */
        List<Order> orders();

        /** The whole result, or its first page. */
        Page page();
    }

    /** Searches in one order. */
    sealed interface InOneOrder extends Searching {
        Order order();

        @Override
        default List<Order> orders() {
            return List.of(order());
        }
    }

    /** Reads pages of a certain size. */
    sealed interface OfPages extends Searching {
        /** Rows a page, 1 or more. */
        int pageSize();

        @Override
        default Page page() {
            return new Page.Numbered(pageSize(), 1);
        }
    }

    /** Whether the rows of a search are counted, too. */
    enum Counting {
        NONE,
        /** By the search's own conditions, after it was read. */
        EXACT
    }

    /** Whether the whole result is read beside its pages. */
    enum WholeResult {
        NONE,
        /** Before all pages are turned; once more where caches are hot, which is not measured. */
        MEASURED
    }

    /** What the server knows about the distribution of the data. */
    enum Statistics {
        /** What it knew before the newest events came. */
        STALE,
        /** Gathered after they came. */
        FRESH
    }

    /**
     * What is searched for.
     *
     * @param searches at least one, each once
     * @param listLength how many addresses a search for a list gets, 1 to 10,000
     * @param searched the name of values that the data set has, which take the place of drawn ones and of the window; or {@link
     *     siemload.dataset.EventSource#DRAWN}
     */
    record SearchSet(
            List<SearchName> searches, WindowLength window, Popularity popularity, int listLength, String searched) {
        public SearchSet {
            searches = List.copyOf(searches);
        }
    }

    /** When the indexes of a set are built. */
    enum Indexing {
        /** Before the data set is loaded. */
        BEFORE,
        /** After each load, one by one. */
        AFTER
    }

    /**
     * Loads the data set, deletes it, and loads it again.
     *
     * @param cycles how often, 1 or more
     */
    record Load(Indexing indexing, int cycles) implements Procedure {
        @Override
        public boolean startsEmpty() {
            return true;
        }
    }

    /**
     * Reads results, search by search.
     *
     * @param page the whole result, or its first page
     * @param passes how often each search is measured, 1 or more
     */
    record Read(SearchSet searchSet, Order order, Page page, Counting counting, int passes, CacheState caches)
            implements InOneOrder {}

    /**
     * Reads single pages, or all pages one after the other.
     *
     * @param pageSize rows a page, 1 or more
     */
    record Depth(
            SearchSet searchSet,
            Order order,
            int pageSize,
            Depths depths,
            WholeResult whole,
            int passes,
            CacheState caches)
            implements InOneOrder, OfPages {}

    /** In what a follow-up differs from the search before it. */
    enum Change {
        /** It has one condition more, from the first row of the answer. */
        NARROWER,
        /** Its window lies a hundredth of its length earlier. */
        WINDOW
    }

    /**
     * Asks each follow-up twice, the caches being in the same state: first of all, and after the search that it follows.
     *
     * @param changes at least one, each once
     * @param page the whole result, or its first page
     */
    record FollowUps(SearchSet searchSet, Order order, Page page, List<Change> changes, int passes, CacheState caches)
            implements InOneOrder {
        public FollowUps {
            changes = List.copyOf(changes);
        }
    }

    /** Which pages are read. */
    sealed interface Depths {
        /** Pages by their number, 1 for the first; those that a result does not have are left out. */
        record Pages(List<Long> numbers) implements Depths {
            public Pages {
                numbers = List.copyOf(numbers);
            }
        }

        /** The last page alone. */
        record LastPage() implements Depths {}

        /** All pages, from the first to the last. */
        record FirstToLast() implements Depths {}

        /** All pages, from the last to the first. */
        record LastToFirst() implements Depths {}
    }

    /** What the passes of a search look for. */
    enum Passes {
        /** Each for other values, as users do: their times are one step. */
        OTHER_VALUES,
        /** All for the same: each pass is a step. */
        SAME_VALUES
    }

    /**
     * Inserts events as fast as it can, then reads first pages.
     *
     * @param searchSet its window ends after the newest fed event; fed events lie all over it unless it is everything
     * @param events how many, 1 or more
     * @param batch events a transaction, 1 or more
     * @param connections that insert, 1 or more
     */
    record Feed(
            SearchSet searchSet,
            Order order,
            int pageSize,
            int passes,
            Passes values,
            int events,
            int batch,
            int connections,
            Statistics statistics)
            implements InOneOrder, OfPages {}

    /**
     * Some users turn first pages in a closed loop: before, beside and after one search for everything, which is
     * cancelled.
     *
     * @param users how many, 1 or more
     * @param part how long each of the three parts takes
     */
    record Noisy(SearchSet searchSet, Order order, int pageSize, int users, Duration part)
            implements InOneOrder, OfPages {
        @Override
        public int searchers() {
            return users + 1;
        }
    }

    /**
     * Submits jobs of many items, one job after the other. An item is a list of searches for one session; all items of a job
     * are submitted at once, and so many are worked on at a time on each server.
     *
     * @param levels how many items each job has, 1 or more each, all different
     * @param itemSearches how many searches an item has, 1 or more
     * @param inFlight items at work at once on each server, 1 or more
     * @param servers how many servers share the items, 1 or more
     * @param passes how often each level is submitted, 1 or more
     */
    record Jobs(
            SearchSet searchSet,
            Order order,
            int pageSize,
            List<Integer> levels,
            int itemSearches,
            int inFlight,
            int servers,
            int passes)
            implements InOneOrder, OfPages {
        public Jobs {
            levels = List.copyOf(levels);
        }

        @Override
        public int searchers() {
            return inFlight;
        }
    }

    /**
     * Finds out all that must not change from one run to the next: answers, plans, blocks, and the log of inserts.
     *
     * @param orders each of them is tried
     * @param draws how many values of each search are tried, 1 or more
     * @param events fed at the end, 1 or more
     */
    record Certificate(SearchSet searchSet, List<Order> orders, int pageSize, int draws, int events, int batch)
            implements OfPages {
        public Certificate {
            orders = List.copyOf(orders);
        }
    }

    /**
     * Users who do transactions of the scenario's own statements as fast as they can for a fixed time, in tables that the scenario
     * makes; then its invariants must hold. Immutable.
     *
     * @param setup makes the tables and their rows, in this order
     * @param bytes what they take on disk, about; 0 where the scenario does not say
     * @param values of the parameters of statements but {@link #ID}
     * @param classes what users of a class do, over and over
     * @param committed what must be there of transactions that were acknowledged; empty for transactions that only read
     * @param invariants queries by what they give, all of which must give the same number
     * @param users how many of each class, at least one in all
     * @param warmup transactions that end in it count for the invariants alone
     * @param duration how long is measured
     * @param crash after how much of the duration the server is killed and started again; empty for never
     */
    record Transactions(
            List<StatementText> setup,
            long bytes,
            SortedMap<String, StatementValues> values,
            SortedMap<String, Transaction> classes,
            Optional<Committed> committed,
            SortedMap<String, List<StatementText>> invariants,
            SortedMap<String, Integer> users,
            Duration warmup,
            Duration duration,
            Optional<Duration> crash)
            implements Procedure {
        /** The parameter whose value is another one in each row of the run: what is looked for afterwards. */
        public static final String ID = "id";

        public Transactions {
            setup = List.copyOf(setup);
            values = Collections.unmodifiableSortedMap(new TreeMap<>(values));
            classes = Collections.unmodifiableSortedMap(new TreeMap<>(classes));
            invariants = Collections.unmodifiableSortedMap(new TreeMap<>(invariants));
            users = Collections.unmodifiableSortedMap(new TreeMap<>(users));
        }

        /**
         * What is done between begin and commit.
         *
         * @param statements each is executed for every row before the next one, in the order of its last parameter: so rows are locked in
         *     one order
         * @param rows how many rows of values are drawn for each transaction, 1 or more
         */
        public record Transaction(List<StatementText> statements, int rows) {
            public Transaction {
                statements = List.copyOf(statements);
            }

            /** Whether its rows must be there afterwards. */
            public boolean writes() {
                return statements.stream().anyMatch(one -> one.parameters().contains(ID));
            }
        }

        /**
         * What is left of transactions that were committed.
         *
         * @param name what a row with an id is: {@code withdrawals}
         * @param count gives how many there are
         * @param find a transaction whose last statement tells whether the row with an id is there, by a number above 0; those before it wait
         *     for whoever is still at it
         */
        public record Committed(String name, StatementText count, List<StatementText> find) {
            public Committed {
                find = List.copyOf(find);
            }
        }

        @Override
        public boolean startsEmpty() {
            return true;
        }

        /** One for each user. */
        @Override
        public int connections() {
            return users.values().stream().mapToInt(Integer::intValue).sum();
        }
    }
}
