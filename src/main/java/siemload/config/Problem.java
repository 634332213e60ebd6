package siemload.config;

/**
 * One mistake in the configuration. Immutable.
 *
 * @param path the value's path in its file, for instance {@code analysts[tier-1].users}; empty if the origin is enough
 * @param message what was found, and what is allowed
 */
public record Problem(Origin origin, String path, String message) {

    /** Creates a problem without a path. */
    public Problem(Origin origin, String message) {
        this(origin, "", message);
    }

    /** Returns the problem as one line: {@code scenarios/x.yaml:14:12: feeder.eps: '5k' is not a number (allowed: 0 to 1000000)}. */
    @Override
    public String toString() {
        return origin + ": " + (path.isEmpty() ? "" : path + ": ") + message;
    }
}
