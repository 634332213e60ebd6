package siemload.run;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import siemload.GoldenFile;
import siemload.config.ConfigException;
import siemload.config.Settings;

/** What users are told of settings that do not go together: {@code golden/refused-runs.txt} has the settings, too. */
final class RefusedRunsTest {
    @Test
    void eachRefusalSaysWhatWasFoundWhereAndWhatToDo() throws IOException {
        GoldenFile.of("refused-runs.txt").assertEach(RefusedRunsTest::answer);
    }

    private static String answer(String settings) {
        Map<String, String> given = new TreeMap<>();
        for (String setting : settings.split(" ")) {
            String[] parts = setting.split("=", 2);
            given.put(parts[0], parts[1]);
        }
        try {
            RunPlan.read(Settings.of(Map.of(), given, Map.of()), Path.of(""), text -> {});
            return "is taken";
        } catch (ConfigException refusal) {
            return refusal.getMessage().replaceAll("@[0-9a-f]{16}", "@0123456789abcdef");
        }
    }
}
