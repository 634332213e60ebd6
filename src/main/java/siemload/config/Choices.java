package siemload.config;

import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;

/** The names allowed for a value or a key, in the order of messages, with the meaning of each. Immutable. */
public record Choices<T>(Map<String, T> byName) {

    public Choices {
        byName = Collections.unmodifiableMap(new LinkedHashMap<>(byName));
    }

    /** An enum whose constants are written in lower case. */
    public interface Labelled {
        String name();

        /** Returns the name as files, settings and results write it: {@code SOURCE_PORT} is {@code source-port}. */
        default String label() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    /** Returns these values as choices that a function names. */
    public static <T> Choices<T> of(Collection<T> all, Function<T, String> name) {
        Map<String, T> byName = new LinkedHashMap<>();
        all.forEach(one -> byName.put(name.apply(one), one));
        return new Choices<>(byName);
    }

    /** Returns the constants of an enum as choices that a function names. */
    public static <E> Choices<E> of(Class<E> type, Function<E, String> name) {
        return of(List.of(type.getEnumConstants()), name);
    }

    /** Returns the constants of an enum as choices with their names in files. */
    public static <E extends Enum<E>> Choices<E> camelCase(Class<E> type) {
        return of(type, Choices::camelCase);
    }

    /** Returns an enum constant as files and results write it: {@code NEWEST_FIRST} is {@code newestFirst}. */
    public static String camelCase(Enum<?> constant) {
        return Pattern.compile("_(.)")
                .matcher(constant.name().toLowerCase(Locale.ROOT))
                .replaceAll(next -> next.group(1).toUpperCase(Locale.ROOT));
    }

    /** Returns choices in which each name stands for itself. */
    public static Choices<String> names(Collection<String> names) {
        return of(names, name -> name);
    }

    /** Returns the value for which a name stands; names are case-sensitive. */
    public Optional<T> find(String name) {
        return Optional.ofNullable(byName.get(name));
    }

    /** Returns the end of a message about an unknown name: {@code did you mean X? allowed: X, Y, Z}. */
    public String help(String written) {
        return suggestion(written, byName.keySet()) + "allowed: "
                + (byName.isEmpty() ? "none" : String.join(", ", byName.keySet()));
    }

    /**
     * Returns the known name with the fewest typing errors: at most 1 if the written name has up to 3 letters, 2 if it has up to 7,
     * otherwise 3. Case does not count. If two names are equally near, the first one wins.
     */
    public static Optional<String> nearest(String written, Collection<String> known) {
        int length = written.length();
        int allowed = length <= 3 ? 1 : length <= 7 ? 2 : 3;
        return known.stream()
                .filter(name -> Math.abs(name.length() - length) <= allowed && distance(written, name) <= allowed)
                .min(Comparator.comparingInt(name -> distance(written, name)));
    }

    /** Returns {@code did you mean X? }, or an empty text if no known name is near. */
    public static String suggestion(String written, Collection<String> known) {
        return nearest(written, known)
                .map(name -> "did you mean " + name + "? ")
                .orElse("");
    }

    /**
     * Returns the number of typing errors (a letter added, left out, replaced, or two neighbours swapped) between two names, ignoring case:
     * the Damerau-Levenshtein distance in its restricted form (optimal string alignment).
     */
    static int distance(String one, String other) {
        String a = one.toLowerCase(Locale.ROOT);
        String b = other.toLowerCase(Locale.ROOT);
        int[][] slips = new int[a.length() + 1][b.length() + 1];
        for (int i = 0; i <= a.length(); i++) {
            for (int j = 0; j <= b.length(); j++) {
                if (i == 0 || j == 0) {
                    slips[i][j] = i + j;
                    continue;
                }
                int replaced = slips[i - 1][j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                slips[i][j] = Math.min(replaced, Math.min(slips[i - 1][j], slips[i][j - 1]) + 1);
                if (i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2) && a.charAt(i - 2) == b.charAt(j - 1)) {
                    slips[i][j] = Math.min(slips[i][j], slips[i - 2][j - 2] + 1);
                }
            }
        }
        return slips[a.length()][b.length()];
    }
}
