package siemload.database.contract;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import siemload.database.Abilities;
import siemload.database.CounterReading;
import siemload.database.Counters;
import siemload.database.DatasetKey;
import siemload.database.DatasetLoad;
import siemload.database.EmbeddedOptions;
import siemload.database.EmbeddedServer;
import siemload.database.EventSink;
import siemload.database.Hint;
import siemload.database.IndexSet;
import siemload.database.Maintenance;
import siemload.database.Plan;
import siemload.database.ResultCursor;
import siemload.database.RowReader;
import siemload.database.SearchSession;
import siemload.database.ServerAddress;
import siemload.database.StatementSource;
import siemload.database.StatementTime;
import siemload.database.Store;
import siemload.database.Target;
import siemload.database.TargetOptions;
import siemload.database.TargetPlugin;
import siemload.database.Transport;
import siemload.database.Variant;
import siemload.database.memory.MemoryPlugin;
import siemload.database.server.Portions;
import siemload.query.Order;
import siemload.query.Page;
import siemload.query.PageClass;
import siemload.query.Paging;
import siemload.query.Search;
import siemload.query.Summary;
import siemload.query.Window;

/** The reference with one fault or none, to see that the contract notices it. */
final class Mutant implements TargetPlugin {
    private final TargetPlugin healthy = new MemoryPlugin();
    private final Optional<Fault> fault;
    private final Optional<Target> server;

    /** @param contract the one that it is made for: where several connect at once, they find the same server */
    Mutant(Class<?> contract, Optional<Fault> fault) {
        this.fault = fault;
        TargetOptions options = new TargetOptions(
                new Variant("plain", IndexSet.NONE, Hint.NONE, Paging.OFFSET), ContractSubject.TIMEOUT, 1);
        this.server = Stream.of(ConcurrencyContract.class, ReadContract.class)
                .filter(contract::equals)
                .findFirst()
                .map(several -> mutant(healthy.connect(new ServerAddress("", "", ""), options)));
    }

    /** What is wrong with it, and the contract that must notice. */
    enum Fault {
        DROPS_A_ROW(RandomContract.class) {
            @Override
            void change(List<Kept> rows) {
                if (rows.size() > 1) {
                    rows.remove(rows.size() / 2);
                }
            }
        },
        SWAPS_TWO_ROWS(SearchContract.class) {
            @Override
            void change(List<Kept> rows) {
                if (rows.size() > 1) {
                    Collections.swap(rows, rows.size() - 1, rows.size() - 2);
                }
            }
        },
        REPEATS_A_ROW(SearchContract.class) {
            @Override
            void change(List<Kept> rows) {
                if (rows.size() > 1) {
                    rows.set(1, rows.get(0));
                }
            }
        },
        STOPS_AFTER_A_PORTION(LargePageContract.class) {
            @Override
            void change(List<Kept> rows) {
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
                        search.name(),
                        search.window(),
                        search.criteria().subList(0, fewer),
                        search.order(),
                        search.page());
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
        TURNS_A_CURSOR_ROUND(CursorContract.class),
        HIDES_HOW_EVENTS_WERE_FOUND(PlanContract.class),
        GIVES_EACH_RUN_THE_SAME_COPY(CopyContract.class),
        KEEPS_WHAT_A_READING_RUN_WRITES(ReadContract.class),
        GIVES_RUNS_OF_ONE_NAME_THE_SAME_COPY(ConcurrencyContract.class),
        DELETES_NOTHING(MaintenanceContract.class),
        NEVER_FORGETS_AN_INDEX(SizesContract.class),
        NAMES_A_STATEMENT_THAT_NOBODY_COUNTS(ServerTimeContract.class),
        COUNTS_TWO_SEARCHES_AS_ONE(ServerTimeContract.class),
        COUNTS_THE_TIME_OF_OTHERS(ServerTimeContract.class),
        CANNOT_BE_CANCELLED(StopContract.class);

        private static final Set<Fault> OF_ROWS =
                EnumSet.of(DROPS_A_ROW, SWAPS_TWO_ROWS, REPEATS_A_ROW, STOPS_AFTER_A_PORTION);

        private final Class<?> contract;

        Fault(Class<?> contract) {
            this.contract = contract;
        }

        Class<?> contract() {
            return contract;
        }

        void change(List<Kept> rows) {}

        Search change(Search search) {
            return search;
        }

        long change(long count) {
            return count;
        }

        private static Search in(Search search, Window window) {
            return new Search(search.name(), window, search.criteria(), search.order(), search.page());
        }
    }

    /** A row that outlives its session's call. */
    record Kept(String id, java.time.Instant detectTime, byte[] idea) implements RowReader.Row {}

    @Override
    public String id() {
        return "mutant";
    }

    @Override
    public String name() {
        return healthy.name();
    }

    @Override
    public Set<String> driverJars() {
        return healthy.driverJars();
    }

    @Override
    public String title() {
        return fault.map(Fault::name).orElse("healthy");
    }

    @Override
    public Abilities abilities() {
        return healthy.abilities();
    }

    @Override
    public EmbeddedServer startEmbedded(EmbeddedOptions options) {
        return healthy.startEmbedded(options);
    }

    @Override
    public Target connect(ServerAddress address, TargetOptions options) {
        return server.map(Mutant::keptOpen).orElseGet(() -> mutant(healthy.connect(address, options)));
    }

    private Target mutant(Target target) {
        return fault.<Target>map(wrong -> new MutantTarget(target, wrong, new ConcurrentHashMap<>()))
                .orElse(target);
    }

    /** Whoever closes it leaves it as it is for the others. */
    private static Target keptOpen(Target server) {
        return replacing("close", Optional.empty(), Target.class, server);
    }

    /** The same, but that one method does nothing. @param answer what it answers */
    private static <T> T replacing(String name, Optional<?> answer, Class<T> type, T healthy) {
        InvocationHandler handler = (proxy, method, arguments) -> {
            if (method.getName().equals(name)) {
                return answer.orElse(null);
            }
            try {
                return method.invoke(healthy, arguments);
            } catch (InvocationTargetException thrown) {
                throw thrown.getCause();
            }
        };
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
    }

    /** @param copies those that are given away again and again */
    private record MutantTarget(Target healthy, Fault fault, Map<String, Store> copies) implements Target {
        @Override
        public String version() {
            return healthy.version();
        }

        @Override
        public Transport transport() {
            return healthy.transport();
        }

        @Override
        public SortedMap<String, String> settings() {
            return healthy.settings();
        }

        @Override
        public boolean holds(DatasetKey key) {
            return healthy.holds(key);
        }

        @Override
        public DatasetLoad load(DatasetKey key) {
            return healthy.load(key);
        }

        @Override
        public void discard(DatasetKey key) {
            healthy.discard(key);
        }

        @Override
        public Store copy(DatasetKey key, String runId) {
            boolean ofOneName = fault == Fault.GIVES_RUNS_OF_ONE_NAME_THE_SAME_COPY;
            boolean again = ofOneName
                    || fault == Fault.GIVES_EACH_RUN_THE_SAME_COPY
                    || fault == Fault.KEEPS_WHAT_A_READING_RUN_WRITES;
            String name = key.fingerprint() + (ofOneName ? runId : "");
            Store copy =
                    again ? copies.computeIfAbsent(name, first -> healthy.copy(key, runId)) : healthy.copy(key, runId);
            return mutant(copy);
        }

        @Override
        public Store emptyStore(String runId) {
            return mutant(healthy.emptyStore(runId));
        }

        private Store mutant(Store store) {
            return new MutantStore(store, fault, new TreeMap<>());
        }

        @Override
        public void close() {
            healthy.close();
        }
    }

    /** @param sizes those that were told before */
    private record MutantStore(Store healthy, Fault fault, SortedMap<String, Long> sizes) implements Store {
        @Override
        public Optional<Maintenance> maintenance() {
            Maintenance maintenance = healthy.maintenance().orElseThrow();
            return Optional.of(
                    fault == Fault.DELETES_NOTHING
                            ? replacing("deleteAll", Optional.of(0L), Maintenance.class, maintenance)
                            : maintenance);
        }

        @Override
        public SortedMap<String, Long> relationBytes() {
            if (fault == Fault.NEVER_FORGETS_AN_INDEX) {
                sizes.put("index " + sizes.size(), 1L);
            }
            return new TreeMap<>(sizes);
        }

        @Override
        public SearchSession openSession() {
            return new MutantSession(healthy.openSession(), fault);
        }

        @Override
        public Optional<Counters> openCounters() {
            return fault == Fault.COUNTS_TWO_SEARCHES_AS_ONE || fault == Fault.COUNTS_THE_TIME_OF_OTHERS
                    ? Optional.of(new MutantCounters(fault, new AtomicLong()))
                    : healthy.openCounters();
        }

        @Override
        public EventSink openSink() {
            EventSink sink = healthy.openSink();
            if (fault != Fault.STORES_ONLY_THE_FIRST_OF_A_BATCH) {
                return sink;
            }
            return new EventSink() {
                @Override
                public long write(List<siemload.event.SecurityEvent> batch) {
                    return sink.write(batch.subList(0, Math.min(1, batch.size())));
                }

                @Override
                public void close() {
                    sink.close();
                }
            };
        }

        @Override
        public long events() {
            return healthy.events();
        }

        @Override
        public Presence presenceOf(Collection<String> ids) {
            return healthy.presenceOf(ids);
        }

        @Override
        public void close() {
            healthy.close();
        }
    }

    /** What three searches would be, but for the fault. */
    private record MutantCounters(Fault fault, AtomicLong readings) implements Counters {
        @Override
        public CounterReading read() {
            long times = readings.incrementAndGet();
            StatementTime time = fault == Fault.COUNTS_TWO_SEARCHES_AS_ONE
                    ? new StatementTime(2 * times, 0, times)
                    : new StatementTime(3 * times, times * 3_600_000_000_000L, times);
            return CounterReading.NONE.with(Map.of("all", time));
        }

        @Override
        public StatementSource statements() {
            return StatementSource.of("the mutant", "something else");
        }

        @Override
        public List<String> gaps() {
            return List.of();
        }

        @Override
        public void close() {}
    }

    private record MutantSession(SearchSession healthy, Fault fault) implements SearchSession {
        @Override
        public long search(Search search, RowReader rows) {
            if (!Fault.OF_ROWS.contains(fault)) {
                return healthy.search(fault.change(search), rows);
            }
            List<Kept> kept = new ArrayList<>();
            healthy.search(fault.change(search), row -> kept.add(new Kept(row.id(), row.detectTime(), row.idea())));
            fault.change(kept);
            kept.forEach(rows::row);
            return kept.size();
        }

        @Override
        public long count(Search search) {
            return fault.change(healthy.count(fault.change(search)));
        }

        @Override
        public List<Summary.Line> summarize(Search search, Summary summary) {
            List<Summary.Line> lines = healthy.summarize(search, summary);
            boolean loses = fault == Fault.LOSES_THE_LEAST_FREQUENT_VALUE && !lines.isEmpty();
            return loses ? lines.subList(0, lines.size() - 1) : lines;
        }

        @Override
        public ResultCursor open(Search search) {
            boolean turned = fault == Fault.TURNS_A_CURSOR_ROUND;
            Order order = search.order() == Order.NEWEST_FIRST ? Order.OLDEST_FIRST : Order.NEWEST_FIRST;
            return healthy.open(
                    turned
                            ? new Search(search.name(), search.window(), search.criteria(), order, search.page())
                            : search);
        }

        @Override
        public Plan explain(Search search) {
            Plan plan = healthy.explain(search);
            return fault == Fault.HIDES_HOW_EVENTS_WERE_FOUND
                    ? new Plan(plan.text(), plan.format(), List.of(), plan.sorted(), plan.parallel(), Optional.empty())
                    : plan;
        }

        @Override
        public Plan explain(Search search, Summary summary) {
            return healthy.explain(search, summary);
        }

        @Override
        public Optional<String> statement(Search search, PageClass page) {
            return fault.contract() == ServerTimeContract.class ? Optional.of("all") : healthy.statement(search, page);
        }

        @Override
        public void cancel() {
            if (fault != Fault.CANNOT_BE_CANCELLED) {
                healthy.cancel();
            }
        }

        @Override
        public void close() {
            healthy.close();
        }
    }
}
