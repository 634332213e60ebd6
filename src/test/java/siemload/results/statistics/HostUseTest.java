package siemload.results.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import siemload.results.RunFile;
import siemload.results.RunWriter;
import siemload.results.TableWriter;

class HostUseTest {
    @TempDir
    private Path directory;

    @BeforeEach
    void write() throws Exception {
        try (TableWriter host = RunWriter.to(directory).table(RunFile.HOST)) {
            second(host, 1, 0.2, 100);
            second(host, 2, 0.4, 200);
            second(host, 3, 0.8, 400);
        }
    }

    @Test
    void ofASecondThatLiesInAPartByHalfOneHalfCounts() throws Exception {
        HostUse use = HostUse.read(directory).between(1.5, 3).orElseThrow();

        assertThat(use.databaseCpuRatio()).isCloseTo((0.5 * 0.4 + 0.8) / 1.5, within(1e-9));
        assertThat(use.generatorCpuRatio()).isCloseTo(0.1, within(1e-9));
        assertThat(use.busyCpuRatio()).isCloseTo(use.databaseCpuRatio() + 0.15, within(1e-9));
        assertThat(use.networkBytes()).as("received and sent").isCloseTo(100 + 400 + 1.5, within(1e-9));
    }

    @Test
    void whereNobodyLookedNothingIsKnown() throws Exception {
        assertThat(HostUse.read(directory).between(3, 5)).isEmpty();
    }

    private static void second(TableWriter host, int second, double database, long received) {
        host.row(second, database, 0.1, 0.05, 0.0, 0.0, 1.0, 1L, 0L, 0L, received, 1L, 0L, 0.0, 0.0, 0.0, 0.0);
    }
}
