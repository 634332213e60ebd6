package siemload.load;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import siemload.config.Property;
import siemload.config.Setting;
import siemload.config.Settings;

/**
 * A run in one sentence, as Gatling's report has it above its charts: {@code hawat on memory, users 20, hint full-scan}.
 * Gatling asks for it before anything is known of the server, so that it tells what was asked for. Stateless.
 */
final class GatlingDescription {
    /** Said first, or of no interest to a reader of charts. */
    private static final Set<Property<?>> LEFT_OUT = Set.of(
            Property.SCENARIO, Property.TARGET, Property.RESULTS, Property.CACHE, Property.CACHE_COMMAND, Property.YES);

    private GatlingDescription() {}

    /** What somebody said of the run, in the order of the catalogue; values that are secret are masked. */
    static String of(Settings settings) {
        List<String> leftOut = LEFT_OUT.stream().map(Property::name).toList();
        String given = settings.list().stream()
                .filter(setting -> setting.wasGiven() && !leftOut.contains(setting.name()))
                .map(GatlingDescription::shown)
                .collect(Collectors.joining());
        return settings.value(Property.SCENARIO) + " on " + settings.value(Property.TARGET) + given;
    }

    private static String shown(Setting setting) {
        return ", " + setting.name() + " " + setting.shown();
    }
}
