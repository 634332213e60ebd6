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
 * @param byName at least one, in the order in which people are told them
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

    /** The constants of an enum as keys are written: {@code NEWEST_FIRST} is {@code newestFirst}. */
    public static <E extends Enum<E>> Choices<E> camelCase(Class<E> type) {
        return of(type, constant -> camelCase(constant.name()));
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

    /** What to tell somebody who wrote an unknown name: {@code did you mean X? known: X, Y, Z}. */
    public String help(String written) {
        return NearestName.suggestion(written, byName.keySet()) + "allowed: " + String.join(", ", byName.keySet());
    }

    private static String camelCase(String constant) {
        StringBuilder name = new StringBuilder();
        for (int i = 0; i < constant.length(); i++) {
            boolean wordStart = i > 0 && constant.charAt(i - 1) == '_';
            if (constant.charAt(i) != '_') {
                String letter = constant.substring(i, i + 1);
                name.append(wordStart ? letter : letter.toLowerCase(Locale.ROOT));
            }
        }
        return name.toString();
    }
}
