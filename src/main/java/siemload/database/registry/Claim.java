package siemload.database.registry;

import java.util.Optional;
import java.util.function.Consumer;
import siemload.database.TargetException;
import siemload.database.registry.Entry.Purpose;
import siemload.database.registry.ServerObjects.Drop;
import siemload.database.registry.ServerObjects.Sessions;

/** Something on a server that this process holds, from the moment before it is made. Thread-safe. */
public final class Claim {
    private final RegistryStorage storage;
    private final ServerObjects objects;
    private final Consumer<Claim> ended;
    private Entry entry;
    private boolean held = true;

    Claim(Entry entry, RegistryStorage storage, ServerObjects objects, Consumer<Claim> ended) {
        this.entry = entry;
        this.storage = storage;
        this.objects = objects;
        this.ended = ended;
    }

    /** Its name on the server. */
    public synchronized String name() {
        return entry.name();
    }

    /** What it is, for people who find it on the server. */
    public synchronized String label() {
        return entry.label();
    }

    /**
     * Notes that it has been made.
     *
     * @param identity how the server tells it from another one of the same name
     * @throws TargetException if another process took it for abandoned
     */
    public synchronized void made(String identity) {
        change(identity);
    }

    /**
     * Makes a loaded data set the one that all runs find; where another process was faster, its own is, and this one is
     * dropped.
     *
     * @param contents a summary of its events
     * @throws TargetException if another process took it for abandoned
     */
    public void keepOrRelease(String contents, long events) {
        if (!keep(contents, events)) {
            release();
        }
    }

    /**
     * Makes a loaded data set the one that all runs find.
     *
     * @param contents a summary of its events
     * @return whether it is; if not, somebody else was faster, and this one should be released
     * @throws TargetException if another process took it for abandoned
     */
    synchronized boolean keep(String contents, long events) {
        change(entry.identity());
        Entry complete = entry.complete(contents, events, storage.now());
        if (!storage.insert(complete) && !replacesOneThatIsGone(complete)) {
            return false;
        }
        storage.delete(entry);
        end();
        return true;
    }

    private boolean replacesOneThatIsGone(Entry complete) {
        return storage.entries().stream()
                .filter(other ->
                        other.purpose() == Purpose.DATA_SET && other.key().equals(complete.key()))
                .findFirst()
                .filter(other -> !objects.isThere(other))
                .map(gone -> storage.delete(gone) && storage.insert(complete))
                .orElse(false);
    }

    /** Drops it with whoever of this process is still connected to it, and forgets it. Doing so twice is harmless. */
    public void release() {
        release(Sessions.END);
    }

    /** Gives up after a failure; where that fails, too, it is added to the failure, and some later run drops the thing. */
    public void giveUp(Exception failure) {
        try {
            release();
        } catch (TargetException unreachable) {
            failure.addSuppressed(unreachable);
        }
    }

    synchronized void release(Sessions sessions) {
        if (!held) {
            return;
        }
        if (objects.drop(entry, sessions) == Drop.IN_USE) {
            leave();
        } else {
            forget();
        }
    }

    /** Neither drops nor forgets it: once this process is gone, another one drops it. */
    synchronized void leave() {
        end();
    }

    /** Forgets it without dropping anything: it was never made. */
    public synchronized void forget() {
        if (held) {
            storage.delete(entry);
            end();
        }
    }

    synchronized void giveSignOfLife() {
        if (held) {
            try {
                change(entry.identity());
            } catch (TargetException missed) {
                // There is time for several more; and whoever took it over keeps it.
            }
        }
    }

    private void change(String identity) {
        if (!held || !(replaced(identity) || (adoptStored() && replaced(identity)))) {
            throw new TargetException(
                    entry.name() + " was taken for abandoned by another siemload, since this one gave no"
                            + " sign of life for minutes; start it again");
        }
    }

    private boolean replaced(String identity) {
        Entry changed = entry.changed(identity, entry.holder(), storage.now());
        boolean replaced = storage.replace(entry, changed);
        entry = replaced ? changed : entry;
        return replaced;
    }

    /** A change whose acknowledgement was lost is made all the same: what is stored is still this process's own. */
    private boolean adoptStored() {
        Optional<Entry> stored = storage.entries().stream()
                .filter(other ->
                        other.key().equals(entry.key()) && other.holder().equals(entry.holder()))
                .findFirst();
        entry = stored.orElse(entry);
        return stored.isPresent();
    }

    private void end() {
        held = false;
        ended.accept(this);
    }
}
