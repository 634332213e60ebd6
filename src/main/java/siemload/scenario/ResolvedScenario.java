package siemload.scenario;

import java.util.List;
import java.util.function.Predicate;
import siemload.config.Origin;
import siemload.config.Setting;
import siemload.query.SearchCatalog;

/**
 * A scenario after all overrides, and where each of its values comes from. Immutable.
 *
 * @param scenario what to do
 * @param values every value by its path in the file ({@code analysts[tier-1].users}), defaults included, in the order of
 *     the file
 * @param catalog the searches that it may ask: those that siemload brings, and its own
 */
public record ResolvedScenario(Scenario scenario, List<Setting> values, SearchCatalog catalog) {

    public ResolvedScenario {
        values = List.copyOf(values);
    }

    /** Where the value with this path comes from, for messages about it. */
    public Origin origin(String path) {
        return origin(path::equals);
    }

    /** Where the first value comes from whose path is such a one; a default where there is none. */
    public Origin origin(Predicate<String> path) {
        return values.stream()
                .filter(value -> path.test(value.name()))
                .findFirst()
                .map(Setting::origin)
                .orElseGet(Origin.Default::new);
    }

    /** The same with these values: those that have an effect. */
    public ResolvedScenario with(List<Setting> meaningful) {
        return new ResolvedScenario(scenario, meaningful, catalog);
    }
}
