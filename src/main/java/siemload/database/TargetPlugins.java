package siemload.database;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;

/** The databases that are on the class path. Stateless and thread-safe. */
public final class TargetPlugins {
    private TargetPlugins() {}

    /** All of them, by name. */
    public static List<TargetPlugin> all() {
        return ServiceLoader.load(TargetPlugin.class).stream()
                .map(ServiceLoader.Provider::get)
                .sorted(Comparator.comparing(TargetPlugin::id))
                .toList();
    }

    /** The one with this name. */
    public static Optional<TargetPlugin> find(String id) {
        return all().stream().filter(plugin -> plugin.id().equals(id)).findFirst();
    }
}
