package siemload.measure.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import siemload.measure.storage.DiskMeter.FioOutput;
import siemload.results.BrokenFileException;

/** A real output of fio 3.33: 2 s of operations of 8 KiB, 65 % of them writes, four at a time. */
class FioOutputTest {

    @Test
    void readsAndWritesAreAddedUpAndTheirLatencyIsTheMeanOfAll() throws IOException {
        FioOutput output = FioOutput.parse("mix.json", real());

        assertThat(output.operations()).isEqualTo(7_203 + 13_164);
        assertThat(output.operationsPerSecond()).isEqualTo(3212.756467 + 5871.543265, within(1e-6));
        assertThat(output.bytesPerSecond()).isEqualTo(26_318_900 + 48_099_682);
        // (7203 x 215.711 us + 13164 x 562.327 us) / 20367
        assertThat(output.meanLatencyMicros()).isEqualTo(439.743, within(1e-3));
        assertThat(output.diskOperations()).contains(7_203L + 14_178 + 1);
        assertThat(output.refusal()).isEmpty();
    }

    @Test
    void notesInFrontOfTheOutputAreNoPartOfIt() throws IOException {
        String noted = "note: both iodepth >= 1 and synchronous I/O engine are selected {queue}\n" + real();

        assertThat(FioOutput.parse("mix.json", noted)).isEqualTo(FioOutput.parse("mix.json", real()));
    }

    @Test
    void aDiskThatDidNextToNothingWasNotMeasured() throws IOException {
        String cached = real().replace("\"read_ios\" : 7203", "\"read_ios\" : 12")
                .replace("\"write_ios\" : 14178", "\"write_ios\" : 0");

        assertThat(FioOutput.parse("mix.json", cached).refusal())
                .hasValueSatisfying(why -> assertThat(why).contains("20,367", "13", "cache"));
    }

    @Test
    void whatIsNoOutputOfFioIsRefusedWithItsPlace() {
        assertThatExceptionOfType(BrokenFileException.class)
                .isThrownBy(() -> FioOutput.parse("mix.json", "{\"jobs\": []}"))
                .withMessage("mix.json: not the output of a job of fio in JSON");
        assertThatExceptionOfType(BrokenFileException.class)
                .isThrownBy(() -> FioOutput.parse("mix.json", "fio: out of memory"))
                .withMessageStartingWith("mix.json:");
    }

    private static String real() throws IOException {
        try (InputStream stream =
                Objects.requireNonNull(FioOutputTest.class.getResourceAsStream("fio-3.33-mix.json"), "output of fio")) {
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
