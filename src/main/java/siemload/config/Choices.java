package siemload.config;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * The names that a value or a key may have, and what each stands for. Immutable.
 *
 * @param byName in the order in which people are told them
 */
public record Choices<T>(Map<String, T> byName) {

    public Choices {
        byName = java.util.Collections.unmodifiableMap(new LinkedHashMap<>(byName));
    }

    /** The constants of an enum under names made from them. */
    public static <E extends Enum<E>> Choices<E> of(Class<E> type, Function<E, String> name) {
        Map<String, E> byName = new LinkedHashMap<>();
        for (E constant : type.getEnumConstants()) {
            byName.put(name.apply(constant), constant);
        }
        return new Choices<>(byName);
    }

    /** The constants of an enum as keys are written. */
    public static <E extends Enum<E>> Choices<E> camelCase(Class<E> type) {
        return of(type, Choices::camelCase);
    }

    /** An enum constant as keys and results write it: {@code NEWEST_FIRST} is {@code newestFirst}. */
    public static String camelCase(Enum<?> constant) {
        StringBuilder name = new StringBuilder();
        for (String word : constant.name().toLowerCase(Locale.ROOT).split("_", -1)) {
            String first = word.substring(0, 1);
            name.append(name.isEmpty() ? first : first.toUpperCase(Locale.ROOT)).append(word.substring(1));
        }
        return name.toString();
    }

    /** Plain names that stand for themselves. */
    public static Choices<String> names(Collection<String> names) {
        Map<String, String> byName = new LinkedHashMap<>();
        names.forEach(name -> byName.put(name, name));
        return new Choices<>(byName);
    }

    /** What the name stands for; names are case-sensitive. */
    public Optional<T> find(String name) {
        return Optional.ofNullable(byName.get(name));
    }

    /** The end of a message about an unknown name: {@code did you mean X? known: X, Y, Z}. */
    public String help(String written) {
        return NearestName.suggestion(written, byName.keySet()) + "allowed: "
                + (byName.isEmpty() ? "none" : String.join(", ", byName.keySet()));
    }
}
