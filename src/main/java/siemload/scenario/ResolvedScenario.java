package siemload.scenario;

import java.util.List;
import siemload.config.Setting;

/**
 * A scenario after all overrides, and where each of its values comes from. Immutable.
 *
 * @param scenario what to do
 * @param values every value by its path in the file ({@code analysts[tier-1].users}), defaults included, in the order of
 *     the file
 */
public record ResolvedScenario(Scenario scenario, List<Setting> values) {

    public ResolvedScenario {
        values = List.copyOf(values);
    }
}
