package siemload.load.injector;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.concurrent.CompletableFuture;

/**
 * The connection to one injector: its standard input and output, over which frames go, each a line of JSON in UTF-8. An injector
 * says nothing there before it has been told its part, so that nothing is lost where a connection is made after it has started;
 * what it says besides goes to its standard error. Thread-safe, except for the streams, which one thread each uses.
 */
public interface InjectorChannel {

    /** Where the injector is, for people: {@code this machine}. */
    String place();

    /**
     * What the injector writes; it ends with the injector, or when that cannot be reached any more. A read may block for as long as
     * the injector is silent.
     *
     * @return when the injector runs, which may take minutes
     * @throws IOException if it does not come to run; the message says what became of it, as {@link #fate} does
     */
    InputStream output() throws IOException;

    /**
     * What the injector reads. Closed, it tells the injector that nobody coordinates it any more: it stops at once.
     *
     * @return when the injector runs
     * @throws IOException if it does not come to run
     */
    OutputStream input() throws IOException;

    /** What the injector said last on its standard error, for people, at most some kilobytes; empty where it said nothing. */
    String diagnostics();

    /**
     * Completed when the injector has ended, however, or cannot be reached any more, and never exceptionally: what became of it,
     * as a predicate for people: {@code has ended with exit code 1}. Each call returns a future of its own.
     */
    CompletableFuture<String> fate();

    /** Ends the injector at once, without waiting for it; nothing happens where it has ended. */
    void kill();
}
