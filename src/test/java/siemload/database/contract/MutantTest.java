package siemload.database.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import siemload.database.Hint;
import siemload.database.IndexSet;
import siemload.database.Replacing;
import siemload.database.Replacing.Instead;
import siemload.database.SearchSession;
import siemload.database.SearchSession.Plan;
import siemload.database.SearchSession.RowReader;
import siemload.database.SearchSession.RowReader.DetachedRow;
import siemload.database.ServerAddress;
import siemload.database.Store;
import siemload.database.Store.DatasetKey;
import siemload.database.Store.EventSink;
import siemload.database.Store.Maintenance;
import siemload.database.Target;
import siemload.database.Target.ServerClock;
import siemload.database.Target.TargetOptions;
import siemload.database.TargetPlugin;
import siemload.database.Variant;
import siemload.database.memory.MemoryPlugin;
import siemload.database.server.Portions;
import siemload.event.SecurityEvent;
import siemload.query.Criterion;
import siemload.query.Criterion.AddressMatches;
import siemload.query.EventSide;
import siemload.query.Order;
import siemload.query.Page;
import siemload.query.Paging;
import siemload.query.Search;
import siemload.query.Summary;
import siemload.query.Window;

final class MutantTest {

    @ParameterizedTest
    @EnumSource(Fault.class)
    void theContractNoticesItsFault(Fault fault) throws ReflectiveOperationException {
        assertThat(failures(fault.contract, mutant(fault.contract, fault.change), 1))
                .as("tests of %s that fail", fault.contract.getSimpleName())
                .isNotEmpty();
    }

    @ParameterizedTest
    @MethodSource("contracts")
    void theContractHasNoComplaintAboutTheReference(Class<?> contract) throws ReflectiveOperationException {
        assertThat(failures(contract, mutant(contract, UnaryOperator.identity()), Integer.MAX_VALUE))
                .isEmpty();
    }

    @ParameterizedTest
    @MethodSource("contracts")
    void everyContractHasAFaultThatItMustNotice(Class<?> contract) {
        assertThat(Fault.values()).anyMatch(fault -> fault.contract.equals(contract));
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

    /** The names of the contract's tests that fail, of those of every day; after so many the others are not tried. */
    private static List<String> failures(Class<?> contract, TargetPlugin mutant, int most)
            throws ReflectiveOperationException {
        ContractSubject subject = new ContractSubject(mutant, IndexSet.NONE);
        subject.start();
        try {
            Whole whole = () -> subject;
            List<String> failures = new ArrayList<>();
            for (Method test : contract.getMethods()) {
                boolean isOfEveryDay = test.isAnnotationPresent(Test.class) && !test.isAnnotationPresent(Tag.class);
                if (isOfEveryDay && failures.size() < most && fails(whole, test)) {
                    failures.add(test.getName());
                }
            }
            return failures;
        } finally {
            subject.stop();
        }
    }

    private static boolean fails(Whole contract, Method test) throws IllegalAccessException {
        try {
            test.invoke(contract);
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

    private interface Whole
            extends TargetContract,
                    CursorContract,
                    PlanContract,
                    ReadContract,
                    TrendContract,
                    SizesContract,
                    ServerTimeContract,
                    ConcurrencyContract,
                    SharedCopyContract {
        @Override
        ContractSubject subject();
    }

    /** What is wrong with the reference, and the contract that must notice. */
    private enum Fault {
        DROPS_A_ROW(SinkContract.class, rows(1, kept -> kept.remove(kept.size() / 2))),
        SWAPS_TWO_ROWS(SearchContract.class, rows(1, kept -> Collections.swap(kept, kept.size() - 1, kept.size() - 2))),
        STOPS_AFTER_A_PORTION(
                LargePageContract.class,
                rows(
                        Portions.LARGEST_AT_ONCE,
                        kept -> kept.subList(Portions.ROWS, kept.size()).clear())),
        INCLUDES_THE_END_OF_THE_WINDOW(SearchContract.class, search(asked -> {
            Window window = asked.window();
            return window.isAlways()
                    ? asked
                    : of(asked, new Window(window.from(), window.until().plusNanos(1_000)), asked.criteria());
        })),
        FORGETS_A_CONDITION(
                SearchContract.class,
                search(asked -> of(
                        asked,
                        asked.window(),
                        asked.criteria().subList(0, Math.max(0, asked.criteria().size() - 1))))),
        LOOKS_FOR_ADDRESSES_ON_BOTH_SIDES(
                SearchContract.class,
                search(asked -> of(
                        asked,
                        asked.window(),
                        asked.criteria().stream()
                                .map(one -> one instanceof AddressMatches figured
                                        ? new AddressMatches(figured.anyOf(), EventSide.EITHER)
                                        : one)
                                .toList()))),
        READS_ONE_ROW_TOO_FEW(
                PagingContract.class,
                search(asked -> asked.page() instanceof Page.Numbered page && page.size() > 1 && page.number() == 1
                        ? asked.with(new Page.Numbered(page.size() - 1, 1))
                        : asked)),
        COUNTS_ONE_TOO_MANY(
                SearchContract.class, session("count", (session, asked) -> session.count((Search) asked[0]) + 1)),
        STORES_ONLY_THE_FIRST_OF_A_BATCH(
                SinkContract.class,
                store(
                        "openSink",
                        (store, none) -> Replacing.method(EventSink.class, store.openSink(), "write", (sink, batch) -> {
                            List<?> events = (List<?>) batch[0];
                            return sink.write(events.stream()
                                    .limit(1)
                                    .map(SecurityEvent.class::cast)
                                    .toList());
                        }))),
        LOSES_THE_LEAST_FREQUENT_VALUE(SearchContract.class, session("summarize", (session, asked) -> {
            List<Summary.Line> lines = session.summarize((Search) asked[0], (Summary) asked[1]);
            return lines.subList(0, Math.max(0, lines.size() - 1));
        })),
        TURNS_A_CURSOR_ROUND(CursorContract.class, session("open", (session, given) -> {
            Search asked = (Search) given[0];
            Order turned = asked.order() == Order.NEWEST_FIRST ? Order.OLDEST_FIRST : Order.NEWEST_FIRST;
            return session.open(new Search(asked.name(), asked.window(), asked.criteria(), turned, asked.page()));
        })),
        HIDES_HOW_EVENTS_WERE_FOUND(PlanContract.class, session("explain", (session, asked) -> {
            Plan plan = session.explain((Search) asked[0]);
            return new Plan(plan.text(), plan.extension(), List.of(), plan.sorted());
        })),
        GIVES_EACH_RUN_THE_SAME_COPY(CopyContract.class, copies((key, runId) -> key)),
        KEEPS_WHAT_A_READING_RUN_WRITES(ReadContract.class, copies((key, runId) -> key)),
        GIVES_RUNS_OF_ONE_NAME_THE_SAME_COPY(ConcurrencyContract.class, copies((key, runId) -> key + runId)),
        GIVES_WHO_JOINS_A_COPY_OF_HIS_OWN(
                SharedCopyContract.class,
                target -> Replacing.method(
                        Target.class,
                        target,
                        "join",
                        (whole, asked) -> whole.copy((DatasetKey) asked[0], asked[1] + "-of-his-own"))),
        DELETES_NOTHING(
                MaintenanceContract.class,
                store(
                        "maintenance",
                        (store, none) -> store.maintenance()
                                .map(whole -> Replacing.method(
                                        Maintenance.class, whole, "deleteAll", (maintenance, asked) -> 0L)))),
        NEVER_FORGETS_AN_INDEX(SizesContract.class, target -> {
            SortedMap<String, Long> sizes = new TreeMap<>();
            return stores(
                    target,
                    store -> Replacing.method(Store.class, store, "relationBytes", (whole, none) -> {
                        sizes.put("index " + sizes.size(), 1L);
                        return new TreeMap<>(sizes);
                    }));
        }),
        NAMES_A_STATEMENT_THAT_NOBODY_COUNTS(
                ServerTimeContract.class, session("statement", (session, asked) -> Optional.of("all"))),
        STORES_NO_LAST_HOUR_OF_A_TREND(TrendContract.class, session("store", (session, asked) -> {
            Search search = (Search) asked[0];
            Window window = search.window();
            Window cut = new Window(window.from(), window.until().minus(Summary.Hours.HOUR));
            session.store(search.with(cut), (Summary.Hours) asked[1], (String) asked[2]);
            return null;
        })),
        CANNOT_BE_CANCELLED(StopContract.class, session("cancel", Replacing.nothing()));

        private final Class<?> contract;
        private final UnaryOperator<Target> change;

        Fault(Class<?> contract, UnaryOperator<Target> change) {
            this.contract = contract;
            this.change = change;
        }
    }

    /** Changes the rows of searches that have more than so many. */
    private static UnaryOperator<Target> rows(int moreThan, Consumer<List<DetachedRow>> change) {
        return session("search", (session, asked) -> {
            List<DetachedRow> kept = new ArrayList<>();
            session.search((Search) asked[0], row -> kept.add(DetachedRow.of(row)));
            if (kept.size() > moreThan) {
                change.accept(kept);
            }
            kept.forEach(((RowReader) asked[1])::row);
            return (long) kept.size();
        });
    }

    /** Finds and counts something else. */
    private static UnaryOperator<Target> search(UnaryOperator<Search> change) {
        Map<String, Instead<SearchSession>> asking = Map.of(
                "search",
                (session, asked) -> session.search(change.apply((Search) asked[0]), (RowReader) asked[1]),
                "count",
                (session, asked) -> session.count(change.apply((Search) asked[0])));
        return store(
                "openSession", (store, none) -> Replacing.methods(SearchSession.class, store.openSession(), asking));
    }

    private static Search of(Search asked, Window window, List<Criterion> criteria) {
        return new Search(asked.name(), window, criteria, asked.order(), asked.page());
    }

    private static UnaryOperator<Target> session(String method, Instead<SearchSession> instead) {
        return store(
                "openSession",
                (store, none) -> Replacing.method(SearchSession.class, store.openSession(), method, instead));
    }

    private static UnaryOperator<Target> store(String method, Instead<Store> instead) {
        return target -> stores(target, store -> Replacing.method(Store.class, store, method, instead));
    }

    private static Target stores(Target target, UnaryOperator<Store> change) {
        Instead<Target> copy = (whole, asked) -> change.apply(whole.copy((DatasetKey) asked[0], (String) asked[1]));
        return Replacing.methods(
                Target.class,
                target,
                Map.of(
                        "copy",
                        copy,
                        "read",
                        copy,
                        "emptyStore",
                        (whole, runId) -> change.apply(whole.emptyStore((String) runId[0]))));
    }

    /** Gives the same copy away again and again to all that are called alike. */
    private static UnaryOperator<Target> copies(BiFunction<String, String, String> name) {
        return target -> {
            Map<String, Store> copies = new ConcurrentHashMap<>();
            Instead<Target> copy = (whole, asked) -> {
                DatasetKey key = (DatasetKey) asked[0];
                String runId = (String) asked[1];
                return copies.computeIfAbsent(name.apply(key.fingerprint(), runId), first -> whole.copy(key, runId));
            };
            return Replacing.methods(Target.class, target, Map.of("copy", copy, "read", copy));
        };
    }

    /**
     * The reference with one fault or none, to see that the contract notices it.
     *
     * @param contract the one that it is made for: where several connect at once, they find the same server
     */
    private static TargetPlugin mutant(Class<?> contract, UnaryOperator<Target> fault) {
        MemoryPlugin healthy = new MemoryPlugin();
        boolean several = Set.of(ConcurrencyContract.class, ReadContract.class, SharedCopyContract.class)
                .contains(contract);
        Variant variant = new Variant("plain", IndexSet.NONE, Hint.NONE, Paging.OFFSET);
        Target server = fault.apply(shared(healthy.connect(
                new ServerAddress("", "", ""), new TargetOptions(variant, ContractSubject.TIMEOUT, 1))));
        return Replacing.method(
                TargetPlugin.class,
                healthy,
                "connect",
                // Whoever closes the server leaves it as it is for the others.
                (plugin, asked) -> several
                        ? Replacing.method(Target.class, server, "close", Replacing.nothing())
                        : fault.apply(plugin.connect((ServerAddress) asked[0], (TargetOptions) asked[1])));
    }

    /** The reference as several would find it on a server: what one of them has as its copy, the others join. */
    private static Target shared(Target reference) {
        Map<String, Store> copies = new ConcurrentHashMap<>();
        Instead<Target> copy = (target, asked) -> {
            String runId = (String) asked[1];
            Store made = Replacing.method(
                    Store.class,
                    target.copy((DatasetKey) asked[0], runId),
                    "openClock",
                    (store, none) -> Optional.of(new ServerClock(Instant::now, Duration.ofMillis(1), () -> {})));
            copies.put(runId, made);
            return Replacing.method(Store.class, made, "nameToJoin", (store, none) -> runId);
        };
        Instead<Target> join = (target, asked) ->
                Replacing.method(Store.class, copies.get((String) asked[1]), "close", Replacing.nothing());
        return Replacing.methods(Target.class, reference, Map.of("copy", copy, "read", copy, "join", join));
    }
}
