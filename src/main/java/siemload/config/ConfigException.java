package siemload.config;

import java.util.List;

/** Reports that the configuration cannot be used; the message lists all of its problems for the user. */
public final class ConfigException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final transient List<Problem> problems;

    /** Reports this one problem. */
    public ConfigException(Origin origin, String message) {
        this(origin + ": " + message, List.of(new Problem(origin, message)));
    }

    ConfigException(String message, List<Problem> problems) {
        super(message);
        this.problems = List.copyOf(problems);
    }

    /** Returns the problems in the order of the message. */
    public List<Problem> problems() {
        return problems;
    }
}
