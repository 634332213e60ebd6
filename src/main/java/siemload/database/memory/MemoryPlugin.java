package siemload.database.memory;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import siemload.database.SearchException;
import siemload.database.SearchSession;
import siemload.database.SearchSession.RowReader.DetachedRow;
import siemload.database.ServerAddress;
import siemload.database.Store;
import siemload.database.Store.DatasetKey;
import siemload.database.Target;
import siemload.database.Target.InProcessTarget;
import siemload.database.TargetException;
import siemload.database.TargetPlugin;
import siemload.database.TargetPlugin.EmbeddedServer.EmbeddedOptions;
import siemload.event.IdeaWriter;
import siemload.event.SecurityEvent;
import siemload.query.Field;
import siemload.query.Order;
import siemload.query.Page;
import siemload.query.PageKey;
import siemload.query.Search;
import siemload.query.Summary;
import siemload.query.Summary.Line;
import siemload.query.Window;

/**
 * The reference target. Its server is the Java process itself: every connected {@link Target} is a separate server, whose data are lost
 * when the process ends. Stateless and thread-safe.
 */
public final class MemoryPlugin implements TargetPlugin {
    @Override
    public EmbeddedServer startEmbedded(EmbeddedOptions options) {
        return () -> new ServerAddress("memory:", "", "");
    }

    @Override
    public Target connect(ServerAddress address, Target.TargetOptions options) {
        return new MemoryTarget(options.searchTimeout(), new ConcurrentHashMap<>());
    }

    /** @param kept the loaded data sets, by their fingerprints */
    private record MemoryTarget(Duration searchTimeout, Map<String, MemoryStore> kept) implements InProcessTarget {
        @Override
        public SortedMap<String, String> settings() {
            return new TreeMap<>();
        }

        @Override
        public boolean holds(DatasetKey key) {
            return kept.containsKey(key.fingerprint());
        }

        @Override
        public void discard(DatasetKey key) {
            kept.remove(key.fingerprint());
        }

        @Override
        public void load(DatasetKey key, Consumer<Store.BulkLoad> events, Consumer<String> step) {
            MemoryStore store = emptyStore("");
            events.accept(store.openLoad());
            kept.put(key.fingerprint(), store);
        }

        @Override
        public Store copy(DatasetKey key, String runId) {
            MemoryStore loaded = kept.get(key.fingerprint());
            if (loaded == null) {
                throw new TargetException(
                        "the data set '" + key.label() + "' is not loaded into memory; load it first");
            }
            MemoryStore copy = emptyStore(runId);
            loaded.scan(event -> true).forEach(copy::add);
            return copy;
        }

        @Override
        public MemoryStore emptyStore(String runId) {
            return new MemoryStore(searchTimeout, new LinkedHashMap<>(), new HashMap<>());
        }

        @Override
        public void close() {
            kept.clear();
        }
    }

    /** A data set, or the copy of one run: events by id in their order of arrival. Only one thread writes or reads at a time. */
    private record MemoryStore(
            Duration searchTimeout, Map<String, SecurityEvent> stored, Map<String, Map<List<Object>, Line>> trends)
            implements Store, Store.Maintenance {
        /** Adds an event and returns whether it was stored: false if its id exists already. */
        synchronized boolean add(SecurityEvent event) {
            return stored.putIfAbsent(event.id(), event) == null;
        }

        private synchronized void addMissing(List<SecurityEvent> batch) {
            batch.forEach(this::add);
        }

        synchronized List<SecurityEvent> scan(Predicate<SecurityEvent> condition) {
            return stored.values().stream().filter(condition).toList();
        }

        @Override
        public SearchSession openSession() {
            return new MemorySession(this, searchTimeout);
        }

        @Override
        public EventSink openSink() {
            return InProcessTarget.sink(this::addMissing);
        }

        @Override
        public synchronized long events() {
            return stored.size();
        }

        @Override
        public synchronized Presence presenceOf(Collection<String> ids) {
            return new Presence(
                    ids.stream().distinct().filter(stored::containsKey).count(), 0);
        }

        @Override
        public Optional<Store.Maintenance> maintenance() {
            return Optional.of(this);
        }

        @Override
        public Store.BulkLoad openLoad() {
            return InProcessTarget.load(InProcessTarget.sink(batch -> batch.forEach(event -> {
                if (!add(event)) {
                    throw new TargetException("the event id '" + event.id() + "' occurs twice in the data set");
                }
            })));
        }

        @Override
        public synchronized long deleteAll() {
            long deleted = stored.size();
            stored.clear();
            return deleted;
        }

        /** Returns no steps, since this target has no indexes, whatever the index set. */
        @Override
        public List<BuildStep> indexes() {
            return List.of();
        }

        @Override
        public void dropIndexes() {}

        @Override
        public synchronized void createTrends() {
            trends.clear();
        }

        synchronized void put(String trend, List<Line> lines) {
            Map<List<Object>, Line> known = trends.computeIfAbsent(trend, unused -> new HashMap<>());
            lines.forEach(line -> known.put(List.of(line.from(), line.value()), line));
        }

        @Override
        public synchronized List<Line> trendLines(String trend, Field field) {
            return List.copyOf(trends.getOrDefault(trend, Map.of()).values());
        }

        @Override
        public void close() {}
    }

    /** Answers each search with a scan of the whole table. */
    static final class MemorySession implements SearchSession {
        private final MemoryStore store;
        private final Duration timeout;
        private final IdeaWriter writer = new IdeaWriter();
        private volatile boolean cancelled;
        private long deadlineNanos;

        MemorySession(MemoryStore store, Duration timeout) {
            this.store = store;
            this.timeout = timeout;
        }

        @Override
        public long search(Search search, RowReader rows) {
            start();
            long count = 0;
            for (Iterator<SecurityEvent> page = page(search, scan(search)).iterator(); page.hasNext(); count++) {
                check();
                rows.row(row(page.next()));
            }
            return count;
        }

        @Override
        public long count(Search search) {
            start();
            return scan(search).size();
        }

        @Override
        public List<Line> summarize(Search search, Summary summary) {
            start();
            return summary(search, summary, scan(search));
        }

        @Override
        public void store(Search search, Summary.Hours summary, String trend) {
            store.put(trend, summarize(search, summary));
        }

        @Override
        public ResultCursor open(Search search) {
            start();
            Iterator<SecurityEvent> found =
                    page(search.with(new Page.Whole()), scan(search)).iterator();
            return new ResultCursor() {
                @Override
                public long next(int size, RowReader rows) {
                    long count = 0;
                    for (; count < size && found.hasNext(); count++) {
                        rows.row(row(found.next()));
                    }
                    return count;
                }

                @Override
                public void close() {}
            };
        }

        @Override
        public Plan explain(Search search) {
            boolean sorted =
                    search.order() != Order.UNSORTED || search.summary().isPresent();
            List<Plan.Access> scan = List.of(new Plan.Access(Plan.Access.Kind.TABLE, "events"));
            return new Plan("the search reads every event", "txt", scan, sorted);
        }

        @Override
        public void cancel() {
            cancelled = true;
        }

        @Override
        public void close() {}

        private void start() {
            cancelled = false;
            deadlineNanos = System.nanoTime() + timeout.toNanos();
        }

        /** Returns all events that meet the search's condition, in the order in which they were stored. */
        private List<SecurityEvent> scan(Search search) {
            Predicate<SecurityEvent> condition = search.condition();
            return store.scan(event -> {
                check();
                return condition.test(event);
            });
        }

        private void check() {
            if (cancelled) {
                throw new SearchException(SearchException.Kind.CANCELLED, "", "the search was cancelled");
            }
            if (System.nanoTime() - deadlineNanos >= 0) {
                throw new SearchException(
                        SearchException.Kind.TIMEOUT, "", "the search took longer than " + timeout.toMillis() + " ms");
            }
        }

        private RowReader.Row row(SecurityEvent stored) {
            return new DetachedRow(stored.id(), PageKey.of(stored).detectTime(), writer.toBytes(stored));
        }

        static Stream<SecurityEvent> page(Search search, List<SecurityEvent> found) {
            if (search.order() == Order.UNSORTED) {
                return found.stream();
            }
            Comparator<PageKey> order = search.order().comparator();
            Stream<SecurityEvent> sorted = found.stream().sorted(Comparator.comparing(PageKey::of, order));
            if (search.page() instanceof Page.Numbered page) {
                return sorted.skip(page.offset()).limit(page.size());
            } else if (search.page() instanceof Page.After page) {
                PageKey key = page.key().inMicroseconds();
                return sorted.filter(event -> order.compare(PageKey.of(event), key) > 0)
                        .limit(page.size());
            } else if (search.page() instanceof Page.Last page) {
                return sorted.skip(Math.max(0, found.size() - page.size()));
            }
            return sorted;
        }

        /** Counts the events of each value of a field in each step of time; a top list has only one step. */
        static List<Line> summary(Search search, Summary summary, List<SecurityEvent> found) {
            Map<Instant, Map<String, Long>> counts = found.stream()
                    .collect(Collectors.groupingBy(
                            stored -> step(search.window(), summary, stored),
                            TreeMap::new,
                            Collectors.flatMapping(
                                    stored -> summary.field().values(stored),
                                    Collectors.groupingBy(
                                            value -> value,
                                            () -> new TreeMap<>(summary.field().order()),
                                            Collectors.counting()))));
            Stream<Line> lines = counts.entrySet().stream()
                    .flatMap(step -> step.getValue().entrySet().stream()
                            .map(count -> new Line(step.getKey(), count.getKey(), count.getValue())));
            return summary instanceof Summary.TopList top
                    ? lines.sorted(Comparator.comparingLong(Line::events).reversed())
                            .limit(top.size())
                            .toList()
                    : lines.toList();
        }

        private static Instant step(Window window, Summary summary, SecurityEvent stored) {
            if (!(summary instanceof Summary.OverTime timeline)) {
                return window.start();
            }
            Instant from = window.from().truncatedTo(ChronoUnit.MICROS);
            Duration step = timeline.step(window);
            return from.plus(step.multipliedBy(
                    Duration.between(from, PageKey.of(stored).detectTime()).dividedBy(step)));
        }
    }
}
