package siemload.target;

/** A server that the suite started itself. Closing it stops it; closing twice is harmless. Thread-safe. */
public interface EmbeddedServer extends AutoCloseable {

    /** Where it listens. */
    ServerAddress address();

    @Override
    void close();
}
