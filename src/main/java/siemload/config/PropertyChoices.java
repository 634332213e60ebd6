package siemload.config;

import java.util.Map;
import java.util.ServiceLoader;

/**
 * What properties may be set to where enums of higher floors decide that: whoever sees them hands in their names, so that no
 * second list has to follow them. Found by {@link ServiceLoader}.
 */
public interface PropertyChoices {

    /** The names of values, by the name of the property. */
    Map<String, Choices<?>> byProperty();

    /** The values of a property that an enum decides. @throws IllegalStateException if nobody hands them in */
    static ValueType<String> of(String property) {
        return ServiceLoader.load(PropertyChoices.class, PropertyChoices.class.getClassLoader()).stream()
                .flatMap(found -> found.get().byProperty().entrySet().stream())
                .filter(choices -> choices.getKey().equals(property))
                .map(choices -> ValueType.choice(
                        Choices.names(choices.getValue().byName().keySet())))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("nobody hands in the choices of " + property));
    }
}
