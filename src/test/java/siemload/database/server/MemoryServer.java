package siemload.database.server;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import siemload.database.TargetException;
import siemload.database.server.Registry.Entry;

/**
 * A server in the memory of the tests, with a clock that they set: entries, and objects with what tells them from others of
 * the same name. Thread-safe.
 */
public final class MemoryServer implements Registry.Server {
    private final Map<String, Entry> entries = new TreeMap<>();
    private final Map<String, String> objects = new TreeMap<>();
    private final List<String> inUse = new ArrayList<>();
    private Instant now = Instant.parse("2026-06-06T12:00:00Z");
    private int lostAcknowledgements;

    /** Somebody makes an object, whoever it is. */
    synchronized void make(String name, String identity) {
        objects.put(name, identity);
    }

    synchronized void use(String name) {
        inUse.add(name);
    }

    synchronized void letGo(String name) {
        inUse.remove(name);
    }

    synchronized Map<String, String> objects() {
        return Map.copyOf(objects);
    }

    synchronized void jump(Duration distance) {
        now = now.plus(distance);
    }

    /** The next changes are made, but whoever asked for them hears that the connection broke. */
    public synchronized void loseAcknowledgements(int changes) {
        lostAcknowledgements = changes;
    }

    @Override
    public synchronized Instant now() {
        return now;
    }

    @Override
    public synchronized List<Entry> entries() {
        return List.copyOf(entries.values());
    }

    @Override
    public synchronized boolean insert(Entry entry) {
        return acknowledged(entries.putIfAbsent(entry.key(), entry) == null);
    }

    @Override
    public synchronized boolean change(Entry entry, Optional<Entry> changed) {
        Entry stored = entries.get(entry.key());
        boolean same = stored != null && stored.beat() == entry.beat();
        if (same) {
            entries.remove(entry.key());
            changed.ifPresent(next -> entries.put(entry.key(), next));
        }
        return acknowledged(same);
    }

    @Override
    public synchronized boolean isThere(Entry entry) {
        return entry.identity().equals(objects.get(entry.name()));
    }

    @Override
    public synchronized boolean drop(Entry entry, Registry.Sessions sessions) {
        boolean isOurs = objects.containsKey(entry.name())
                && (isThere(entry) || entry.identity().isEmpty());
        if (isOurs && sessions == Registry.Sessions.RESPECT && inUse.contains(entry.name())) {
            return false;
        }
        if (isOurs) {
            objects.remove(entry.name());
        }
        return true;
    }

    private boolean acknowledged(boolean answer) {
        if (lostAcknowledgements > 0) {
            lostAcknowledgements--;
            throw new TargetException("the connection broke");
        }
        return answer;
    }
}
