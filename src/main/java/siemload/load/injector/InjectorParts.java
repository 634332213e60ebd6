package siemload.load.injector;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import siemload.config.Origin;
import siemload.config.Property;
import siemload.config.Setting;
import siemload.database.ServerAddress;
import siemload.run.RunPlan;

/**
 * What the injectors of a run are told first. Immutable.
 *
 * @param version of siemload, which injectors must have, too
 * @param store the name of what they join
 */
record InjectorParts(String version, Frame.Duty duty, RunPlan plan, ServerAddress server, String store) {

    /** The part of an injector, by its number from 0. */
    Frame of(int shard) {
        return new Frame.Part(
                version, duty, given(), shard, plan.injectors(), server.url(), server.user(), server.password(), store);
    }

    /** What the user has set, wherever; what nobody did follows from it there as here. */
    private Map<String, String> given() {
        List<String> ofThisProcess = List.of(Property.RESULTS.name(), Property.LIVE.name(), Property.RELOAD.name());
        return plan.settings().list().stream()
                .filter(setting -> !(setting.origin() instanceof Origin.Default))
                .filter(setting -> !ofThisProcess.contains(setting.name()))
                .collect(Collectors.toMap(Setting::name, Setting::value));
    }
}
