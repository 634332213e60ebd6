package siemload.database.scripted;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import siemload.database.Counters;
import siemload.database.EventSink;
import siemload.database.LocalSink;
import siemload.database.SearchSession;
import siemload.database.Store;
import siemload.database.Trends;
import siemload.query.Field;
import siemload.query.Summary;

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
        return new LocalSink(batch -> batch.forEach(event -> fed.add(event.id())));
    }

    @Override
    public Optional<Counters> openCounters() {
        return Optional.of(new ScriptedCounters(script));
    }

    @Override
    public Optional<String> nameToJoin() {
        return Optional.of("script");
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
    public Optional<Trends> trends() {
        return Optional.of(new NoTrends());
    }

    @Override
    public void close() {}

    /** As empty as all other answers. */
    private record NoTrends() implements Trends {
        @Override
        public void create() {}

        @Override
        public List<Summary.Line> lines(String trend, Field field) {
            return List.of();
        }
    }
}
