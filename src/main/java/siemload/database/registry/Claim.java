package siemload.database.registry;

import java.util.List;
import siemload.database.TargetException;
import siemload.database.registry.Registry.Sessions;

/** Something on a server that this process holds, from the moment before it is made. Thread-safe. */
public final class Claim implements AutoCloseable {
    private final Registry registry;
    private Entry entry;
    private boolean held = true;

    Claim(Entry entry, Registry registry) {
        this.entry = entry;
        this.registry = registry;
    }

    /** Its name on the server. */
    public synchronized String name() {
        return entry.name();
    }

    /**
     * Notes that it has been made.
     *
     * @param identity how the server tells it from another one of the same name
     * @throws TargetException if another process took it for abandoned
     */
    public synchronized void made(String identity) {
        if (!held || !(replaced(identity) || (adoptStored() && replaced(identity)))) {
            throw new TargetException(
                    entry.name() + " was taken for abandoned by another siemload, since this one gave no"
                            + " sign of life for minutes; start it again");
        }
    }

    private boolean replaced(String identity) {
        Entry changed = entry.changed(identity, entry.holder(), registry.now());
        boolean replaced = registry.server.replace(entry, changed);
        entry = replaced ? changed : entry;
        return replaced;
    }

    /** A change whose acknowledgement was lost is made all the same: what is stored is still this process's own. */
    private boolean adoptStored() {
        String key = entry.key();
        String holder = entry.holder();
        List<Entry> stored = registry.entries(
                other -> other.key().equals(key) && other.holder().equals(holder));
        entry = stored.isEmpty() ? entry : stored.get(0);
        return !stored.isEmpty();
    }

    synchronized void giveSignOfLife() {
        if (held) {
            try {
                made(entry.identity());
            } catch (TargetException missed) {
                // There is time for several more; and whoever took it over keeps it.
            }
        }
    }

    /**
     * Makes a loaded data set the one that all runs find, if no other is yet.
     *
     * @param contents a summary of its events
     * @return whether it is now
     * @throws TargetException if another process took it for abandoned
     */
    public synchronized boolean keep(String contents, long events) {
        made(entry.identity());
        Entry complete = entry.complete(contents, events, registry.now());
        boolean kept = registry.server.insert(complete) || replacesOneThatIsGone(complete);
        if (kept) {
            forget();
        }
        return kept;
    }

    private boolean replacesOneThatIsGone(Entry complete) {
        return registry.entry(complete.fingerprint())
                .filter(other -> !registry.server.isThere(other))
                .map(gone -> registry.server.delete(gone) && registry.server.insert(complete))
                .orElse(false);
    }

    /** Drops it with whoever of this process is still connected to it, and forgets it. Doing so twice is harmless. */
    @Override
    public synchronized void close() {
        if (held && registry.server.drop(entry, Sessions.END)) {
            forget();
        }
        end();
    }

    /** Leaves it to whoever sweeps next, at once. */
    synchronized void leave() {
        boolean unused = held && registry.server.replace(entry, entry.changed(entry.identity(), "", registry.now()));
        end();
    }

    /** Forgets it without dropping anything. */
    synchronized void forget() {
        if (held) {
            registry.server.delete(entry);
            end();
        }
    }

    private void end() {
        held = false;
        registry.held.remove(this);
    }
}
