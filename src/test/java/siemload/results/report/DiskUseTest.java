package siemload.results.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import siemload.results.BrokenFileException;
import siemload.results.RunFile;

class DiskUseTest {
    @TempDir
    private Path directory;

    private Path run;

    @BeforeEach
    void copyRun() throws IOException {
        run = ExampleRun.copyTo(directory);
        Files.writeString(RunFile.DISKS.in(run), """
                second,device,reads,readBytes,writes,writtenBytes,utilisationRatio
                -1,vda,9000,0,0,0,0
                0,vda,8000,0,0,0,0
                1,vda,300,0,20,0,0
                1,vdb,7000,0,0,0,0
                2,vda,100,0,298,0,0
                """);
    }

    /** The highest second by reads has fewer of both than the next one; warm-up and other disks do not count. */
    @Test
    void theBusiestSecondOfTheMeasuredPhaseIsHeldAgainstTheMostSmallReads() throws IOException {
        assertThat(DiskUse.read(run).words()).isEqualTo("vda, up to 398 of 1,990 IOPS (20 %)");
        assertThat(DiskUse.line(run))
                .isEqualTo("disk of the data: vda, up to 398 of 1,990 IOPS (20 %); it can: 8 KiB random, 0 % writes,"
                        + " measured 2026-11-20\n");
    }

    @Test
    void aRunOnADiskThatNobodyMeasuredSaysNothingOfIt() throws IOException {
        Files.delete(RunFile.STORAGE.in(run));

        assertThat(DiskUse.line(run)).isEmpty();
    }

    @Test
    void aDiskThatWasNotWatchedIsNamed() throws IOException {
        String storage = Files.readString(RunFile.STORAGE.in(run));
        Files.writeString(RunFile.STORAGE.in(run), storage.replace("\"vda\"", "\"sdz\""));

        assertThatExceptionOfType(BrokenFileException.class)
                .isThrownBy(() -> DiskUse.read(run))
                .withMessage("disks.csv: nothing of the disk that was measured, sdz");
    }

    @Test
    void theTextReportAndThePageShowIt() throws IOException {
        RunReports.write(run);

        assertThat(RunFile.REPORT_TEXT.in(run)).content().contains("vda, up to 398 of 1,990 IOPS (20 %)");
        assertThat(RunFile.REPORT_PAGE.in(run)).content().contains("\"words\":\"vda, up to 398 of 1,990 IOPS (20 %)\"");
    }
}
