package siemload.results.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import siemload.GoldenFile;
import siemload.InEveryLocale;
import siemload.results.InjectorResult;
import siemload.results.PlaceResults;
import siemload.results.RunResult;
import siemload.results.RunResultFile;
import siemload.results.report.TextReport.InjectorTable;

class TextReportTest {
    private static final Path RESULT = Path.of("src/test/resources/golden/run.json");

    @TempDir
    private Path directory;

    @InEveryLocale
    void theTextIsTheSameInEveryLocale() throws Exception {
        GoldenFile.of("report.txt").assertHolds(TextReport.of(RunResultFile.read(RESULT)));
    }

    @Test
    void theSummaryFitsOnAScreenAndHasOneRowASearch() throws Exception {
        RunResult run = RunResultFile.read(Path.of("src/test/resources/runs/busy/run.json"));

        String summary = TextReport.summary(run) + TextReport.ending(run);

        assertThat(summary.lines())
                .hasSizeLessThan(40)
                .allSatisfy(line -> assertThat(line).hasSizeLessThan(140));
        assertThat(summary.lines().filter(line -> line.startsWith("HAWAT1 "))).hasSize(1);
        assertThat(summary).doesNotContain("I/O", "oldest first");
    }

    @Test
    void theVerdictSaysThatLinesOfARecordingWereLeftOut() throws Exception {
        String lines = "2 of 4 lines of the recording could not be read and were left out, first a.idea:2: not JSON";
        String json = Files.readString(RESULT).replace("\"leftOut\" : [ ]", "\"leftOut\" : [ \"" + lines + "\" ]");
        RunResult run = RunResultFile.read(Files.writeString(directory.resolve("run.json"), json));

        assertThat(TextReport.ending(run)).contains("\nleft out: " + lines + "\n");
        assertThat(RunHeadline.but(run)).isEqualTo(", but few, and lines of the recording were left out");
    }

    @ParameterizedTest
    @CsvSource({"embedded, false", "container, false", "external, true"})
    void thatThereIsNoTlsIsSaidOfServersOfOthersAlone(String provision, boolean said) throws Exception {
        String json = Files.readString(RESULT)
                .replace("\"embedded\"", '"' + provision + '"')
                .replace("\"security\" : \"hostName\"", "\"security\" : \"none\"");
        Path file = Files.writeString(directory.resolve("run.json"), json);

        assertThat(TextReport.of(RunResultFile.read(file)).contains("connection:"))
                .isEqualTo(said);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "2 | 2 | start: after the agreed instant; all began within 0.2 ms, by the database's clock",
                "2 | 3 | start: after the agreed instant; these began within 0.2 ms, by the database's clock; not known of 1 of 3"
                        + " injectors",
                "1 | 3 | start: after the agreed instant, by the database's clock; not known of 2 of 3 injectors",
                "0 | 3 | injectors: none of the 3 told at the end what it had done"
            })
    void howFarApartInjectorsBeganIsSaidOfThoseThatTold(int told, int started, String line) throws Exception {
        RunResult result = RunResultFile.read(RESULT);
        PlaceResults places = result.measured().places();
        List<InjectorResult> injectors =
                Collections.nCopies(told, places.injectors().get(0));
        StringBuilder text = new StringBuilder();

        InjectorTable.append(text, new PlaceResults(places.hosts(), started, injectors, places.replicas()));

        assertThat(text.toString().lines().filter(one -> !one.isEmpty()).reduce((before, after) -> after))
                .hasValue(line);
    }
}
