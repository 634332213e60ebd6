package siemload.load.injector;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import siemload.config.Property;
import siemload.config.Setting;
import siemload.config.Settings;
import siemload.database.ServerAddress;
import siemload.run.RunPlan;

/**
 * What the injectors of a run are told first. Immutable.
 *
 * @param version of siemload, which injectors must have, too
 * @param store the name of what they join
 */
record InjectorParts(String version, Frame.Duty duty, RunPlan plan, ServerAddress server, String store) {
    private static final List<Property<?>> OF_THIS_PROCESS = List.of(Property.RESULTS, Property.LIVE, Property.RELOAD);

    /** What says where pods are to run means nothing in one, and there is no such directory. */
    private static final List<Property<?>> OF_ITS_CLUSTER =
            List.of(Property.CACHE, Property.IMAGE, Property.CONTAINER_MEMORY, Property.CONTAINER_CPUS);

    /** The part of an injector, by its number from 0. */
    Frame of(int shard) {
        return new Frame.Part(
                version, duty, given(), shard, plan.injectors(), server.url(), server.user(), server.password(), store);
    }

    /** Urls by the driver's names of servers: what another one leaves open stands in the environment here. */
    private static String named(Setting setting, Settings settings) {
        if (setting.name().equals(Property.URL.name())) {
            return settings.value(Property.URL);
        }
        return setting.name().equals(Property.READ_URLS.name())
                ? String.join(" ", settings.value(Property.READ_URLS))
                : setting.value();
    }

    /** What the user has set, wherever; what nobody did follows from it there as here. */
    private Map<String, String> given() {
        Settings settings = plan.settings();
        List<String> left = Stream.concat(
                        OF_THIS_PROCESS.stream(),
                        settings.onKubernetes() ? OF_ITS_CLUSTER.stream() : Stream.<Property<?>>empty())
                .map(Property::name)
                .toList();
        return settings.list().stream()
                .filter(Setting::wasGiven)
                .filter(setting -> !left.contains(setting.name()))
                .collect(Collectors.toMap(Setting::name, setting -> named(setting, settings)));
    }
}
