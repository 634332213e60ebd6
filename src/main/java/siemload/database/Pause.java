package siemload.database;

import java.util.concurrent.TimeUnit;

/** Pauses between two checks for a change or an answer. Stateless. */
public final class Pause {
    private Pause() {}

    /**
     * Waits for this many milliseconds.
     *
     * @param during what is being done, for the message: {@code waiting for the restarted server}
     * @throws TargetException if this thread was interrupted; it stays interrupted
     */
    public static void millis(long millis, String during) {
        try {
            TimeUnit.MILLISECONDS.sleep(millis);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new TargetException(during + " was interrupted", stopped);
        }
    }
}
