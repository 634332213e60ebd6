package siemload.target;

import java.util.SortedMap;

/** A connected database server. Used by one thread at a time, except for the stores that it hands out. */
public interface Target extends AutoCloseable {

    /** The version of the server, for instance {@code 18.6}. */
    String version();

    /** The server's settings that differ from its defaults, by name; without secrets. */
    SortedMap<String, String> settings();

    /** Whether a completely loaded data set with this key is kept on the server. */
    boolean holds(DatasetKey key);

    /**
     * Starts to load a data set; what an earlier, interrupted load left of it is removed.
     *
     * @throws TargetException if the server refuses, for instance for a missing right
     */
    DatasetLoad load(DatasetKey key);

    /**
     * Makes a fresh copy of a kept data set for one run. Copies that killed runs left behind are removed first.
     *
     * @param runId letters, digits and hyphens; part of the copy's name
     * @throws TargetException if the data set is not held or the copy fails
     */
    Store copy(DatasetKey key, String runId);

    /**
     * Makes an empty store of the run's layout, without keys and indexes, for a run that measures loading itself: see
     * {@link Store#maintenance}. Copies that killed runs left behind are removed first.
     *
     * @param runId as for {@link #copy}
     * @throws TargetException if the server refuses, or the target does not measure loading
     */
    default Store emptyStore(String runId) {
        throw new TargetException(
                "this target stores nothing, so that its loading cannot be measured; choose another one");
    }

    @Override
    void close();
}
