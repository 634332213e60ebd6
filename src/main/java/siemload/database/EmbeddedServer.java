package siemload.database;

import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * A server that the suite started itself, or one of which nobody knows more than its address. Closing it stops it; closing twice is
 * harmless. Thread-safe.
 */
@FunctionalInterface
public interface EmbeddedServer extends AutoCloseable {

    ServerAddress address();

    /** What was found and done at its starts and its end that people should know, each in one line. */
    default List<String> notes() {
        return List.of();
    }

    /** Why it has ended by itself, in one line with advice; empty while it runs, or where nobody knows. */
    default String causeOfEnd() {
        return "";
    }

    /** The process that all processes of the server descend from; empty where there is none of its own. */
    default OptionalLong process() {
        return OptionalLong.empty();
    }

    /** The directory that holds all that it stores; empty where it stores nothing in files and cannot be restarted. */
    default Optional<Path> files() {
        return Optional.empty();
    }

    /**
     * Stops it and starts it again at the same address with the same data. Its connections break.
     *
     * @param whileStopped is run in between; where it fails the server is started all the same
     * @throws TargetException if it does not stop or start
     * @throws UnsupportedOperationException if it has no {@link #files}
     */
    default void restart(Runnable whileStopped) {
        throw new UnsupportedOperationException("this server cannot be restarted");
    }

    /** Does nothing for one that is this process itself, or somebody's own. */
    @Override
    default void close() {}

    /**
     * How an embedded server is started. Immutable.
     *
     * @param directory where it keeps its data between runs; created if missing
     * @param sessions how many connections it must accept at once
     * @param parameters those of the run, by name, of which the server takes what can only be set at its start
     */
    record EmbeddedOptions(Path directory, int sessions, Map<String, String> parameters) {

        public EmbeddedOptions {
            parameters = Collections.unmodifiableMap(new TreeMap<>(parameters));
        }
    }
}
