package siemload.config;

import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;

/**
 * The names that a value or a key may have, and what each stands for. Immutable.
 *
 * @param byName in the order in which people are told them
 */
public record Choices<T>(Map<String, T> byName) {

    public Choices {
        byName = Collections.unmodifiableMap(new LinkedHashMap<>(byName));
    }

    /** These under names made from them. */
    public static <T> Choices<T> of(Collection<T> all, Function<T, String> name) {
        Map<String, T> byName = new LinkedHashMap<>();
        all.forEach(one -> byName.put(name.apply(one), one));
        return new Choices<>(byName);
    }

    /** The constants of an enum under names made from them. */
    public static <E extends Enum<E>> Choices<E> of(Class<E> type, Function<E, String> name) {
        return of(List.of(type.getEnumConstants()), name);
    }

    /** The constants of an enum as keys are written. */
    public static <E extends Enum<E>> Choices<E> camelCase(Class<E> type) {
        return of(type, Choices::camelCase);
    }

    /** An enum constant as keys and results write it: {@code NEWEST_FIRST} is {@code newestFirst}. */
    public static String camelCase(Enum<?> constant) {
        return Pattern.compile("_(.)")
                .matcher(constant.name().toLowerCase(Locale.ROOT))
                .replaceAll(next -> next.group(1).toUpperCase(Locale.ROOT));
    }

    /** Plain names that stand for themselves. */
    public static Choices<String> names(Collection<String> names) {
        return of(names, name -> name);
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
