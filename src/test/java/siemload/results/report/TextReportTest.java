package siemload.results.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.util.DefaultLocale;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import siemload.GoldenFile;
import siemload.results.RunResult;

@Tag("every-java")
class TextReportTest {
    private static final Path RESULT = Path.of("src/test/resources/golden/run.json");

    @TempDir
    private Path directory;

    @Test
    @DefaultLocale("tr-TR-u-nu-arab")
    void reportsAreTheSameInAnyLocale() throws Exception {
        Files.copy(RESULT, directory.resolve("run.json"));

        RunReports.write(directory);

        for (String report : new String[] {"report.txt", "summary.md", "junit.xml"}) {
            GoldenFile.of(report).assertHolds(Files.readString(directory.resolve(report)));
        }
    }

    @Test
    void theSummaryFitsOnAScreenAndHasOneRowASearch() throws Exception {
        RunResult run = RunResult.read(Path.of("src/test/resources/runs/busy/run.json"));

        String summary = RunReports.summary(run) + RunReports.ending(run);

        assertThat(summary.lines())
                .hasSizeLessThan(40)
                .allSatisfy(line -> assertThat(line).hasSizeLessThan(140));
        assertThat(summary.lines().filter(line -> line.startsWith("HAWAT1 "))).hasSize(1);
        assertThat(summary).doesNotContain("I/O", "oldest first");
    }

    @Test
    void theVerdictSaysThatLinesOfARecordingWereLeftOut() throws Exception {
        String lines =
                "2 of 4 lines of the recording could not be read and were left out; the first is a.idea:2: not JSON";
        RunResult run = changed("\"leftOut\" : [ ]", "\"leftOut\" : [ \"" + lines + "\" ]");

        assertThat(RunReports.ending(run)).contains("\nleft out: " + lines + "\n");
    }

    @ParameterizedTest
    @CsvSource({"embedded, false", "container, false", "external, true"})
    void thatThereIsNoTlsIsSaidOfServersOfOthersAlone(String provision, boolean said) throws Exception {
        RunResult run = changed(
                "\"embedded\"", '"' + provision + '"', "\"security\" : \"hostName\"", "\"security\" : \"none\"");

        assertThat(RunReports.text(run).contains("connection:")).isEqualTo(said);
    }

    private RunResult changed(String... fromAndTo) throws IOException {
        String json = Files.readString(RESULT);
        for (int i = 0; i < fromAndTo.length; i += 2) {
            json = json.replace(fromAndTo[i], fromAndTo[i + 1]);
        }
        return RunResult.read(Files.writeString(directory.resolve("changed.json"), json));
    }
}
