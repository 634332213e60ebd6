package siemload.compare.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Base64;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import siemload.results.PartialRun;

class RunFiguresTest {
    private static final String NEWEST = "{\"name\": \"HAWAT3\", \"page\": \"first\", \"order\": \"newestFirst\","
            + " \"shape\": \"Index Scan Backward\", \"shapeAtEnd\": \"\", \"file\": \"\", \"failure\": \"\"}";
    private static final String OLDEST =
            NEWEST.replace("newestFirst", "oldestFirst").replace("Index Scan Backward", "Index Scan");

    private static final String HEAD = "#[Histogram log format version 1.3]\n";

    @TempDir
    private Path directory;

    @Test
    void plansOfARunWithBothOrdersAreToldApart() throws IOException {
        assertThat(plans(NEWEST + ", " + OLDEST))
                .isEqualTo(Map.of("HAWAT3 first", "Index Scan Backward", "HAWAT3 first, oldest first", "Index Scan"));
    }

    /** A disk that was full for a while leaves such logs behind. */
    @Test
    void aRunWhoseLogLacksAnswersDoesNotCount() throws IOException {
        run("{\"name\": \"HAWAT1\", \"page\": \"first\", \"order\": \"newestFirst\", \"count\": 3, \"ok\": 3}", "");
        Path log = directory.resolve("response-time.hlog");
        Files.writeString(log, HEAD);
        assertThat(RunFigures.read(PartialRun.in(directory)).invalid())
                .contains("response-time.hlog holds 0 of 3 searches that were answered or given up");

        Files.writeString(log, HEAD + "Tag=HAWAT1-first-newestFirst,0.0,1.0,nonsense\n");
        assertThat(RunFigures.read(PartialRun.in(directory)).invalid())
                .anyMatch(
                        reason -> reason.startsWith("response-time.hlog cannot be read") && reason.contains(".hlog:2"));

        Files.delete(log);
        assertThat(RunFigures.read(PartialRun.in(directory)).invalid())
                .anyMatch(reason -> reason.startsWith("response-time.hlog cannot be read"));
    }

    /** 20 have a time: 15 answers and 5 timeouts, beside 5 lost connections. */
    @Test
    void searchesThatWereGivenUpHaveTimesAndAreNoAnswers() throws IOException {
        run(
                "{\"name\": \"HAWAT1\", \"page\": \"first\", \"order\": \"newestFirst\", \"count\": 25, \"ok\": 15, \"ko\": 10,"
                        + " \"errors\": {\"timeout 57014\": 4, \"unfinished\": 1, \"connection 08006\": 5}}",
                "");
        Path file = directory.resolve("run.json");
        Files.writeString(
                file,
                Files.readString(file)
                        .replaceFirst("\\{", "{\"measuredSeconds\": 10,")
                        .replace(
                                "\"validity\": {\"valid\": true, \"warnings\": []}",
                                "\"validity\": {\"valid\": true, \"warnings\": [], \"saturation\": {\"gaveOut\": [\"the CPUs\"], \"signs\":"
                                        + " [\"seen\"], \"advice\": \"fewer users\"}}"));
        log("response-time.hlog", "HAWAT1-first-newestFirst", 20, 700);
        log("first-event.hlog", "HAWAT1-first-newestFirst", 15, 700);
        log("service-time.hlog", "HAWAT1-first-newestFirst", 15, 700);

        RunFigures figures = RunFigures.read(PartialRun.in(directory));

        assertThat(figures.invalid()).isEmpty();
        assertThat(figures.figures().get("HAWAT1")).containsEntry("p50", 700.0).containsEntry("throughput", 1.5);
        assertThat(figures.overload().gaveOut()).containsExactly("the CPUs");
        assertThat(figures.overload().unanswered()).containsEntry("HAWAT1", 0.4).containsEntry(RunFigures.ALL, 0.4);
        assertThat(figures.isBound("HAWAT1", new Metric("p95"))).isTrue();
        assertThat(figures.isBound("HAWAT1", new Metric("p50"))).isFalse();
        assertThat(figures.isBound("HAWAT1", new Metric("throughput"))).isFalse();
    }

    /** As objectives leave them out, and the total of a report. */
    @Test
    void exactCountsAreNotAmongAllSearches() throws IOException {
        run(
                "{\"name\": \"HAWAT1\", \"page\": \"first\", \"order\": \"newestFirst\", \"count\": 20, \"ok\": 20},"
                        + " {\"name\": \"HAWAT1\", \"page\": \"count\", \"order\": \"newestFirst\", \"count\": 30,"
                        + " \"ok\": 30}",
                "");
        Path file = directory.resolve("run.json");
        Files.writeString(file, Files.readString(file).replaceFirst("\\{", "{\"measuredSeconds\": 10,"));
        log("response-time.hlog", "HAWAT1-first-newestFirst", 20, 700);
        log("more.hlog", "HAWAT1-count-newestFirst", 30, 900);
        Path log = directory.resolve("response-time.hlog");
        Files.writeString(
                log,
                Files.readString(log)
                        + Files.readString(directory.resolve("more.hlog")).replace(HEAD, ""));

        RunFigures figures = RunFigures.read(PartialRun.in(directory));

        assertThat(figures.invalid()).isEmpty();
        assertThat(figures.figures().get(RunFigures.ALL))
                .containsEntry("p50", 700.0)
                .containsEntry("throughput", 2.0);
        assertThat(figures.figures().get("HAWAT1 count"))
                .containsEntry("p50", 900.0)
                .containsEntry("throughput", 3.0);
    }

    /** 20 are enough for a median, 19 are not; 200 for p95. */
    @Test
    void timesOfFeederAndFirstEventsAreFiguresWhereEnoughStandBehindThem() throws IOException {
        run("", "");
        log("first-event.hlog", "HAWAT1-first-newestFirst", 20, 700);
        log("service-time.hlog", "HAWAT1-first-newestFirst", 19, 900);
        log("feeder-lateness.hlog", "", 200, 50);

        RunFigures figures = RunFigures.read(PartialRun.in(directory));

        assertThat(figures.figures().get("HAWAT1")).isEqualTo(Map.of("firstEventP50", 700.0));
        assertThat(figures.figures().get(RunFigures.ALL)).containsEntry("firstEventP50", 700.0);
        assertThat(figures.figures().get(RunFigures.FEEDER))
                .isEqualTo(Map.of("latenessP50", 50.0, "latenessP95", 50.0));
        assertThat(figures.invalid()).isEmpty();
    }

    /** Their names say how many items they have: without that, jobs of different levels are compared with each other. */
    @Test
    void jobsOfALevelAreAboutAll() throws IOException {
        run("", "");
        Path file = directory.resolve("run.json");
        Files.writeString(file, Files.readString(file).replace("\"plans\"", """
                        "steps": [
                          {"name": "job of 1 item", "facts": {"level": "1"}, "figures": {"itemsPerMinute": 5.0}},
                          {"name": "job of 100 items", "facts": {"level": "100"}, "figures": {"itemsPerMinute": 50.0}}],
                        "plans\""""));

        assertThat(RunFigures.read(PartialRun.in(directory), "level", "100").figures())
                .isEqualTo(Map.of("all", Map.of("itemsPerMinute", 50.0)));
        assertThat(RunFigures.read(PartialRun.in(directory), "level", "1").figures())
                .isEqualTo(Map.of("all", Map.of("itemsPerMinute", 5.0)));
    }

    private void log(String name, String tag, int count, long micros) throws IOException {
        Histogram times = new Histogram(3);
        times.recordValueWithCount(micros, count);
        ByteBuffer buffer = ByteBuffer.allocate(times.getNeededByteBufferCapacity());
        int length = times.encodeIntoCompressedByteBuffer(buffer);
        String encoded = Base64.getEncoder().encodeToString(Arrays.copyOf(buffer.array(), length));
        Files.writeString(
                directory.resolve(name),
                HEAD + (tag.isEmpty() ? "" : "Tag=" + tag + ",") + "0.0,1.0,0.7," + encoded + "\n");
    }

    private Map<String, String> plans(String plans) throws IOException {
        run("", plans);
        return RunFigures.read(PartialRun.in(directory)).plans();
    }

    private void run(String searches, String plans) throws IOException {
        Files.writeString(directory.resolve("run.json"), """
                {"formatVersion": 1, "runId": "r", "scenario": "s", "startedAt": "2026-11-21T10:15:00Z",
                 "target": {"id": "postgresql"}, "dataset": {}, "searches": [%s], "plans": [%s],
                 "validity": {"valid": true, "warnings": []}}""".formatted(searches, plans));
        Files.writeString(directory.resolve("environment.json"), "{\"formatVersion\": 1, \"sections\": {}}");
    }
}
