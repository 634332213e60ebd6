package siemload.config;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** The configuration cannot be used; the message lists everything that is wrong with it, for people. */
public final class ConfigException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final transient List<Problem> problems;

    /**
     * A configuration with these problems.
     *
     * @param problems at least one
     */
    public ConfigException(List<Problem> problems) {
        this(problems, 0);
    }

    /** For problems of which only the first are shown, and the others counted. */
    ConfigException(List<Problem> problems, int others) {
        super(problems.stream()
                        .map(one -> one.excerpt().isEmpty() ? one.toString() : one + "\n" + one.excerpt())
                        .collect(Collectors.joining("\n"))
                + (others > 0 ? String.format(Locale.ROOT, "\nand %,d more", others) : ""));
        this.problems = List.copyOf(problems);
    }

    /** A configuration with this one problem. */
    public ConfigException(Origin origin, String message) {
        this(List.of(new Problem(origin, message)));
    }

    /** What is wrong, in the order of the message. */
    public List<Problem> problems() {
        return problems;
    }
}
