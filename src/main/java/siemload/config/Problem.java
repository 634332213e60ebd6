package siemload.config;

/**
 * One thing that is wrong with the configuration. Immutable.
 *
 * @param origin where it was found
 * @param path the value's path in its file, for instance {@code analysts[tier-1].users}; empty if the origin is enough
 * @param message what was found, and what is allowed
 */
public record Problem(Origin origin, String path, String message) {

    /** A problem without a path. */
    public Problem(Origin origin, String message) {
        this(origin, "", message);
    }

    /** One line: {@code scenarios/x.yaml:14:12: feeder.eps: '5k' is not a number (allowed: 0 to 1000000)}. */
    @Override
    public String toString() {
        return origin + ": " + (path.isEmpty() ? "" : path + ": ") + message;
    }
}
