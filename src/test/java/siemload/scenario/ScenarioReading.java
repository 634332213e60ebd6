package siemload.scenario;

import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** Tests that read scenarios in a home directory of their own. */
abstract class ScenarioReading {
    @TempDir
    Path home;

    ScenarioFiles files;

    @BeforeEach
    void inTheDirectory() {
        files = new ScenarioFiles(home);
    }
}
