package siemload.database.contract;

import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import siemload.database.server.Portions;
import siemload.query.Criterion;
import siemload.query.Criterion.AddressFigured;
import siemload.query.Criterion.AnyOf;
import siemload.query.Criterion.DescriptionIs;
import siemload.query.Criterion.Missing;
import siemload.query.Criterion.PortBetween;
import siemload.query.Criterion.PortUsed;
import siemload.query.Criterion.TextContains;
import siemload.query.EventSide;
import siemload.query.Page;
import siemload.query.Search;
import siemload.query.Window;

/** What is wrong with a {@link Mutant}, and the contract that must notice. */
enum Fault {
    DROPS_A_ROW(RandomContract.class) {
        @Override
        void change(List<MutantSession.Kept> rows) {
            if (rows.size() > 1) {
                rows.remove(rows.size() / 2);
            }
        }
    },
    SWAPS_TWO_ROWS(SearchContract.class) {
        @Override
        void change(List<MutantSession.Kept> rows) {
            if (rows.size() > 1) {
                Collections.swap(rows, rows.size() - 1, rows.size() - 2);
            }
        }
    },
    REPEATS_A_ROW(SearchContract.class) {
        @Override
        void change(List<MutantSession.Kept> rows) {
            if (rows.size() > 1) {
                rows.set(1, rows.get(0));
            }
        }
    },
    STOPS_AFTER_A_PORTION(LargePageContract.class) {
        @Override
        void change(List<MutantSession.Kept> rows) {
            if (rows.size() > Portions.LARGEST_AT_ONCE) {
                rows.subList(Portions.ROWS, rows.size()).clear();
            }
        }
    },
    IGNORES_THE_END_OF_THE_WINDOW(SearchContract.class) {
        @Override
        Search change(Search search) {
            return in(search, new Window(search.window().from(), Window.ALWAYS.until()));
        }
    },
    INCLUDES_THE_END_OF_THE_WINDOW(SearchContract.class) {
        @Override
        Search change(Search search) {
            Window window = search.window();
            return window.isAlways()
                    ? search
                    : in(search, new Window(window.from(), window.until().plusNanos(1_000)));
        }
    },
    FORGETS_A_CONDITION(SearchContract.class) {
        @Override
        Search change(Search search) {
            int fewer = Math.max(0, search.criteria().size() - 1);
            return new Search(
                    search.name(), search.window(), search.criteria().subList(0, fewer), search.order(), search.page());
        }
    },
    LOOKS_FOR_ADDRESSES_ON_BOTH_SIDES(SearchContract.class) {
        @Override
        Search change(Search search) {
            return with(
                    search,
                    criterion -> criterion instanceof AddressFigured figured
                            ? new AddressFigured(figured.anyOf())
                            : criterion);
        }
    },
    LOOKS_FOR_PORTS_ON_BOTH_SIDES(SearchContract.class) {
        @Override
        Search change(Search search) {
            return with(
                    search, criterion -> criterion instanceof PortUsed used ? new PortUsed(used.port()) : criterion);
        }
    },
    MEETS_ONLY_THE_FIRST_ALTERNATIVE(SearchContract.class) {
        @Override
        Search change(Search search) {
            return search.with(search.criteria().stream()
                    .flatMap(criterion ->
                            criterion instanceof AnyOf anyOf ? anyOf.groups().get(0).stream() : Stream.of(criterion))
                    .toList());
        }
    },
    LEAVES_THE_LAST_PORT_OF_A_RANGE_OUT(SearchContract.class) {
        @Override
        Search change(Search search) {
            return with(
                    search,
                    criterion -> criterion instanceof PortBetween between && between.first() < between.last()
                            ? new PortBetween(between.first(), between.last() - 1, between.side())
                            : criterion);
        }
    },
    MISSES_THINGS_ON_BOTH_SIDES(SearchContract.class) {
        @Override
        Search change(Search search) {
            return with(
                    search,
                    criterion -> criterion instanceof Missing missing
                            ? new Missing(missing.part(), EventSide.EITHER)
                            : criterion);
        }
    },
    FINDS_PARTS_OF_DESCRIPTIONS(SearchContract.class) {
        @Override
        Search change(Search search) {
            return with(
                    search,
                    criterion -> criterion instanceof DescriptionIs is ? new TextContains(is.text()) : criterion);
        }
    },
    READS_ONE_ROW_TOO_FEW(PagingContract.class) {
        @Override
        Search change(Search search) {
            boolean cut = search.page() instanceof Page.Numbered page && page.size() > 1 && page.number() == 1;
            return cut ? search.with(new Page.Numbered(((Page.Numbered) search.page()).size() - 1, 1)) : search;
        }
    },
    COUNTS_ONE_TOO_MANY(SearchContract.class) {
        @Override
        long change(long count) {
            return count + 1;
        }
    },
    STORES_ONLY_THE_FIRST_OF_A_BATCH(SinkContract.class),
    LOSES_THE_LEAST_FREQUENT_VALUE(SummaryContract.class),
    SUMS_UP_WHAT_MEETS_NO_CONDITION(SummaryContract.class),
    TELLS_THE_HOURS_OF_ANOTHER_ZONE(SummaryContract.class),
    TELLS_THE_NETWORKS_OF_SOURCES(SummaryContract.class),
    TURNS_A_CURSOR_ROUND(CursorContract.class),
    HIDES_HOW_EVENTS_WERE_FOUND(PlanContract.class),
    GIVES_EACH_RUN_THE_SAME_COPY(CopyContract.class),
    KEEPS_WHAT_A_READING_RUN_WRITES(ReadContract.class),
    GIVES_RUNS_OF_ONE_NAME_THE_SAME_COPY(ConcurrencyContract.class),
    KEEPS_NOTHING_THAT_SEVERAL_LOAD(SharedLoadContract.class),
    GIVES_WHO_JOINS_ANOTHER_COPY(SharedLoadContract.class),
    DELETES_NOTHING(MaintenanceContract.class),
    NEVER_FORGETS_AN_INDEX(SizesContract.class),
    NAMES_A_STATEMENT_THAT_NOBODY_COUNTS(ServerTimeContract.class),
    COUNTS_TWO_SEARCHES_AS_ONE(ServerTimeContract.class),
    COUNTS_THE_TIME_OF_OTHERS(ServerTimeContract.class),
    TAKES_ONLY_THE_FIRST_WITHDRAWAL(AccountsContract.class),
    STORES_NOTHING_OF_A_TREND_THAT_HAS_LINES(TrendContract.class),
    STORES_NO_LAST_HOUR_OF_A_TREND(TrendContract.class),
    CANNOT_BE_CANCELLED(StopContract.class);

    static final Set<Fault> OF_ROWS = EnumSet.of(DROPS_A_ROW, SWAPS_TWO_ROWS, REPEATS_A_ROW, STOPS_AFTER_A_PORTION);

    private final Class<?> contract;

    Fault(Class<?> contract) {
        this.contract = contract;
    }

    Class<?> contract() {
        return contract;
    }

    void change(List<MutantSession.Kept> rows) {}

    Search change(Search search) {
        return search;
    }

    long change(long count) {
        return count;
    }

    private static Search with(Search search, UnaryOperator<Criterion> change) {
        return new Search(
                search.name(),
                search.window(),
                search.criteria().stream().map(change).toList(),
                search.order(),
                search.page());
    }

    private static Search in(Search search, Window window) {
        return new Search(search.name(), window, search.criteria(), search.order(), search.page());
    }
}
