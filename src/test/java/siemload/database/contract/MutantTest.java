package siemload.database.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;
import java.util.stream.BaseStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import siemload.database.Abilities;
import siemload.database.DatasetLoad;
import siemload.database.EmbeddedServer;
import siemload.database.EmbeddedServer.EmbeddedOptions;
import siemload.database.ForwardingStore;
import siemload.database.Hint;
import siemload.database.IndexSet;
import siemload.database.Plan;
import siemload.database.Product;
import siemload.database.SearchSession;
import siemload.database.SearchSession.ResultCursor;
import siemload.database.SearchSession.RowReader;
import siemload.database.ServerAddress;
import siemload.database.Store;
import siemload.database.Store.BulkLoad;
import siemload.database.Store.DatasetKey;
import siemload.database.Store.EventSink;
import siemload.database.Store.Maintenance;
import siemload.database.Target;
import siemload.database.Target.TargetOptions;
import siemload.database.TargetPlugin;
import siemload.database.TargetPlugin.Offer;
import siemload.database.Variant;
import siemload.database.memory.MemoryPlugin;
import siemload.database.server.Portions;
import siemload.event.SecurityEvent;
import siemload.query.Criterion;
import siemload.query.Criterion.AddressFigured;
import siemload.query.Order;
import siemload.query.Page;
import siemload.query.PageClass;
import siemload.query.Paging;
import siemload.query.Search;
import siemload.query.Summary;
import siemload.query.TrendCatalog;
import siemload.query.Window;

/** The test of the contract: each part of it notices a target with a fault of its kind, and has nothing against a healthy one. */
@Tag("any-java")
final class MutantTest {

    @ParameterizedTest
    @EnumSource(Fault.class)
    void theContractNoticesItsFault(Fault fault) throws ReflectiveOperationException {
        assertThat(failures(fault.contract(), new Mutant(fault.contract(), Optional.of(fault)), 1))
                .as("tests of %s that fail", fault.contract().getSimpleName())
                .isNotEmpty();
    }

    @ParameterizedTest
    @MethodSource("contracts")
    void theContractHasNoComplaintAboutTheReference(Class<?> contract) throws ReflectiveOperationException {
        assertThat(failures(contract, new Mutant(contract, Optional.empty()), Integer.MAX_VALUE))
                .isEmpty();
    }

    @ParameterizedTest
    @MethodSource("contracts")
    void everyContractHasAFaultThatItMustNotice(Class<?> contract) {
        assertThat(Fault.values()).extracting(Fault::contract).contains(contract);
    }

    /** All that there are, but for the sum of most of them. */
    static List<Class<?>> contracts() throws IOException, ClassNotFoundException {
        List<Class<?>> contracts = new ArrayList<>();
        Path sources =
                Path.of("src/test/java", MutantTest.class.getPackageName().replace('.', '/'));
        try (Stream<Path> files = Files.list(sources).sorted()) {
            for (Path file : files.filter(source -> source.toString().endsWith("Contract.java"))
                    .toList()) {
                String name = file.getFileName().toString().replace(".java", "");
                contracts.add(Class.forName(MutantTest.class.getPackageName() + "." + name));
            }
        }
        contracts.remove(TargetContract.class);
        return contracts;
    }

    /** The names of the contract's tests that fail; after so many the others are not tried. */
    private static List<String> failures(Class<?> contract, Mutant mutant, int most)
            throws ReflectiveOperationException {
        ContractSubject subject = new ContractSubject(mutant, IndexSet.NONE);
        subject.start();
        try {
            Whole whole = () -> subject;
            List<String> failures = new ArrayList<>();
            for (Method test : contract.getMethods()) {
                for (Object[] arguments : arguments(test)) {
                    if (failures.size() < most && fails(whole, test, arguments)) {
                        failures.add(test.getName() + Arrays.toString(arguments));
                    }
                }
            }
            return failures;
        } finally {
            subject.stop();
        }
    }

    /** What a test is called with, once for each; nothing for a method that is no test. */
    private static List<Object[]> arguments(Method test) throws ReflectiveOperationException {
        if (test.isAnnotationPresent(Test.class)) {
            return List.<Object[]>of(new Object[0]);
        }
        if (!test.isAnnotationPresent(ParameterizedTest.class)) {
            return List.of();
        }
        ValueSource numbers = test.getAnnotation(ValueSource.class);
        if (numbers != null) {
            return Arrays.stream(numbers.ints())
                    .mapToObj(value -> new Object[] {value})
                    .toList();
        }
        String source = test.getAnnotation(MethodSource.class).value()[0];
        Object all = test.getDeclaringClass().getDeclaredMethod(source).invoke(null);
        List<Object[]> each = new ArrayList<>();
        Iterator<?> values = all instanceof BaseStream<?, ?> stream ? stream.iterator() : ((List<?>) all).iterator();
        values.forEachRemaining(value -> each.add(new Object[] {value}));
        return each;
    }

    private static boolean fails(Whole contract, Method test, Object[] arguments) throws IllegalAccessException {
        try {
            test.invoke(contract, arguments);
            return false;
        } catch (InvocationTargetException thrown) {
            Throwable cause = thrown.getCause();
            if (cause instanceof AssertionError
                    || cause instanceof CompletionException && cause.getCause() instanceof AssertionError) {
                return true;
            }
            throw new IllegalStateException(cause);
        }
    }

    private interface Whole extends TargetContract, ConcurrencyContract, SharedLoadContract {
        @Override
        ContractSubject subject();
    }

    /** What is wrong with a {@link Mutant}, and the contract that must notice. */
    private enum Fault {
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
        STOPS_AFTER_A_PORTION(LargePageContract.class) {
            @Override
            void change(List<MutantSession.Kept> rows) {
                if (rows.size() > Portions.LARGEST_AT_ONCE) {
                    rows.subList(Portions.ROWS, rows.size()).clear();
                }
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
        KEEPS_NOTHING_THAT_SEVERAL_LOAD(SharedLoadContract.class),
        DELETES_NOTHING(MaintenanceContract.class),
        NEVER_FORGETS_AN_INDEX(SizesContract.class),
        NAMES_A_STATEMENT_THAT_NOBODY_COUNTS(ServerTimeContract.class),
        STORES_NO_LAST_HOUR_OF_A_TREND(TrendContract.class),
        CANNOT_BE_CANCELLED(StopContract.class);

        static final Set<Fault> OF_ROWS = EnumSet.of(DROPS_A_ROW, SWAPS_TWO_ROWS, STOPS_AFTER_A_PORTION);

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

    /** The reference with one fault or none, to see that the contract notices it. */
    private static final class Mutant implements TargetPlugin {
        private final TargetPlugin healthy = new MemoryPlugin();
        private final Optional<Fault> fault;
        private final Optional<Target> server;

        /** @param contract the one that it is made for: where several connect at once, they find the same server */
        Mutant(Class<?> contract, Optional<Fault> fault) {
            this.fault = fault;
            TargetOptions options = new TargetOptions(
                    new Variant("plain", IndexSet.NONE, Hint.NONE, Paging.OFFSET), ContractSubject.TIMEOUT, 1);
            this.server = Stream.of(ConcurrencyContract.class, ReadContract.class, SharedLoadContract.class)
                    .filter(contract::equals)
                    .findFirst()
                    .map(several ->
                            mutant(new SharedReference(healthy.connect(new ServerAddress("", "", ""), options))));
        }

        @Override
        public Product product() {
            return Product.inProcess(
                    "mutant", healthy.name(), fault.map(Fault::name).orElse("healthy"));
        }

        @Override
        public Abilities abilities() {
            return healthy.abilities();
        }

        @Override
        public Set<Offer> offers() {
            return healthy.offers();
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
            return fault.<Target>map(wrong -> new MutantTarget(target, wrong)).orElse(target);
        }

        /** Whoever closes it leaves it as it is for the others. */
        private static Target keptOpen(Target server) {
            return Replacing.method("close", Optional.empty(), Target.class, server);
        }
    }

    /** The connections of a {@link Mutant}. */
    private static final class MutantTarget extends TargetInFront {
        private final Fault fault;
        /** Those that are given away again and again. */
        private final Map<String, Store> copies = new ConcurrentHashMap<>();

        MutantTarget(Target healthy, Fault fault) {
            super(healthy);
            this.fault = fault;
        }

        @Override
        public DatasetLoad loadTogether(DatasetKey key) {
            DatasetLoad load = healthy().loadTogether(key);
            return fault == Fault.KEEPS_NOTHING_THAT_SEVERAL_LOAD
                    ? Replacing.method("finish", Optional.empty(), DatasetLoad.class, load)
                    : load;
        }

        @Override
        public BulkLoad joinLoad(String name) {
            return healthy().joinLoad(name);
        }

        @Override
        public Store join(DatasetKey key, String name) {
            return healthy().join(key, name);
        }

        @Override
        public Store copy(DatasetKey key, String runId) {
            boolean ofOneName = fault == Fault.GIVES_RUNS_OF_ONE_NAME_THE_SAME_COPY;
            boolean again = ofOneName
                    || fault == Fault.GIVES_EACH_RUN_THE_SAME_COPY
                    || fault == Fault.KEEPS_WHAT_A_READING_RUN_WRITES;
            String name = key.fingerprint() + (ofOneName ? runId : "");
            Store copy = again
                    ? copies.computeIfAbsent(name, first -> healthy().copy(key, runId))
                    : healthy().copy(key, runId);
            return mutant(copy);
        }

        @Override
        public Store emptyStore(String runId) {
            return mutant(healthy().emptyStore(runId));
        }

        private Store mutant(Store store) {
            return new MutantStore(store, fault, new TreeMap<>());
        }
    }

    /**
     * What a {@link Mutant} stores.
     *
     * @param sizes those that were told before
     */
    private record MutantStore(Store store, Fault fault, SortedMap<String, Long> sizes) implements ForwardingStore {
        @Override
        public Optional<Maintenance> maintenance() {
            Maintenance maintenance = store.maintenance().orElseThrow();
            return Optional.of(
                    fault == Fault.DELETES_NOTHING
                            ? Replacing.method("deleteAll", Optional.of(0L), Maintenance.class, maintenance)
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
            return new MutantSession(store.openSession(), fault);
        }

        @Override
        public EventSink openSink() {
            EventSink sink = store.openSink();
            if (fault != Fault.STORES_ONLY_THE_FIRST_OF_A_BATCH) {
                return sink;
            }
            return new EventSink() {
                @Override
                public long write(List<SecurityEvent> batch) {
                    return sink.write(batch.subList(0, Math.min(1, batch.size())));
                }

                @Override
                public void close() {
                    sink.close();
                }
            };
        }
    }

    /** How a {@link Mutant} searches. */
    private record MutantSession(SearchSession healthy, Fault fault) implements SearchSession {

        /** A row that outlives its session's call. */
        record Kept(String id, Instant detectTime, byte[] idea) implements RowReader.Row {}

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
        public void store(Search search, Summary.Hours summary, String trend) {
            Window window = search.window();
            boolean cut = fault == Fault.STORES_NO_LAST_HOUR_OF_A_TREND;
            Instant until = cut ? window.until().minus(Summary.Hours.HOUR) : window.until();
            healthy.store(TrendCatalog.search(search.name(), new Window(window.from(), until)), summary, trend);
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
