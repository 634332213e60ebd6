package siemload.config;

import java.util.Map;
import java.util.ServiceLoader;
import java.util.stream.Collectors;

/**
 * What properties may be set to where enums of higher floors decide that: whoever sees them hands in their names, so that no
 * second list has to follow them. Found by {@link ServiceLoader}.
 */
public interface PropertyChoices {

    /** The names of values, by the name of the property. */
    Map<String, Choices<?>> byProperty();

    /** The values of a property that an enum decides. @throws IllegalStateException if no floor above hands them in */
    static ValueType<String> of(String property) {
        Choices<?> choices = HandedIn.BY_PROPERTY.get(property);
        if (choices == null) {
            throw new IllegalStateException("nobody hands in the choices of " + property);
        }
        return ValueType.choice(Choices.names(choices.byName().keySet()));
    }

    /** Read once, when the choices of the first property are asked for. */
    final class HandedIn {
        private static final Map<String, Choices<?>> BY_PROPERTY =
                ServiceLoader.load(PropertyChoices.class, PropertyChoices.class.getClassLoader()).stream()
                        .flatMap(found -> found.get().byProperty().entrySet().stream())
                        .collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, Map.Entry::getValue));

        private HandedIn() {}
    }
}
