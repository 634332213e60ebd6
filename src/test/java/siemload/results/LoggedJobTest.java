package siemload.results;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LoggedJobTest {
    private static final String HEADER =
            "second,job,level,item,server,session,queuedMicros,startedMicros,finishedMicros,ok,failed\n";
    private static final String FIRST = "5.500,1,2,1,1,1,10,20,500000,192,0\n";

    @TempDir
    private Path directory;

    @Test
    void whatIsWrittenIsRead() throws Exception {
        JobItem one = new JobItem(2, new JobItem.Slot(1, 3), 5, 10, 1_500_000, 190, 2);
        JobItem other = new JobItem(1, new JobItem.Slot(2, 1), 5, 11, 1_600_000, 192, 0);
        JobItem later = new JobItem(1, new JobItem.Slot(1, 1), 0, 1, 2, 192, 0);
        try (TableWriter table = RunWriter.to(directory).table(RunFile.ITEMS)) {
            LoggedJob.write(table, 3.5, 1, 2, one);
            LoggedJob.write(table, 3.6, 1, 2, other);
            LoggedJob.write(table, 4.0, 2, 1, later);
        }

        List<LoggedJob> jobs = LoggedJob.read(directory);

        assertThat(jobs).extracting(LoggedJob::number).containsExactly(1, 2);
        assertThat(jobs.get(0).level()).isEqualTo(2);
        assertThat(jobs.get(0).items()).containsExactly(one, other);
        assertThat(jobs.get(0).startSecond()).isEqualTo(2.0);
        assertThat(jobs.get(0).endSecond()).isEqualTo(3.6);
        assertThat(jobs.get(1).items()).containsExactly(later);
    }

    @Test
    void aRunWithoutJobsHasNoSuchFile() {
        assertThatThrownBy(() -> LoggedJob.read(directory)).isInstanceOf(NoSuchFileException.class);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "6.0,1,2,1,1,1,10,20,30,192,0 | items.csv:3: item: '1' is an item that the job had before",
                "6.0,1,3,2,1,1,10,20,30,192,0 | items.csv:3: level: '3' is not the 2 that the job had before",
                "6.0,1,2,3,1,1,10,20,30,192,0 | items.csv:3: item: '3' is no whole number of 1 to 2",
                "6.0,1,2,2,1,1,10,9,30,192,0 | items.csv:3: startedMicros: '9' is no whole number of 10 to",
                "6.0,1,2,2,1,1,10,20,19,192,0 | items.csv:3: finishedMicros: '19' is no whole number of 20 to",
                "6.0,1,2,2,1,1,10,20,30.5,192,0 | items.csv:3: finishedMicros: '30.5' is no whole number",
                "6.0,0,2,2,1,1,10,20,30,192,0 | items.csv:3: job: '0' is no whole number of 1 to",
            })
    void whatCannotBeIsRefusedWithItsPlace(String line, String message) throws Exception {
        Files.writeString(RunFile.ITEMS.in(directory), HEADER + FIRST + line + "\n");

        assertThatThrownBy(() -> LoggedJob.read(directory))
                .isInstanceOf(BrokenFileException.class)
                .hasMessageStartingWith(message);
    }
}
