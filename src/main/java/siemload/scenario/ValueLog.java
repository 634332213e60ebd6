package siemload.scenario;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import siemload.config.Origin;
import siemload.config.Setting;
import siemload.config.ValueType;
import siemload.config.YamlNode;

/** Remembers values by path: what they are and where they come from. Not thread-safe. */
final class ValueLog {
    private final Map<String, Setting> values = new LinkedHashMap<>();

    /** The value of a key that may be left out, and then is as if this had been written. */
    <T> T optional(YamlNode parent, String key, ValueType<T> type, String standard) {
        return parent.optional(key)
                .map(node -> {
                    put(node.path(), node.written(), node.origin());
                    return node.as(type);
                })
                .orElseGet(() -> {
                    put(parent.pathOf(key), standard, new Origin.Default());
                    return type.parse(standard);
                });
    }

    void put(String path, String value, Origin origin) {
        put(new Setting(path, value, origin));
    }

    void put(Setting value) {
        values.put(value.name(), value);
    }

    /** Where the value of this path comes from. */
    Origin origin(String path) {
        Setting setting = values.get(path);
        return setting == null ? new Origin.Default() : setting.origin();
    }

    List<Setting> list() {
        return List.copyOf(values.values());
    }
}
