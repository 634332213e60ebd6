package siemload.scenario;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import siemload.config.Origin;
import siemload.config.Property;
import siemload.config.Setting;
import siemload.config.Settings;
import siemload.config.ValueType;
import siemload.config.YamlNode;

/** Reads values and remembers, by path, what they are and where they come from. Not thread-safe. */
final class ValueLog {
    private final Settings settings;
    private final Map<String, Setting> values = new LinkedHashMap<>();

    ValueLog(Settings settings) {
        this.settings = settings;
    }

    /** The value of a key that must be there. */
    <T> T required(YamlNode parent, String key, ValueType<T> type) {
        return value(parent.required(key), type);
    }

    /** The value of a key that may be left out, and then is as if this had been written. */
    <T> T optional(YamlNode parent, String key, ValueType<T> type, String standard) {
        return parent.optional(key).map(node -> value(node, type)).orElseGet(() -> {
            put(parent.pathOf(key), standard, new Origin.Default());
            return type.parse(standard);
        });
    }

    /** The value of this node. */
    <T> T value(YamlNode node, ValueType<T> type) {
        put(node.path(), node.written(), node.origin());
        return node.as(type);
    }

    /** The value that a setting gives to this path, or else the one that was read. */
    <T> T override(String path, Property<T> property, T read) {
        settings.setting(property).ifPresent(setting -> put(path, setting.value(), setting.origin()));
        return settings.find(property).orElse(read);
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
