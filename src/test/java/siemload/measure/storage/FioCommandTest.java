package siemload.measure.storage;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FioCommandTest {
    private static final FioCommand.Target TARGET =
            new FioCommand.Target(Path.of("/srv/data/file.bin"), 1L << 30, "libaio");

    private static final Duration TEN_SECONDS = Duration.ofSeconds(10);

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "8192 | 4 | 0 | 0 | --rw=randread --bs=8k --iodepth=4",
                "8192 | 4 | 0 | 65 | --rw=randrw --rwmixread=35 --bs=8k --iodepth=4",
                "32768 | 1 | 0 | 100 | --rw=randwrite --bs=32k --iodepth=1",
                "1048576 | 0 | 2 | 0 | --rw=read --bs=1024k --iodepth=2",
                "1048576 | 0 | 2 | 65 | --rw=rw --rwmixread=35 --bs=1024k --iodepth=2",
                "1048576 | 0 | 8 | 100 | --rw=write --bs=1024k --iodepth=8"
            })
    void eachPointHasItsCommandLine(int bytes, int small, int large, int write, String expected) {
        FioCommand command = FioCommand.of(TARGET, new MatrixPoint(bytes, small, large), write, TEN_SECONDS);

        assertThat(command.text())
                .startsWith("fio --name=" + (small > 0 ? "small" : "large"))
                .contains(" --filename=/srv/data/file.bin --size=1024m --ioengine=libaio --direct=1 " + expected + " ")
                .endsWith(" --time_based --runtime=10s --randrepeat=0 --norandommap --output-format=json");
    }

    /** Colons separate files for fio, and blanks arguments for a shell. */
    @Test
    void aPathWithBlanksAndColonsStaysOneFile() {
        FioCommand.Target odd = new FioCommand.Target(Path.of("/srv/it's a:b/file.bin"), 1L << 30, "libaio");

        FioCommand command = FioCommand.preparation(odd);

        assertThat(command.arguments()).contains("--filename=/srv/it's a\\:b/file.bin");
        assertThat(command.text()).contains(" '--filename=/srv/it'\\''s a\\:b/file.bin' ");
    }

    @Test
    void theMatrixHasSmallOperationsAloneAndLargeOnesAlone() {
        assertThat(MatrixPoint.matrix(List.of(1, 5), List.of(2)))
                .extracting(MatrixPoint::name)
                .containsExactly(
                        "small-8k-depth-1",
                        "small-8k-depth-5",
                        "small-32k-depth-1",
                        "small-32k-depth-5",
                        "large-1024k-depth-2");
    }
}
