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

/** What one person does with a database, step by step, without anybody beside unless it says so. Immutable. */
public sealed interface Procedure
        permits Procedure.Searching, Procedure.Load, Procedure.Indexes, Procedure.Transactions, Ingest {

    /** The kinds there are. */
    enum Kind {
        LOAD,
        INDEXES,
        READ,
        DEPTH,
        FOLLOWUPS,
        FEED,
        STALE,
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
        return true;
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

    /** Searches, and changes nothing. */
    sealed interface OnlyReading extends Searching {
        @Override
        default boolean writes() {
            return false;
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

    /**
     * Loads the data set into a store that has its indexes already, deletes it, and loads it again.
     *
     * @param cycles how often, 1 or more
     */
    record Load(int cycles) implements Procedure {
        @Override
        public boolean startsEmpty() {
            return true;
        }
    }

    /**
     * Loads the data set without indexes, then builds each index of the set.
     *
     * @param cycles how often, 1 or more
     */
    record Indexes(int cycles) implements Procedure {
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
            implements InOneOrder, OnlyReading {}

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
            implements InOneOrder, OfPages, OnlyReading {}

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
            implements InOneOrder, OnlyReading {
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

    /**
     * Inserts events as fast as it can, then reads first pages.
     *
     * @param events how many, 1 or more
     * @param batch events a transaction, 1 or more
     * @param connections that insert, 1 or more
     */
    record Feed(SearchSet searchSet, Order order, int pageSize, int passes, int events, int batch, int connections)
            implements InOneOrder, OfPages {}

    /**
     * Inserts events that are newer than all that the server's statistics know of, then searches for them.
     *
     * @param searchSet its window ends after the newest fed event
     * @param events how many, 1 or more
     */
    record Stale(
            SearchSet searchSet, Order order, int pageSize, int passes, int events, int batch, Statistics statistics)
            implements InOneOrder, OfPages {}

    /**
     * Some users turn first pages in a closed loop: before, beside and after one search for everything, which is
     * cancelled.
     *
     * @param users how many, 1 or more
     * @param part how long each of the three parts takes
     */
    record Noisy(SearchSet searchSet, Order order, int pageSize, int users, Duration part)
            implements InOneOrder, OfPages, OnlyReading {
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
            implements InOneOrder, OfPages, OnlyReading {
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
     * Users who withdraw from accounts, or look at them, as fast as they can for a fixed time; then the books must balance. It
     * makes the accounts itself.
     *
     * @param accounts a multiple of 10,000
     * @param users how many of each class, at least one in all
     * @param warmup transactions that end in it count in the books alone
     * @param duration how long is measured
     * @param crash after how much of the duration the server is killed and started again; empty for never
     */
    record Transactions(
            long accounts,
            SortedMap<UserClass, Integer> users,
            Duration warmup,
            Duration duration,
            Optional<Duration> crash)
            implements Procedure {
        public Transactions {
            users = Collections.unmodifiableSortedMap(new TreeMap<>(users));
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
