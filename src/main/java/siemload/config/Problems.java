package siemload.config;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** Collects the problems of the whole configuration, so that one message can report them all. Not thread-safe. */
public final class Problems {
    static final int MOST_SHOWN = 50;

    /** Problems outside of files come first, then problems in files, by file, line and column. */
    private static final Comparator<Problem> BY_PLACE = Comparator.comparing(
            problem -> problem.origin() instanceof Origin.InFile place ? place : new Origin.InFile("", 0, 0),
            Comparator.comparing(Origin.InFile::file)
                    .thenComparingInt(Origin.InFile::line)
                    .thenComparingInt(Origin.InFile::column));

    /** All problems, each with a supplier of its excerpt; an excerpt is made only if its problem is shown. */
    private final Map<Problem, Supplier<String>> all = new LinkedHashMap<>();

    /** Notes a problem, unless an equal problem was noted before. */
    public void add(Origin origin, String message) {
        add(origin, message, () -> "");
    }

    /** @param excerpt lines to show below the problem, each after a line feed */
    void add(Origin origin, String message, Supplier<String> excerpt) {
        all.putIfAbsent(new Problem(origin, message), excerpt);
    }

    /** Reads a value. If an {@link IllegalArgumentException} refuses the value, a problem is noted, and the result is empty. */
    public <T> Optional<T> collect(Origin origin, Supplier<T> reading) {
        try {
            return Optional.ofNullable(reading.get());
        } catch (IllegalArgumentException wrong) {
            add(origin, String.valueOf(wrong.getMessage()));
            return Optional.empty();
        }
    }

    /** Returns whether no problem has been noted so far. */
    public boolean isEmpty() {
        return all.isEmpty();
    }

    /** Throws a {@link ConfigException} with all the problems, if there are any. */
    public void throwIfAny() {
        if (!isEmpty()) {
            throw exception();
        }
    }

    /** Returns an exception with the first 50 problems and the number of the others. At least one problem must have been noted. */
    public ConfigException exception() {
        List<Problem> shown =
                all.keySet().stream().sorted(BY_PLACE).limit(MOST_SHOWN).toList();
        String more = String.format(Locale.ROOT, "\nand %,d more", all.size() - shown.size());
        return new ConfigException(
                shown.stream()
                        .map(one -> one + Objects.requireNonNull(all.get(one)).get())
                        .collect(Collectors.joining("\n", "", all.size() > shown.size() ? more : "")),
                shown);
    }
}
