package siemload.event;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/** Unmodifiable copies of maps that keep the order of their keys, which {@link Map#copyOf} does not. */
final class OrderedMap {
    private OrderedMap() {}

    static <K, V> Map<K, V> copyOf(Map<K, V> map) {
        return map.isEmpty() ? Map.of() : Collections.unmodifiableMap(new LinkedHashMap<>(map));
    }
}
