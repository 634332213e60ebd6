package siemload.database.server;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import siemload.database.Counters;
import siemload.database.Hint;
import siemload.database.SearchSession;
import siemload.database.Target.ServerClock;
import siemload.database.server.Documents.Writing;
import siemload.event.IdeaWriter;
import siemload.query.CountedValue;
import siemload.query.ValueField;

/**
 * The documents that a run searches, by a client of the run's own. Those of its own copy may be fed beside that; those that were there
 * before are left as they are.
 */
final class DocumentStore<E extends RuntimeException> extends ServerStore {
    private final NamedServer<E> server;
    private final Documents<E> documents;
    private final boolean existing;

    DocumentStore(NamedServer<E> server, Documents<E> documents, RunCopy copy) {
        super(copy);
        this.server = server;
        this.documents = documents;
        this.existing = copy.kind() == StoreKind.EXISTING;
    }

    @Override
    public SearchSession openSession() {
        return openSession(server.options().variant().hint());
    }

    @Override
    public SearchSession openSession(Hint hint) {
        return documents.session(hint, copy().watchers());
    }

    @Override
    public EventSink openSink() {
        if (existing) {
            return super.openSink();
        }
        IdeaWriter writer = new IdeaWriter();
        return batch -> server.errors()
                .answering(server.options().searchTimeout(), () -> documents.write(batch, writer, Writing.FEED));
    }

    @Override
    public Optional<Counters> openCounters() {
        return Optional.of(documents.counters());
    }

    @Override
    public Optional<ServerClock> openClock() {
        return existing
                ? super.openClock()
                : Optional.of(ServerClock.ofMillis(
                        () -> server.errors().answering(server.options().searchTimeout(), documents::time)));
    }

    @Override
    public Presence presenceOf(Collection<String> ids) {
        return existing
                ? super.presenceOf(ids)
                : server.errors()
                        .trying(
                                "look for events in " + documents.place(),
                                () -> Portions.presence(ids, documents::found));
    }

    @Override
    public SortedMap<String, Long> relationBytes() {
        return existing
                ? super.relationBytes()
                : server.errors().trying("read the size of " + documents.place(), documents::bytes);
    }

    @Override
    public void serverRestarted() {
        server.errors().running("reach the restarted server", () -> {
            server.tables(documents.name()).reconnect();
            documents.reconnect();
        });
    }

    /** Where the user may see that. */
    @Override
    public OptionalLong rowsWritten() {
        return existing
                ? server.errors()
                        .unless(any -> true, () -> OptionalLong.of(documents.written()), untold -> OptionalLong.empty())
                : super.rowsWritten();
    }

    @Override
    public Span span() {
        return documents.span();
    }

    @Override
    public Map<ValueField, List<CountedValue>> values(int most) {
        return documents.values(most);
    }

    @Override
    public void close() {
        documents.disconnect();
        super.close();
    }
}
