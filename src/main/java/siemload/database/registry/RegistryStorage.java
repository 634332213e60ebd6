package siemload.database.registry;

import java.time.Instant;
import java.util.List;

/**
 * Where a server keeps the entries of one user. Each change is atomic, so that of two processes that want to make the same
 * change one is told that it came too late. Thread-safe; every call blocks and throws a {@link
 * siemload.database.TargetException} if the server cannot be asked.
 */
public interface RegistryStorage {

    /** The server's time: the only one by which two machines can agree. */
    Instant now();

    /** All entries. */
    List<Entry> entries();

    /** Adds an entry. @return whether its key was free */
    boolean insert(Entry entry);

    /** Puts a changed entry in the place of one with the same key. @return whether that one was still there, unchanged */
    boolean replace(Entry entry, Entry changed);

    /** Takes an entry out. @return whether it was still there, unchanged */
    boolean delete(Entry entry);
}
