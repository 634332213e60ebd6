package siemload.results.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import siemload.results.ResultText.BrokenFileException;

class RunReportsTest {
    @TempDir
    private Path results;

    private Path run;

    @BeforeEach
    void copyRun() throws IOException {
        run = ExampleRun.copyWithShortLogsTo(results);
    }

    @Test
    void theNewestRunOfAResultsDirectoryIsMeantByItsLink() throws IOException {
        Files.createSymbolicLink(results.resolve("latest"), Path.of("busy"));

        assertThat(RunReports.write(results).directory()).isEqualTo(run);
    }

    @Test
    void thePageHoldsAllItNeedsAndAsksForNothing() throws IOException {
        String markup = page().replaceAll("(?s)(<(script|style)[^>]*>).*?(?=</\\2>)", "$1");

        assertThat(markup).contains("default-src 'none'").doesNotContain("{{").hasSizeLessThan(2_000);
        assertThat(markup.replace("href=\"data:,\"", "")).doesNotContainPattern("(src|href)=\"");
    }

    @Test
    void allFilesOfTheRunAreInTheData() throws IOException {
        JsonNode data = data(page());

        assertThat(data.at("/notes").isEmpty()).isTrue();
        assertThat(data.at("/head/sentence").asText())
                .isEqualTo("12 analysts searched 2,000 events of tiny on PostgreSQL 18.6 for 30.0 s,"
                        + " while a feeder inserted 300 events a second.");
        assertThat(data.at("/axis")).isEqualTo(json("{\"first\":-4,\"step\":1,\"points\":35}"));
        assertThat(List.of("latency", "load", "hosts", "disks", "io", "environment", "selftest", "plans"))
                .allSatisfy(part -> assertThat(data.path(part)).isNotEmpty());
    }

    /** The logs hold what run.json sums up, so that the page cannot contradict it. */
    @Test
    void mergedLogsAgreeWithTheSumsOfTheRun() throws IOException {
        run = ExampleRun.copyTo(results.resolve("whole"));
        JsonNode data = data(page());
        long answered = 0;
        for (JsonNode search : data.at("/run/searches")) {
            answered += search.path("page").asText().equals("count")
                    ? 0
                    : search.path("ok").asLong();
        }

        for (String metric : List.of("latency", "firstEvent")) {
            JsonNode points = data.at("/spectra/" + metric + "/all");
            assertThat(points.get(points.size() - 1).get(0).asLong()).isEqualTo(answered);
        }
    }

    @Test
    void aMissingFileCostsItsPartAlone() throws IOException {
        Files.delete(run.resolve("host.csv"));
        Files.delete(run.resolve("response-time.hlog"));

        RunReports.Written written = RunReports.write(run);

        assertThat(written.leftOut()).isEmpty();
        JsonNode data = data(Files.readString(run.resolve("report.html")));
        assertThat(data.path("hosts")).isEmpty();
        assertThat(data.path("latency")).isEmpty();
        assertThat(data.path("disks")).isNotEmpty();
    }

    /** Several of them at once: a file, what stands there, what shall stand there, and what is said. */
    @ParameterizedTest
    @ValueSource(strings = {"""
            host.csv | -4.000,this host,0. | -4.000,this host,x. | host.csv:2: userRatio: 'x
            timeline.csv | -4.000,warmup, | -4.000,warmup,1, | timeline.csv:2: 13 cells (expected: 12)
            first-event.hlog | ,1.0 | ,1e17 | first-event.hlog:
            response-time.hlog | HISTF | HIST_ | response-time.hlog:5: not an interval of a histogram log
            environment.json | { | [ | environment.json:
            """, """
            host.csv | second,host,user | second,host,users | host.csv:1: the header is 'second,host,users
            timeline.csv | -4.000,warmup, | -9e17,warmup, | timeline.csv:2: second: '-9e17' is not a number from
            """})
    void aBrokenFileCostsItsPartAndSaysWhere(String broken) throws IOException {
        for (String line : broken.lines().toList()) {
            String[] parts = line.split(" [|] ", 4);
            replaceIn(parts[0], parts[1], parts[2]);
        }

        List<String> leftOut = RunReports.write(run).leftOut();

        assertThat(leftOut).hasSize((int) broken.lines().count());
        assertThat(broken.lines().map(line -> line.split(" [|] ", 4)[3]))
                .allSatisfy(message -> assertThat(leftOut).anyMatch(reason -> reason.startsWith(message)));
        assertThat(run.resolve("report.html")).isNotEmptyFile();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "\"runId\": | \"runId\" | :3:",
                "\"measuredSeconds\": | \"measuredSeconds\": 1e300, \"was\": | : 'measuredSeconds' is 1.0E300, which"
                        + " cannot be a measurement",
            })
    void aBrokenRunIsRefusedWithItsLineOrTheNameOfTheValue(String from, String to, String message) throws IOException {
        replaceIn("run.json", from, to);

        assertThatExceptionOfType(BrokenFileException.class)
                .isThrownBy(() -> RunReports.write(run))
                .withMessageStartingWith(run.resolve("run.json") + message);
    }

    @Test
    void whatALinkLeadsToIsNotPartOfARun() throws IOException {
        Path secret = Files.writeString(results.resolve("secret.txt"), "a secret");
        for (String file : List.of("host.csv", "plans/hawat3-first-newest-first.txt")) {
            Files.delete(run.resolve(file));
            Files.createSymbolicLink(run.resolve(file), secret);
        }

        RunReports.Written written = RunReports.write(run);

        assertThat(written.leftOut())
                .containsExactly("host.csv: not a regular file but a link, and links in results are not followed");
        assertThat(page()).doesNotContain("a secret").contains("hawat3-first-newest-first.txt: not a file of this run");
    }

    @Test
    void aReportIsNotWrittenWhereALinkLeads() throws IOException {
        Path mine = Files.writeString(results.resolve("mine.txt"), "mine");
        Files.createSymbolicLink(run.resolve("report.html"), mine);

        RunReports.write(run);

        assertThat(mine).hasContent("mine");
        assertThat(run.resolve("report.html")).isRegularFile();
    }

    @Test
    void aFileLargerThanAnyOfARunIsNotRead() throws IOException {
        try (RandomAccessFile huge =
                new RandomAccessFile(run.resolve("run.json").toFile(), "rw")) {
            huge.setLength(1L << 40);
        }

        assertThatExceptionOfType(BrokenFileException.class)
                .isThrownBy(() -> RunReports.write(run))
                .withMessageEndingWith("run.json: too large for a file of results (at most 32 MB are read)");
    }

    private String page() throws IOException {
        RunReports.write(run);
        return Files.readString(run.resolve("report.html"));
    }

    private static JsonNode data(String page) throws IOException {
        String start = "<script id=\"data\" type=\"application/json\">";
        int from = page.indexOf(start) + start.length();
        return json(page.substring(from, page.indexOf("</script>", from)));
    }

    private static JsonNode json(String text) throws IOException {
        return new ObjectMapper().readTree(text);
    }

    private void replaceIn(String file, String from, String to) throws IOException {
        String text = Files.readString(run.resolve(file));
        assertThat(text).contains(from);
        Files.writeString(run.resolve(file), text.replace(from, to));
    }
}
