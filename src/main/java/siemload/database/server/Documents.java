package siemload.database.server;

import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.concurrent.ScheduledExecutorService;
import siemload.database.Counters;
import siemload.database.Hint;
import siemload.database.SearchSession;
import siemload.database.Store;
import siemload.database.Store.BulkLoad;
import siemload.database.Store.EventSink;
import siemload.database.Store.Presence;
import siemload.database.Store.Span;
import siemload.database.Store.StoreKind;
import siemload.database.Target.ServerClock;
import siemload.database.registry.Claim;
import siemload.event.IdeaWriter;
import siemload.event.SecurityEvent;
import siemload.query.CountedValue;
import siemload.query.ValueField;

/**
 * The documents of one data set, of one run or of somebody else on a {@link NamedServer}, such as a collection or an index, by one client.
 * What a database does in its own words may throw its client's own errors.
 *
 * @param <E> what its client throws
 */
public abstract class Documents<E extends RuntimeException> implements EventTables {
    private static final int WRITERS = 4;

    private final NamedServer<E> server;
    private final String name;

    protected Documents(NamedServer<E> server, String name) {
        this.server = server;
        this.name = name;
    }

    /** Their name on the server. */
    protected final String name() {
        return name;
    }

    /** What events are stored for. */
    protected enum Writing {
        /** Into a data set: fails where one is there already. */
        LOAD,
        /** Beside searches: what is there already is left alone, and what was stored is found by searches that begin later. */
        FEED
    }

    /** Makes them, empty. */
    protected abstract void make();

    /** Makes them with all of others. @return {@link StoreKind#COPY} or {@link StoreKind#CLONE} */
    protected abstract StoreKind copy(String kept);

    /** Counts them. */
    protected abstract long count();

    /** Deletes all of them. @return how many there were */
    protected abstract long delete();

    /** Stores a batch; one that failed may be stored in part. @return its size as IDEA JSON, in bytes */
    protected abstract long write(List<SecurityEvent> batch, IdeaWriter writer, Writing writing);

    /** Opens a session of a run that is told this hint. */
    protected abstract SearchSession session(Hint hint, ScheduledExecutorService watchers);

    /** Opens what reads the counters of a run. */
    protected abstract Counters counters();

    /** The time of the server that answers, in milliseconds. */
    protected abstract Instant time();

    /** How many of these ids are stored. */
    protected abstract long found(List<String> ids);

    /** As {@link Store#relationBytes}. */
    protected abstract SortedMap<String, Long> bytes();

    /** As {@link Store#rowsWritten} of documents that were there before. */
    protected long written() {
        throw new UnsupportedOperationException(Store.NO_EVENTS);
    }

    /** As {@link Store#span()}. */
    protected Span span() {
        throw new UnsupportedOperationException(Store.NO_EVENTS);
    }

    /** As {@link Store#values(int)}. */
    protected Map<ValueField, List<CountedValue>> values(int most) {
        throw new UnsupportedOperationException(Store.NO_EVENTS);
    }

    /** Gives up the client of a run. */
    protected void disconnect() {}

    @Override
    public final String place() {
        return server.named(name);
    }

    @Override
    public final void create(Claim claim) {
        server.errors().running("make " + place(), this::make);
        note(claim);
    }

    private void note(Claim claim) {
        claim.made(server.errors()
                .trying("look for " + place(), () -> server.identity(name))
                .orElse(""));
    }

    @Override
    public final StoreKind copyFrom(String kept, Claim claim) {
        StoreKind kind = server.errors().trying("copy " + server.named(kept), () -> copy(kept));
        note(claim);
        return kind;
    }

    @Override
    public final long events() {
        return server.errors().trying("count the events in " + place(), this::count);
    }

    @Override
    public final long deleteAll() {
        return server.errors().trying("delete the events in " + place(), this::delete);
    }

    @Override
    public BulkLoad openLoad(String label) {
        return insert(label);
    }

    /** Begins to insert events over several connections. */
    protected final ParallelLoad insert(String label) {
        return ParallelLoad.start(label, WRITERS, () -> {
            IdeaWriter writer = new IdeaWriter();
            return batch -> server.errors().trying("load " + label, () -> write(batch, writer, Writing.LOAD));
        });
    }

    /** Opens these, which are of a client of a run's own, for the run. */
    final Store opened(RunCopy copy) {
        return new Opened(copy);
    }

    /** Those of a run's own copy may be fed beside its searches; those that were there before are left as they are. */
    private final class Opened extends ServerStore {
        private final boolean existing;

        Opened(RunCopy copy) {
            super(copy);
            this.existing = copy.kind() == StoreKind.EXISTING;
        }

        @Override
        public SearchSession openSession() {
            return openSession(server.options().variant().hint());
        }

        @Override
        public SearchSession openSession(Hint hint) {
            return session(hint, copy().watchers());
        }

        @Override
        public EventSink openSink() {
            if (existing) {
                return super.openSink();
            }
            IdeaWriter writer = new IdeaWriter();
            return batch -> server.errors()
                    .answering(
                            server.options().searchTimeout(), () -> Documents.this.write(batch, writer, Writing.FEED));
        }

        @Override
        public Optional<Counters> openCounters() {
            return Optional.of(counters());
        }

        @Override
        public Optional<ServerClock> openClock() {
            return existing
                    ? super.openClock()
                    : Optional.of(ServerClock.ofMillis(
                            () -> server.errors().answering(server.options().searchTimeout(), Documents.this::time)));
        }

        @Override
        public Presence presenceOf(Collection<String> ids) {
            return server.errors()
                    .trying("look for events in " + place(), () -> Portions.presence(ids, Documents.this::found));
        }

        @Override
        public SortedMap<String, Long> relationBytes() {
            return existing
                    ? super.relationBytes()
                    : server.errors().trying("read the size of " + place(), Documents.this::bytes);
        }

        /** Where the user may see that. */
        @Override
        public OptionalLong rowsWritten() {
            return existing
                    ? server.errors()
                            .unless(any -> true, () -> OptionalLong.of(written()), untold -> OptionalLong.empty())
                    : super.rowsWritten();
        }

        @Override
        public Span span() {
            return Documents.this.span();
        }

        @Override
        public Map<ValueField, List<CountedValue>> values(int most) {
            return Documents.this.values(most);
        }

        @Override
        public void close() {
            disconnect();
            super.close();
        }
    }
}
