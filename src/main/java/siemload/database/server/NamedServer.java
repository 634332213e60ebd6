package siemload.database.server;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import siemload.database.Counters;
import siemload.database.SearchSession;
import siemload.database.Store;
import siemload.database.Store.EventSink;
import siemload.database.Store.Presence;
import siemload.database.Target.ServerUse.Client;
import siemload.database.server.Portions.PageCursor;
import siemload.database.server.Registry.Claim;
import siemload.database.server.Registry.Entry;
import siemload.database.server.ServerTarget.ServerStore.RunCopy;
import siemload.event.IdeaWriter;
import siemload.event.SecurityEvent;
import siemload.query.PageClass;
import siemload.query.Search;

/**
 * A server on which each data set and each run has {@link Documents} with a name, such as a collection or an index: {@code
 * siemload_data_<fingerprint>_<random>} or {@code siemload_run_<run id>_<random>}, and {@code siemload_registry}, which knows whose they
 * are. They are the very ones that an entry tells of if the server still has them under the UUID that it gave them. What a database does
 * in its own words may throw its client's own errors.
 *
 * @param <E> what its client throws
 */
public abstract class NamedServer<E extends RuntimeException> extends ServerTarget {
    protected static final String OURS = "siemload_";

    protected static final String REGISTRY = OURS + "registry";

    /** All names that siemload gives; nothing else is dropped, whatever stands in the registry. */
    private static final Pattern GIVEN = Pattern.compile(OURS + "(?:data|run)_[a-z0-9-]*_[0-9a-f]{8}");

    private final ServerErrors<E> errors;
    private final String thing;
    private final TargetOptions options;

    /** @param thing what it has one of for each, for people: {@code collection} */
    protected NamedServer(ServerErrors<E> errors, String thing, TargetOptions options) {
        this.errors = errors;
        this.thing = thing;
        this.options = options;
    }

    public final TargetOptions options() {
        return options;
    }

    /** What it has one of for each data set and run, with its name, for people. */
    final String named(String name) {
        return "the " + thing + " " + name;
    }

    /** The documents of this name, by the client for what happens outside runs. */
    @Override
    protected abstract Documents tables(String name);

    /** The same by a client of a run's own. */
    protected abstract Documents searched(String name);

    /** The UUID of the thing of this name; empty where there is none. */
    protected abstract Optional<String> identity(String name);

    /** Whether the server goes on to make it, for a process that may have been killed. */
    protected abstract boolean isBeingMade(String name);

    /** Whether somebody would make it anew by writing into it; one's own sessions may be waited for. */
    protected boolean isBeingWritten(String name, Registry.Sessions sessions) {
        return false;
    }

    protected abstract void drop(String name);

    /** The server's time, in milliseconds; asked by any thread. */
    protected abstract Instant time();

    /** Who is logged in; empty where the server asks nobody who they are. */
    protected abstract String user();

    /** The values of all that lies in the registry, by its name there; texts, and whole numbers. */
    protected abstract Map<String, Map<String, Object>> registered();

    /** Adds to the registry, which is made where it is not there. @return whether the name was free */
    protected abstract boolean register(String name, Map<String, Object> values);

    /**
     * Changes what lies in the registry, or removes it, in one step.
     *
     * @param beat the one that it must have still
     * @param values empty for its removal
     * @return whether it was still there, with that beat
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

    /** How much more can be stored; empty where it does not tell. */
    protected abstract OptionalLong free();

    /**
     * Looks at who uses the server.
     *
     * @param makes as of {@link ServerUse}
     * @param directory as of {@link ServerUse}
     * @param rights that let a user see what others do, how much they ask, and how much room there is: each for people
     */
    protected final Optional<ServerUse> use(List<String> makes, String directory, List<String> rights) {
        return Optional.of(ServerUse.of(
                makes,
                directory,
                () -> errors.attempt("see what others do", this::clients),
                () -> errors.attempt("count operations", this::operations),
                () -> errors.attempt("see how full the disk is", this::free),
                List.of(
                        "what others do (" + rights.get(0) + ")",
                        "how much others ask of it (" + rights.get(1) + ")",
                        "how much room there is (" + rights.get(2) + ")")));
    }

    /**
     * What a run makes, for people.
     *
     * @param where what is said of the place of a data set, with a blank before it
     */
    protected final List<String> makes(String where) {
        String article = thing.startsWith("i") ? "an " : "a ";
        return List.of(
                article + thing + " siemload_data_... for the data set" + where + ", kept for later runs",
                article + thing + " siemload_run_..., a copy of it, dropped at the end",
                article + thing + " siemload_registry that lists what it has made, kept");
    }

    @Override
    protected final Registry.Server home() {
        return new Registered();
    }

    /**
     * What lies in the registry without being an entry of the user who is logged in is left alone. Another name than siemload gives is not
     * even asked for: it may be no part of a path, or more than one.
     */
    private final class Registered implements Registry.Server {
        private static final String OWNER = "owner";

        private final String owner = errors.attempt("ask the server who is logged in", NamedServer.this::user);

        @Override
        public Instant now() {
            return errors.attempt("ask the server for its time", NamedServer.this::time);
        }

        @Override
        public List<Entry> entries() {
            List<Entry> found = new ArrayList<>();
            errors.attempt("read siemload's registry", NamedServer.this::registered)
                    .forEach((name, values) -> {
                        if (owner.equals(values.get(OWNER))) {
                            Entry.of(values)
                                    .filter(entry -> name(entry).equals(name))
                                    .ifPresent(found::add);
                        }
                    });
            return found;
        }

        @Override
        public boolean insert(Entry entry) {
            return errors.attempt("write into siemload's registry", () -> register(name(entry), values(entry)));
        }

        @Override
        public boolean change(Entry entry, Optional<Entry> changed) {
            return errors.attempt(
                    "write into siemload's registry",
                    () -> NamedServer.this.change(name(entry), entry.beat(), changed.map(this::values)));
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
        public boolean isThere(Entry entry) {
            return GIVEN.matcher(entry.name()).matches()
                    && !entry.identity().isEmpty()
                    && found(entry).filter(entry.identity()::equals).isPresent();
        }

        private Optional<String> found(Entry entry) {
            return errors.attempt("look for " + named(entry.name()), () -> identity(entry.name()));
        }

        /** Searches make no difference: whoever is searching it gets an error. */
        @Override
        public boolean drop(Entry entry, Registry.Sessions sessions) {
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
                    NamedServer.this.drop(name);
                }
                return isFree;
            });
        }
    }

    /** The documents of one data set, of one run or of somebody else, such as a collection or an index, by one client. */
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
            /** Into a data set: fails where one is there already. */
            LOAD,
            /** Beside searches: what is there already is left alone, and what was stored is found by searches that begin later. */
            FEED
        }

        protected abstract void make();

        protected abstract void copy(String kept);

        protected abstract long count();

        /** Deletes all of them. @return how many there were */
        protected abstract long delete();

        /** Stores a batch; one that failed may be stored in part. @return its size as IDEA JSON, in bytes */
        protected abstract long write(List<SecurityEvent> batch, IdeaWriter writer, Writing writing);

        /** Opens these, which are of a client of a run's own, for the run. */
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
        public final void create(Claim claim) {
            made(claim, "make " + place(), this::make);
        }

        @Override
        public final void copyFrom(String kept, Claim claim) {
            made(claim, "copy " + named(kept), () -> copy(kept));
        }

        private void made(Claim claim, String tried, Runnable making) {
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
            return ParallelLoad.start(place(), WRITERS, () -> {
                IdeaWriter writer = new IdeaWriter();
                return batch -> errors.attempt("load " + place(), () -> write(batch, writer, Writing.LOAD));
            });
        }

        /** Those of a run, by a client of its own; what was there before is only searched. */
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
                return errors.attempt(
                        "look for events in " + place(), () -> Portions.presence(ids, Documents.this::found));
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
     * A session on documents: searches run one at a time, and each can be stopped.
     *
     * @param <F> what the database's client throws
     */
    public abstract static class DocumentSession<F extends RuntimeException> implements SearchSession {
        protected final Canceller stop;

        private final ServerErrors<F> errors;
        private final Duration timeout;
        private final String counted;
        private final PageCursor cursor = new PageCursor();
        private long number;

        /**
         * For searches that may take so long.
         *
         * @param stopped as of {@link Canceller}
         * @param counted what the server's counters call all that searches do
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

        /** What stops the search that begins now: as for {@link Canceller#arm}. */
        protected abstract Runnable stopping();

        /** Opens a whole result, each page of which is {@link #page one}; they need not be refused after a failure. */
        protected abstract ResultCursor result(Search search);

        /** Tells the search that is running from those before it; all pages of a cursor are one. */
        protected final long number() {
            return number;
        }

        /** Runs a search, in place of a cursor that is open. */
        protected final <T> T run(Supplier<T> answer) {
            cursor.close();
            number++;
            return answered(answer);
        }

        /** Reads a page of a cursor; no server watches over its timeout. */
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
}
