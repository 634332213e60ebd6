package siemload.config;

/**
 * One mistake in the configuration. Immutable.
 *
 * @param message what was found, and what is allowed; in a file, after the value's path: {@code analysts[tier-1].users: is missing}
 */
public record Problem(Origin origin, String message) {

    /** Returns the problem as one line: {@code scenarios/x.yaml:14:12: feeder.eps: '5k' is not a number (allowed: 0 to 1000000)}. */
    @Override
    public String toString() {
        return origin + ": " + message;
    }
}
