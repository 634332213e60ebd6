package siemload.measure;

import java.io.IOException;

/** Takes what was measured second by second. Used by one thread at a time. */
public interface SecondLog extends AutoCloseable {

    /** Ends the current second at this instant of the monotonic clock. */
    void tick(long nowNanos);

    /** Nothing more comes. @throws IOException if something is missing */
    @Override
    void close() throws IOException;
}
