package siemload.load.injector;

import java.io.InputStream;
import java.io.OutputStream;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;

/**
 * The connection to one injector: its standard input and output, over which frames go, each a line of JSON in UTF-8. What an
 * injector says besides goes to its standard error. Thread-safe, except for the streams, which one thread each uses.
 */
public interface InjectorChannel {

    /** What the injector writes; it ends with the injector. A read may block for as long as the injector is silent. */
    InputStream output();

    /** What the injector reads. Closed, it tells the injector that nobody coordinates it any more: it stops at once. */
    OutputStream input();

    /** What the injector said last on its standard error, for people, at most some kilobytes; empty where it said nothing. */
    String diagnostics();

    /**
     * Completed when the injector has ended, however, and never exceptionally: with its exit code, or with nothing where
     * nobody knows it.
     */
    CompletableFuture<OptionalInt> exit();

    /** Ends the injector at once, without waiting for it; nothing happens where it has ended. */
    void kill();
}
