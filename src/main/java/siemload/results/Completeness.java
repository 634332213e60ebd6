package siemload.results;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Sees to it that a record which was read has no hole: no component, element or value that is null, and no number that no
 * measurement gives. Stateless.
 */
final class Completeness {
    /** So that neither a product nor a sum of a few is infinite. */
    private static final double LARGEST = 1e100;

    private Completeness() {}

    /** @throws BrokenFileException that names the first hole */
    static void check(String place, Record value) throws BrokenFileException {
        check(place, "", Optional.of(value));
    }

    private static void check(String place, String path, Optional<Object> found) throws BrokenFileException {
        Object value = found.orElseThrow(() -> new BrokenFileException(place + ": '" + path + "' is missing"));
        if (value instanceof Record record) {
            for (RecordComponent component : record.getClass().getRecordComponents()) {
                String name = path.isEmpty() ? component.getName() : path + "." + component.getName();
                boolean unwrapped = component.getAccessor().isAnnotationPresent(JsonUnwrapped.class);
                check(place, unwrapped ? path : name, component(record, component));
            }
        } else if (value instanceof List<?> list) {
            for (int i = 0; i < list.size(); i++) {
                check(place, path + "[" + i + "]", Optional.ofNullable(list.get(i)));
            }
        } else if (value instanceof Map<?, ?> map) {
            for (Map.Entry<?, ?> entry : map.entrySet()) {
                check(place, path + "." + entry.getKey(), Optional.ofNullable(entry.getValue()));
            }
        } else if (value instanceof Double number && !(Math.abs(number) <= LARGEST)) {
            throw new BrokenFileException(place + ": '" + path + "' is " + number + ", which nothing measured gives");
        }
    }

    private static Optional<Object> component(Record record, RecordComponent component) {
        try {
            Method accessor = component.getAccessor();
            accessor.setAccessible(true);
            return Optional.ofNullable(accessor.invoke(record));
        } catch (ReflectiveOperationException impossible) {
            throw new IllegalStateException("a record's components can be read", impossible);
        }
    }
}
