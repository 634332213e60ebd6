package siemload.database.server;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.concurrent.ScheduledExecutorService;
import siemload.database.Counters;
import siemload.database.SearchSession;
import siemload.database.Store;
import siemload.database.Store.BulkLoad;
import siemload.database.Store.EventSink;
import siemload.database.Store.Presence;
import siemload.database.Target.ServerClock;
import siemload.database.registry.Claim;
import siemload.event.IdeaWriter;
import siemload.event.SecurityEvent;

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

    /** Makes them with all of others. */
    protected abstract void copy(String kept);

    /** Counts them. */
    protected abstract long count();

    /** Deletes all of them. @return how many there were */
    protected abstract long delete();

    /** Stores a batch; one that failed may be stored in part. @return its size as IDEA JSON, in bytes */
    protected abstract long write(List<SecurityEvent> batch, IdeaWriter writer, Writing writing);

    /** Opens a session of a run. */
    protected abstract SearchSession session(ScheduledExecutorService watchers);

    /** Opens what reads the counters of a run. */
    protected abstract Counters counters();

    /** How many of these ids are stored. */
    protected abstract long found(List<String> ids);

    /** As {@link Store#relationBytes}. */
    protected abstract SortedMap<String, Long> bytes();

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
    public final void copyFrom(String kept, Claim claim) {
        server.errors().running("copy " + server.named(kept), () -> copy(kept));
        note(claim);
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
    protected Store opened(RunCopy copy) {
        return new Opened(copy);
    }

    /** These, for searches alone. */
    protected class Searched extends ServerStore {
        protected Searched(RunCopy copy) {
            super(copy);
        }

        @Override
        public final SearchSession openSession() {
            return session(copy().watchers());
        }

        @Override
        public final Optional<Counters> openCounters() {
            return Optional.of(counters());
        }

        @Override
        public final Presence presenceOf(Collection<String> ids) {
            return server.errors()
                    .trying("look for events in " + place(), () -> Portions.presence(ids, Documents.this::found));
        }

        @Override
        public final void close() {
            disconnect();
            super.close();
        }
    }

    /** Those of a run's own copy, which may be fed beside its searches. */
    private final class Opened extends Searched {
        Opened(RunCopy copy) {
            super(copy);
        }

        @Override
        public EventSink openSink() {
            IdeaWriter writer = new IdeaWriter();
            return batch -> server.errors()
                    .answering(
                            server.options().searchTimeout(), () -> Documents.this.write(batch, writer, Writing.FEED));
        }

        @Override
        public Optional<ServerClock> openClock() {
            return Optional.of(new ServerClock(
                    () -> server.errors().answering(server.options().searchTimeout(), server::time),
                    Duration.ofMillis(1),
                    () -> {}));
        }

        @Override
        public SortedMap<String, Long> relationBytes() {
            return server.errors().trying("read the size of " + place(), Documents.this::bytes);
        }
    }
}
