package siemload.target;

import java.util.OptionalLong;

/** A server that the suite started itself. Closing it stops it; closing twice is harmless. Thread-safe. */
public interface EmbeddedServer extends AutoCloseable {

    /** Where it listens. */
    ServerAddress address();

    /** Why it has ended by itself, in one line with advice; empty while it runs, or where nobody knows. */
    default String causeOfEnd() {
        return "";
    }

    /** The process that all processes of the server descend from; empty where there is none of its own. */
    default OptionalLong process() {
        return OptionalLong.empty();
    }

    @Override
    void close();
}
