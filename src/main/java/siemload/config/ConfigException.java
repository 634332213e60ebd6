package siemload.config;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** The configuration cannot be used; the message lists everything that is wrong with it, for people. */
public final class ConfigException extends RuntimeException {
    private static final long serialVersionUID = 1;
    /** As many files with the same fault have a line each. */
    private static final int MOST_ALIKE = 3;

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
        super(String.join("\n", lines(problems))
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

    /** A line for each; those of many files with the same fault share one. */
    private static List<String> lines(List<Problem> problems) {
        Map<String, List<Problem>> alike = new LinkedHashMap<>();
        for (Problem problem : problems) {
            boolean ofFile = problem.origin() instanceof Origin.WholeFile
                    && problem.path().isEmpty();
            String key = ofFile ? problem.message() : describe(problem);
            alike.computeIfAbsent(key, first -> new ArrayList<>()).add(problem);
        }
        List<String> lines = new ArrayList<>();
        for (List<Problem> group : alike.values()) {
            if (group.size() <= MOST_ALIKE) {
                group.forEach(problem -> lines.add(describe(problem)));
            } else {
                String names = group.stream()
                        .limit(MOST_ALIKE)
                        .map(problem -> problem.origin().toString())
                        .collect(Collectors.joining(", "));
                lines.add(names + " and " + (group.size() - MOST_ALIKE) + " more: "
                        + group.get(0).message());
            }
        }
        return lines;
    }

    private static String describe(Problem problem) {
        return problem.excerpt().isEmpty() ? problem.toString() : problem + "\n" + problem.excerpt();
    }
}
