package siemload.run;

import java.util.Locale;
import java.util.Optional;
import siemload.database.IndexSet;
import siemload.query.Page;
import siemload.query.Paging;
import siemload.query.SearchCatalog;
import siemload.query.SearchName;
import siemload.scenario.CacheState;
import siemload.scenario.Ingest;
import siemload.scenario.Procedure;
import siemload.scenario.Procedure.Depths;
import siemload.scenario.Procedure.SearchSet;

/**
 * About how long a procedure takes, from the number of events: what people want to know before they start one. The times of an
 * event are those of the embedded server on two processors, and the shares of searches those of the generated data sets;
 * another machine, database or recording may take several times as long, or a part of it. Immutable.
 *
 * @param events of the data set
 * @param catalog says which share of them searches find
 */
record ProcedureTime(long events, IndexSet indexes, Paging paging, SearchCatalog catalog) {
    private static final double MICRO = 1e-6;
    /** To read, receive and take an event of a result. */
    private static final double READ_MICROS = 12;
    /** To count an event that is found, or to pass over one that an offset leaves out. */
    private static final double SKIP_MICROS = 1.5;
    /** What each event of the data set costs each address of a list, whether or not it has it. */
    private static final double ADDRESS_MICROS = 0.12;
    /** To ask for a page, whatever is found. */
    private static final double SEARCH_MICROS = 700;
    /**
     * What each event of the data set costs the first page of a search, on the average of those of audits: 192 of them took 2.6 s of
     * one processor with 200,000 events.
     */
    private static final double SEARCHED_MICROS = 0.065;

    private static final int PROCESSORS = 2;
    /** To load an event without indexes, and what each index set costs more. */
    private static final double LOAD_MICROS = 7;

    private static final double INDEXED_LOAD_MICROS = 80;
    private static final double BUILD_MICROS = 25;
    private static final double DELETE_MICROS = 12;
    private static final double INSERT_MICROS = 300;
    /** To make an account with its key, and to add it up at the end. */
    private static final double ACCOUNT_MICROS = 3;

    private static final double RESTART_SECONDS = 6;
    private static final double CERTIFICATE_SECONDS = 60;

    /** Seconds, without getting ready. */
    double of(Procedure procedure) {
        if (procedure instanceof Procedure.Read read) {
            double once = whole(read.searchSet(), read.page());
            double counted = read.counting() == Procedure.Counting.EXACT ? found(read.searchSet()) * SKIP_MICROS : 0;
            int unmeasured = read.caches() == CacheState.HOT ? 1 : 0;
            return ((read.passes() + unmeasured) * once + read.passes() * counted) * MICRO
                    + read.passes() * read.searchSet().searches().size() * restart(read.caches());
        }
        if (procedure instanceof Procedure.Depth depth) {
            return depth(depth);
        }
        if (procedure instanceof Procedure.FollowUps asked) {
            int pairs = asked.passes() * asked.changes().size();
            return pairs
                    * (3 * whole(asked.searchSet(), asked.page()) * MICRO
                            + 2 * asked.searchSet().searches().size() * restart(asked.caches()));
        }
        if (procedure instanceof Procedure.Load load) {
            double micros = LOAD_MICROS + DELETE_MICROS + (isIndexed() ? INDEXED_LOAD_MICROS : 0);
            return (load.cycles() * micros + LOAD_MICROS) * events * MICRO;
        }
        if (procedure instanceof Procedure.Indexes built) {
            double micros = LOAD_MICROS + (isIndexed() ? BUILD_MICROS : 0);
            return (built.cycles() * micros + LOAD_MICROS) * events * MICRO;
        }
        if (procedure instanceof Procedure.Noisy noisy) {
            return 3.0 * noisy.part().toSeconds();
        }
        if (procedure instanceof Procedure.Jobs jobs) {
            return jobs(jobs);
        }
        if (procedure instanceof Procedure.Feed feed) {
            return feed.events() * INSERT_MICROS * MICRO;
        }
        if (procedure instanceof Procedure.Stale stale) {
            return stale.events() * INSERT_MICROS * MICRO;
        }
        if (procedure instanceof Procedure.Transactions transactions) {
            return transactions.accounts() * ACCOUNT_MICROS * MICRO
                    + transactions.warmup().toSeconds()
                    + transactions.duration().toSeconds();
        }
        if (procedure instanceof Ingest ingest) {
            return ingest(ingest);
        }
        return CERTIFICATE_SECONDS;
    }

    /** Of the embedded servers one machine does all the work. To choose the values takes about as long as to make the events. */
    private double ingest(Ingest ingest) {
        double write = ingest.writing().way() == Ingest.Way.INSERTS
                ? INSERT_MICROS
                : LOAD_MICROS + (isIndexed() ? INDEXED_LOAD_MICROS : 0);
        double read = ingest.matching().values().stream()
                .mapToDouble(name -> events * catalog.get(name).share(1) * (READ_MICROS + SKIP_MICROS))
                .sum();
        return ((2 * LOAD_MICROS + ingest.servers() * write) * events + ingest.servers() * ingest.passes() * read)
                * MICRO;
    }

    /** Two processors work on two items at a time, however many more are in flight. */
    private double jobs(Procedure.Jobs jobs) {
        int most = Math.min(PROCESSORS, jobs.inFlight() * jobs.servers());
        double turns = jobs.levels().stream()
                .mapToDouble(level -> (double) level / Math.min(level, most))
                .sum();
        return jobs.passes() * turns * jobs.itemSearches() * searchMicros(jobs) * MICRO;
    }

    /** Of one processor, on the average. */
    private double searchMicros(Procedure.Jobs jobs) {
        double read = jobs.searchSet().searches().stream()
                .mapToDouble(name -> Math.min(jobs.pageSize(), rows(name, jobs.searchSet())) * READ_MICROS)
                .average()
                .orElse(0);
        return SEARCH_MICROS + events * SEARCHED_MICROS + read;
    }

    /** What the time is reckoned by, for people, where no setting bounds it; empty for all but jobs, which last until all is answered. */
    Optional<String> assumption(Procedure procedure) {
        if (!(procedure instanceof Procedure.Jobs jobs)) {
            return Optional.empty();
        }
        long items = jobs.levels().stream().mapToLong(Integer::longValue).sum() * jobs.passes();
        return Optional.of(String.format(
                Locale.ROOT,
                "jobs last until all is answered: %,d searches a run, reckoned at %.1f ms each of one of %d processors",
                items * jobs.itemSearches(),
                searchMicros(jobs) / 1000,
                PROCESSORS));
    }

    private double depth(Procedure.Depth depth) {
        boolean offset = paging == Paging.OFFSET;
        double seconds = depth.passes() * depth.searchSet().searches().size() * restart(depth.caches());
        for (SearchName name : depth.searchSet().searches()) {
            double rows = rows(name, depth.searchSet());
            double pages = Math.max(1, rows / depth.pageSize());
            double page = Math.min(rows, depth.pageSize()) * READ_MICROS;
            double micros;
            if (depth.depths() instanceof Depths.Pages numbers) {
                micros = numbers.numbers().size() * page;
            } else if (depth.depths() instanceof Depths.LastPage) {
                micros = page + (offset ? rows * SKIP_MICROS : 0);
            } else {
                micros = rows * READ_MICROS + (offset ? pages * rows / 2 * SKIP_MICROS : 0);
            }
            boolean whole = depth.whole() == Procedure.WholeResult.MEASURED;
            boolean twice = depth.caches() == CacheState.HOT && !whole;
            micros += rows * SKIP_MICROS + (whole ? 2 * rows * READ_MICROS : 0) + (twice ? micros : 0);
            seconds += depth.passes() * micros * MICRO;
        }
        return seconds;
    }

    private static double restart(CacheState caches) {
        return switch (caches) {
            case COLD, LUKEWARM -> RESTART_SECONDS;
            case AS_FOUND, HOT -> 0;
        };
    }

    private boolean isIndexed() {
        return indexes != IndexSet.NONE;
    }

    /** Microseconds of all searches once. */
    private double whole(SearchSet searchSet, Page page) {
        return searchSet.searches().stream()
                .mapToDouble(name -> {
                    double rows = page instanceof Page.Numbered first
                            ? Math.min(first.size(), rows(name, searchSet))
                            : rows(name, searchSet);
                    int addresses = catalog.get(name).hasList() ? searchSet.listLength() : 1;
                    return rows * READ_MICROS + events * addresses * ADDRESS_MICROS;
                })
                .sum();
    }

    private double found(SearchSet searchSet) {
        return searchSet.searches().stream()
                .mapToDouble(name -> rows(name, searchSet))
                .sum();
    }

    /** How many events a search finds. */
    private double rows(SearchName name, SearchSet searchSet) {
        return events * catalog.get(name).share(searchSet.listLength());
    }
}
