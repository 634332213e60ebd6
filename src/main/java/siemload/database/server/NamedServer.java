package siemload.database.server;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import siemload.database.Counters;
import siemload.database.SearchException.Kind;
import siemload.database.SearchSession;
import siemload.database.Store;
import siemload.database.Target.ServerUse.Client;
import siemload.database.server.Registry.Entry;
import siemload.event.IdeaWriter;
import siemload.event.SecurityEvent;
import siemload.event.Utf8Sanitizer;
import siemload.query.PageClass;
import siemload.query.Search;

/**
 * A server that holds named {@link Documents} for each data set and each run, such as a collection or an index: {@code
 * siemload_data_<fingerprint>_<random>} or {@code siemload_run_<run id>_<random>}. {@code siemload_registry} records their owners.
 * Documents belong to an entry only if the server still has them under the UUID that it gave them. siemload changes no document of the
 * registry that is not an entry of the current user. Names of a form that siemload does not give are never looked up: such a name might
 * change the path of a request. Methods that a database implements may throw the own errors of the database's client.
 *
 * @param <E> the exception that its client throws
 */
public abstract class NamedServer<E extends RuntimeException> extends ServerTarget implements Registry.Server {
    protected static final String OURS = "siemload_";

    protected static final String REGISTRY = OURS + "registry";

    /** The names that siemload gives; documents with any other name are never dropped, whatever the registry says. */
    private static final Pattern GIVEN = Pattern.compile(OURS + "(?:data|run)_[a-z0-9-]*_[0-9a-f]{8}");

    private static final String OWNER = "owner";

    private final ServerErrors<E> errors;
    private final String thing;
    private final TargetOptions options;
    /** The user who is logged in; set when the registry is opened. */
    private String owner = "";

    /** @param thing the word for the object that holds one data set or run: {@code collection} */
    protected NamedServer(ServerErrors<E> errors, String thing, TargetOptions options) {
        this.errors = errors;
        this.thing = thing;
        this.options = options;
    }

    public final TargetOptions options() {
        return options;
    }

    /** Names the collection, index or similar object for people. */
    final String named(String name) {
        return "the " + thing + " " + name;
    }

    /** Returns the documents of this name, accessed with the client for work outside of runs. */
    @Override
    protected abstract Documents tables(String name);

    /** Returns the documents of this name, accessed with a client of one run. */
    protected abstract Documents searched(String name);

    /** Returns the UUID of the collection, index or similar object; empty if it does not exist. */
    protected abstract Optional<String> identity(String name);

    /** Returns whether the server is still creating this collection or index, perhaps for a process that was killed. */
    protected abstract boolean isBeingMade(String name);

    /** Returns whether a write in progress could create the dropped object again; may wait for sessions of this process. */
    protected boolean isBeingWritten(String name, Registry.Sessions sessions) {
        return false;
    }

    protected abstract void drop(String name);

    /** The server's time, in milliseconds; called by any thread. */
    protected abstract Instant time();

    /** The current user; empty where the server has no users. */
    protected abstract String user();

    /** Returns the values of all entries of the registry, by name: texts and whole numbers. */
    protected abstract Map<String, Map<String, Object>> registered();

    /** Adds an entry to the registry, which is created if missing. @return whether the name was free */
    protected abstract boolean register(String name, Map<String, Object> values);

    /**
     * Changes an entry of the registry, or removes it, atomically.
     *
     * @param beat the beat that the entry must still have
     * @param values the new values; empty to remove the entry
     * @return whether the entry was still there with that beat
     */
    protected abstract boolean change(String name, long beat, Optional<Map<String, Object>> values);

    @Override
    protected final Store openStore(RunCopy copy) {
        return searched(copy.name()).opened(copy);
    }

    protected final Store openExisting(String name) {
        return searched(name).opened(RunCopy.existing(name));
    }

    protected abstract List<Client> clients();

    protected abstract long operations();

    /** The number of bytes that can still be stored; empty if the server does not report it. */
    protected abstract OptionalLong free();

    /**
     * Finds out who else uses the server.
     *
     * @param makes as in {@link ServerUse}
     * @param rights the rights to see the work of others, the number of their operations, and the free space, for people
     */
    protected final Optional<ServerUse> use(List<String> makes, List<String> rights) {
        return Optional.of(ServerUse.of(
                makes,
                () -> errors.attempt("see what others do", this::clients),
                () -> errors.attempt("count operations", this::operations),
                () -> errors.attempt("see how full the disk is", this::free),
                List.of(
                        "what others do (" + rights.get(0) + ")",
                        "how many operations others run (" + rights.get(1) + ")",
                        "how much space is free (" + rights.get(2) + ")")));
    }

    /**
     * The objects that a run creates, for people.
     *
     * @param where the place of the object for a data set, with a leading blank
     */
    protected final List<String> makes(String where) {
        String article = thing.startsWith("i") ? "an " : "a ";
        return List.of(
                article + thing + " siemload_data_... for the data set" + where + ", kept for later runs",
                article + thing + " siemload_run_..., a copy of that data set, dropped at the end of the run",
                article + thing + " siemload_registry that lists all objects of siemload, kept for later runs");
    }

    @Override
    protected final Registry.Server home() {
        owner = errors.attempt("ask the server who is logged in", this::user);
        return this;
    }

    @Override
    public final Instant now() {
        return errors.attempt("ask the server for its time", this::time);
    }

    @Override
    public final List<Entry> entries() {
        List<Entry> found = new ArrayList<>();
        errors.attempt("read siemload's registry", this::registered).forEach((name, values) -> {
            if (owner.equals(values.get(OWNER))) {
                Entry.of(values).filter(entry -> name(entry).equals(name)).ifPresent(found::add);
            }
        });
        return found;
    }

    @Override
    public final boolean insert(Entry entry) {
        return errors.attempt("write into siemload's registry", () -> register(name(entry), values(entry)));
    }

    @Override
    public final boolean change(Entry entry, Optional<Entry> changed) {
        return errors.attempt(
                "write into siemload's registry", () -> change(name(entry), entry.beat(), changed.map(this::values)));
    }

    private String name(Entry entry) {
        return owner + "/" + entry.key();
    }

    private Map<String, Object> values(Entry entry) {
        Map<String, Object> values = new LinkedHashMap<>(entry.values());
        values.put(OWNER, owner);
        return values;
    }

    @Override
    public final boolean isThere(Entry entry) {
        return GIVEN.matcher(entry.name()).matches()
                && !entry.identity().isEmpty()
                && found(entry).filter(entry.identity()::equals).isPresent();
    }

    private Optional<String> found(Entry entry) {
        return errors.attempt("look for " + named(entry.name()), () -> identity(entry.name()));
    }

    /** Running searches do not prevent a drop; the searches fail. */
    @Override
    public final boolean drop(Entry entry, Registry.Sessions sessions) {
        String name = entry.name();
        if (!GIVEN.matcher(name).matches()) {
            return true;
        }
        Optional<String> identity = found(entry);
        return errors.attempt("drop " + named(name), () -> {
            boolean isKnown = !entry.identity().isEmpty();
            if (identity.isEmpty() || (isKnown && !identity.orElseThrow().equals(entry.identity()))) {
                return isKnown || !isBeingMade(name);
            }
            boolean isFree = !isBeingWritten(name, sessions);
            if (isFree) {
                drop(name);
            }
            return isFree;
        });
    }

    /** The documents of one data set, one run or somebody else, in a collection, an index or the like, accessed with one client. */
    protected abstract class Documents implements EventTables {
        private static final int WRITERS = 4;

        private final String name;

        protected Documents(String name) {
            this.name = name;
        }

        protected final String name() {
            return name;
        }

        protected enum Writing {
            /** The batch loads a data set; an existing document makes it fail. */
            LOAD,
            /** The batch is written while searches run: existing documents stay unchanged, and later searches find the new documents. */
            FEED
        }

        protected abstract void make();

        protected abstract void copy(String kept);

        protected abstract long count();

        /** Deletes all documents. @return their number */
        protected abstract long delete();

        /** Stores a batch; a failed batch may be stored in part. @return the batch's size as IDEA JSON, in bytes */
        protected abstract long write(List<SecurityEvent> batch, IdeaWriter writer, Writing writing);

        /** Opens these documents for one run, with the client of that run. */
        protected Store opened(RunCopy copy) {
            return new Opened(copy);
        }

        protected abstract SearchSession session(ScheduledExecutorService watchers);

        protected abstract Counters counters();

        protected abstract long found(List<String> ids);

        /** As {@link Store#relationBytes}. */
        protected abstract SortedMap<String, Long> bytes();

        protected void disconnect() {}

        @Override
        public final String place() {
            return named(name);
        }

        @Override
        public final void create(Registry.Claim claim) {
            made(claim, "make " + place(), this::make);
        }

        @Override
        public final void copyFrom(String kept, Registry.Claim claim) {
            made(claim, "copy " + named(kept), () -> copy(kept));
        }

        private void made(Registry.Claim claim, String tried, ServerErrors.Work<E> making) {
            errors.running(tried, making);
            claim.made(
                    errors.attempt("look for " + place(), () -> identity(name)).orElse(""));
        }

        @Override
        public final long events() {
            return errors.attempt("count the events in " + place(), this::count);
        }

        @Override
        public final long deleteAll() {
            return errors.attempt("delete the events in " + place(), this::delete);
        }

        @Override
        public ParallelLoad openLoad() {
            return new ParallelLoad(place(), WRITERS, () -> {
                IdeaWriter writer = new IdeaWriter();
                return batch -> errors.attempt("load " + place(), () -> write(batch, writer, Writing.LOAD));
            });
        }

        /** The documents of a run, accessed with its own client; existing data are only searched. */
        protected class Opened extends ServerStore {
            private final boolean isOwn;

            protected Opened(RunCopy copy) {
                super(copy);
                this.isOwn = copy.kind() != StoreKind.EXISTING;
            }

            @Override
            public final SearchSession openSession() {
                return session(copy().watchers());
            }

            @Override
            public final EventSink openSink() {
                IdeaWriter writer = new IdeaWriter();
                return isOwn ? batch -> inRun(() -> write(batch, writer, Writing.FEED)) : super.openSink();
            }

            @Override
            public final Optional<Counters> openCounters() {
                return Optional.of(counters());
            }

            @Override
            public final Optional<ServerClock> openClock() {
                return Optional.of(new ServerClock(() -> inRun(NamedServer.this::time), Duration.ofMillis(1), () -> {}))
                        .filter(unused -> isOwn);
            }

            private <T> T inRun(ServerErrors.Attempt<T, E> work) {
                return errors.answering(options.searchTimeout(), work);
            }

            @Override
            public final Presence presenceOf(Collection<String> ids) {
                List<String> distinct = ids.stream().map(Utf8Sanitizer::of).toList();
                return errors.attempt("look for events in " + place(), () -> {
                    List<List<String>> portions = Portions.ofIds(distinct, Portions.ROWS);
                    return new Presence(
                            portions.stream().mapToLong(Documents.this::found).sum(), 0);
                });
            }

            @Override
            public final SortedMap<String, Long> relationBytes() {
                return isOwn
                        ? errors.attempt("read the size of " + place(), Documents.this::bytes)
                        : super.relationBytes();
            }

            @Override
            public final void close() {
                disconnect();
                super.close();
            }
        }
    }

    /**
     * A session on documents: searches run one at a time, and each can be cancelled.
     *
     * @param <F> the exception that the database's client throws
     */
    public abstract static class DocumentSession<F extends RuntimeException> implements SearchSession {
        protected final Canceller stop;

        private final ServerErrors<F> errors;
        private final Duration timeout;
        private final String counted;
        private final Portions.PageCursor cursor = new Portions.PageCursor();
        private long number;

        /**
         * Creates a session for searches that may take this long.
         *
         * @param stopped the server's error code of a cancelled search, as for {@link Canceller}
         * @param counted the name of all searches in the server's counters
         */
        protected DocumentSession(
                ServerErrors<F> errors,
                Duration timeout,
                ScheduledExecutorService watchers,
                String stopped,
                String counted) {
            this.errors = errors;
            this.timeout = timeout;
            this.counted = counted;
            this.stop = new Canceller(watchers, timeout, stopped);
        }

        /** Returns the action that cancels the search that begins now, as for {@link Canceller#arm}. */
        protected abstract Runnable stopping();

        /** Opens a whole result, whose pages are read through {@link #page}; the returned cursor need not refuse pages after a failure. */
        protected abstract ResultCursor result(Search search);

        /** Returns the number that identifies the running search; all pages of a cursor share one number. */
        protected final long number() {
            return number;
        }

        /** Runs a search after closing an open cursor. */
        protected final <T> T run(Supplier<T> answer) {
            cursor.close();
            number++;
            return answered(answer);
        }

        /** Reads a page of a cursor under siemload's timeout; the server has none for pages. */
        protected final long page(Supplier<Long> rows) {
            return answered(() -> {
                stop.scheduleDeadline();
                return rows.get();
            });
        }

        private <T> T answered(Supplier<T> answer) {
            stop.arm(System.nanoTime(), stopping());
            try {
                return errors.answering(timeout, answer::get);
            } finally {
                stop.disarm();
            }
        }

        @Override
        public final ResultCursor open(Search search) {
            return cursor.open(() -> {
                number++;
                return result(search);
            });
        }

        @Override
        public final Optional<String> statement(Search search, PageClass page) {
            return statementOfCursors();
        }

        @Override
        public final Optional<String> statementOfCursors() {
            return Optional.of(counted);
        }

        @Override
        public final void cancel() {
            stop.press();
        }

        @Override
        public final void close() {
            cursor.close();
        }
    }

    /**
     * The counters of a server that reports them in JSON, from which a table selects. Requests that the server refuses are not repeated,
     * and numbers that it lacks are missing.
     *
     * @param <E> the exception that its client throws
     */
    public static final class JsonCounters<E extends RuntimeException> implements Counters {
        private final ServerErrors<E> errors;
        private final Predicate<E> isRefusal;
        private final Duration timeout;
        private final List<Question> questions;
        private final List<Counter> counters;
        private final StatementSource times;
        private final String gap;
        /** The server's reasons for refusing requests, by request. */
        private final Map<String, String> refused = new HashMap<>();

        private final Map<String, Long> upMillis = new HashMap<>();
        private int starts;

        /** The meaning of a number in the server's answer. */
        private enum Unit {
            /** A count that only grows. */
            COUNT,
            /** The total time of all searches, in nanoseconds. */
            SEARCH,
            /** The uptime of the server, or of one of its nodes, in milliseconds; it reveals a restart. */
            UP
        }

        /** @param path matches the full paths of the numbers in the answer */
        private record Counter(Unit unit, long factor, Pattern path, String name) {
            static Counter of(String line) {
                String[] columns = line.split(" {2,}", -1);
                String[] unit = columns[0].split(" ", -1);
                return new Counter(
                        Unit.valueOf(unit[0]), Long.parseLong(unit[1]), Pattern.compile(columns[1]), columns[2]);
            }
        }

        /**
         * A request that is sent at each reading.
         *
         * @param what a description for people, with the right that the request needs
         * @param answer sends the request and returns the server's answer
         */
        public record Question(String what, Supplier<JsonNode> answer) {}

        /**
         * Passes on all values in an answer.
         *
         * @param prefix of their paths: names with dots between them
         */
        public static void eachValue(String prefix, JsonNode object, BiConsumer<String, JsonNode> each) {
            object.forEachEntry((name, value) -> {
                if (value.isObject()) {
                    eachValue(prefix + name + ".", value, each);
                } else {
                    each.accept(prefix + name, value);
                }
            });
        }

        /**
         * Creates the counters without reading any yet.
         *
         * @param isRefusal whether an error means that the server refuses a request
         * @param timeout the time limit of a reading
         * @param questions the answer to the first one has the times of searches
         * @param table three lines, except for comments: the source of the times of searches, what they include, and what the server never
         *     counts. Then a line for each kind of number, with two blanks between its columns: COUNT, SEARCH or UP with the factor to its
         *     unit, a pattern of its path in the answer (names with dots between them), and its name, in which {@code $1} is the first
         *     group. Numbers of the same name are added up
         */
        public JsonCounters(
                ServerErrors<E> errors,
                Predicate<E> isRefusal,
                Duration timeout,
                List<Question> questions,
                String table) {
            this.errors = errors;
            this.isRefusal = isRefusal;
            this.timeout = timeout;
            this.questions = List.copyOf(questions);
            List<String> lines =
                    table.lines().filter(line -> !line.startsWith("--")).toList();
            this.times = StatementSource.of(lines.get(0), lines.get(1));
            this.gap = lines.get(2);
            this.counters = lines.stream().skip(3).map(Counter::of).toList();
        }

        @Override
        public CounterReading read() {
            return errors.answering(timeout, () -> {
                Map<Unit, Map<String, Long>> sums = new EnumMap<>(Unit.class);
                questions.stream()
                        .filter(question -> !refused.containsKey(question.what))
                        .flatMap(this::ask)
                        .forEach(answer -> eachValue("", answer, (path, value) -> add(path, value, sums)));
                of(sums, Unit.UP).forEach(this::noteStart);
                Map<String, StatementTime> searches = new HashMap<>();
                of(sums, Unit.SEARCH).forEach((name, nanos) -> searches.put(name, new StatementTime(0, 0, nanos)));
                return new CounterReading(List.of(), List.of(), of(sums, Unit.COUNT))
                        .with(searches)
                        .startedAt(upMillis.isEmpty() ? "" : "start " + starts);
            });
        }

        private void add(String path, JsonNode value, Map<Unit, Map<String, Long>> sums) {
            for (Counter counter : value.isNumber() ? counters : List.<Counter>of()) {
                Matcher matcher = counter.path.matcher(path);
                if (matcher.matches()) {
                    of(sums, counter.unit)
                            .merge(matcher.replaceFirst(counter.name), value.asLong() * counter.factor, Long::sum);
                }
            }
        }

        private static Map<String, Long> of(Map<Unit, Map<String, Long>> sums, Unit unit) {
            return sums.computeIfAbsent(unit, unused -> new HashMap<>());
        }

        private Stream<JsonNode> ask(Question question) {
            return errors.unless(isRefusal, () -> Stream.of(question.answer.get()), refusal -> {
                refused.put(
                        question.what,
                        errors.meaning(refusal).kind() == Kind.REFUSED
                                ? "this user may not ask for " + question.what + ": " + errors.message(refusal)
                                : question.what + " was refused: " + errors.message(refusal));
                return Stream.of();
            });
        }

        /** A node that joins the cluster, or was silent for a while, does not count as restarted. */
        private void noteStart(String node, long millis) {
            Long before = upMillis.put(node, millis);
            starts += before != null && millis < before ? 1 : 0;
        }

        @Override
        public StatementSource statements() {
            String why = refused.get(questions.get(0).what);
            return why == null ? times : StatementSource.none(why);
        }

        /** {@link #statements} gives the reason why there are no times of searches. */
        @Override
        public List<String> gaps() {
            Stream<String> others =
                    questions.stream().skip(1).map(Question::what).filter(refused::containsKey);
            return Stream.concat(others.map(refused::get), Stream.of(gap)).toList();
        }
    }
}
