package siemload.load;

import io.gatling.app.Gatling$;
import io.gatling.charts.component.ComponentLibrary;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.ServiceLoader;
import siemload.config.Property;
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
        String sentence = settings.value(Property.SCENARIO) + " on " + settings.value(Property.TARGET);
        // Gatling takes a text that can be decoded for an encoded one.
        String description = Base64.getEncoder().encodeToString(sentence.getBytes(StandardCharsets.UTF_8));
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
}
