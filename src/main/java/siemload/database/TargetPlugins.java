package siemload.database;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import siemload.database.TargetPlugin.Offer;

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

    /** The names of those that offer this, for people: with commas between. */
    public static String offering(Offer offer) {
        return names(plugin -> plugin.offers(offer));
    }

    /** The names of those that take layouts of one's own. */
    public static String takingLayouts() {
        return names(plugin -> plugin.ownLayouts().isPresent());
    }

    private static String names(Predicate<TargetPlugin> those) {
        return all().stream().filter(those).map(TargetPlugin::id).collect(Collectors.joining(", "));
    }

    /** The one with this name. */
    public static Optional<TargetPlugin> find(String id) {
        return all().stream().filter(plugin -> plugin.id().equals(id)).findFirst();
    }
}
