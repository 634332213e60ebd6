package siemload.load.injector;

import java.io.IOException;

/**
 * Where the injectors of a run are started: this machine, or others. It knows nothing of what they do there: whoever
 * coordinates them talks to each over its channel. Thread-safe.
 */
public interface InjectorHost extends AutoCloseable {

    /** Where that is, for people, as long as nobody knows more of an injector than that: {@code this machine}. */
    String place();

    /**
     * Starts an injector, {@code siemload inject}, without any settings: it gets them over its channel, and secrets with them.
     *
     * @param index 0 for the first one; no two of a run have the same
     * @return at once; whether and when it runs is seen by the channel
     * @throws IOException if it cannot be started; the message says why, and what can be done
     */
    InjectorChannel start(int index) throws IOException;

    /** Ends whatever injectors are left, and gives back what they took; closing twice is harmless. */
    @Override
    void close();
}
