package siemload.database.scripted;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import siemload.database.EventSink;
import siemload.database.SearchSession;
import siemload.database.Store;
import siemload.event.IdeaWriter;
import siemload.event.SecurityEvent;

/** One run's script, and the ids that were fed to it. */
final class ScriptedStore implements Store {
    private final Script script;
    private final Duration searchTimeout;
    private final long loaded;
    private final Set<String> fed = ConcurrentHashMap.newKeySet();

    ScriptedStore(Script script, Duration searchTimeout, long loaded) {
        this.script = script;
        this.searchTimeout = searchTimeout;
        this.loaded = loaded;
    }

    @Override
    public SearchSession openSession() {
        return new ScriptedSession(script, searchTimeout);
    }

    @Override
    public EventSink openSink() {
        IdeaWriter writer = new IdeaWriter();
        return new EventSink() {
            @Override
            public long write(List<SecurityEvent> batch) {
                batch.forEach(event -> fed.add(event.id()));
                return batch.stream()
                        .mapToLong(event -> writer.toBytes(event).length)
                        .sum();
            }

            @Override
            public void close() {}
        };
    }

    @Override
    public long events() {
        return loaded + fed.size();
    }

    @Override
    public Presence presenceOf(Collection<String> ids) {
        return new Presence(ids.stream().distinct().filter(fed::contains).count(), 0);
    }

    @Override
    public void close() {}
}
