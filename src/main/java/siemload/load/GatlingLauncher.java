package siemload.load;

import io.gatling.app.Gatling$;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;
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
        // Gatling takes a text that can be decoded for an encoded one.
        String description = Base64.getEncoder()
                .encodeToString(GatlingDescription.of(settings).getBytes(StandardCharsets.UTF_8));
        String[] arguments = {"-s", SiemSimulation.class.getName(), "-rf", results.toString(), "-rd", description};
        try {
            return Gatling$.MODULE$.fromArgs(arguments);
        } catch (UnsupportedOperationException nothingToReport) {
            // Gatling makes no report of a run in which nothing was measured; the run has said so itself.
            return 0;
        }
    }
}
