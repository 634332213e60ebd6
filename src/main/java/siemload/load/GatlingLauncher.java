package siemload.load;

import io.gatling.app.Gatling$;
import io.gatling.charts.component.ComponentLibrary;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.stream.Collectors;
import siemload.config.Property;
import siemload.config.Setting;
import siemload.config.Settings;

/** Runs {@link SiemSimulation} in this process, as Gatling's Maven plugin does in a process of its own. */
public final class GatlingLauncher {
    private GatlingLauncher() {}

    /**
     * Runs to the end.
     *
     * @return Gatling's exit code: 0, or 2 for failed assertions
     */
    public static int run(Settings settings) {
        Path results = settings.value(Property.RESULTS).resolve("gatling");
        // Gatling takes a text that can be decoded for an encoded one.
        String description = Base64.getEncoder()
                .encodeToString(GatlingDescription.of(settings).getBytes(StandardCharsets.UTF_8));
        List<String> arguments = new ArrayList<>(
                List.of("-s", SiemSimulation.class.getName(), "-rf", results.toString(), "-rd", description));
        if (!hasCharts()) {
            arguments.add("-nr");
        }
        return run(arguments);
    }

    /**
     * The same without a report of Gatling's, for a part of a run.
     *
     * @param directory takes Gatling's log
     */
    public static int runWithoutReport(Path directory) {
        return run(List.of("-s", SiemSimulation.class.getName(), "-rf", directory.toString(), "-nr"));
    }

    private static int run(List<String> arguments) {
        try {
            return Gatling$.MODULE$.fromArgs(arguments.toArray(String[]::new));
        } catch (UnsupportedOperationException nothingToReport) {
            // Gatling makes no report of a run in which nothing was measured; the run has said so itself.
            return 0;
        }
    }

    /** An image is made without them, since their licence forbids copies; Gatling then makes no report of its own. */
    private static boolean hasCharts() {
        return ServiceLoader.load(ComponentLibrary.class).findFirst().isPresent();
    }

    /**
     * A run in one sentence, as Gatling's report has it above its charts: {@code hawat on memory, users 20, hint full-scan}.
     * Gatling asks for it before anything is known of the server, so that it tells what was asked for. Stateless.
     */
    private static final class GatlingDescription {
        /** Said first, or of no interest to a reader of charts. */
        private static final Set<Property<?>> LEFT_OUT = Set.of(
                Property.SCENARIO,
                Property.TARGET,
                Property.RESULTS,
                Property.CACHE,
                Property.CACHE_COMMAND,
                Property.YES);

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
}
