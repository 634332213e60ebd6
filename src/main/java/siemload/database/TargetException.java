package siemload.database;

/**
 * A server could not be started, reached, loaded or copied, so that no run is possible. The exception's message tells the user what was
 * tried, what was found and what can be done. It contains no secret.
 */
public final class TargetException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public TargetException(String message) {
        super(message);
    }

    public TargetException(String message, Throwable cause) {
        super(message, cause);
    }
}
