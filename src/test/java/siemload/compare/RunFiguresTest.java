package siemload.compare;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import siemload.results.PartialRun;
import siemload.results.RunFile;
import siemload.results.RunResult;

class RunFiguresTest {
    @TempDir
    private Path directory;

    /** 20 have a time: 15 answers and 5 timeouts, beside 5 lost connections. */
    @Test
    void searchesThatWereGivenUpHaveTimesAndAreNoAnswers() throws IOException {
        run("""
                "measuredSeconds": 10, "totals": [{"name": "HAWAT1", "count": 25, "ok": 15, "ko": 10,
                  "errors": {"timeout 57014": 4, "unfinished": 1, "connection 08006": 5},
                  "responseTimeMicros": {"p50": 700, "max": 900}}],
                "validity": {"valid": true, "warnings": [], "saturation": {"gaveOut": ["the CPUs"], "signs": ["seen"],
                  "advice": "fewer users"}}""");

        RunFigures figures = RunFigures.read(PartialRun.in(directory));

        assertThat(figures.invalid()).isEmpty();
        assertThat(figures.searches()).containsEntry("HAWAT1", 20L);
        assertThat(figures.figures().get("HAWAT1")).containsEntry("p50", 700.0).containsEntry("throughput", 1.5);
        assertThat(figures.gaveOut()).containsExactly("the CPUs");
        assertThat(figures.unanswered()).containsEntry("HAWAT1", 0.4);
        assertThat(figures.isBound("HAWAT1", new Metric("p95"))).isTrue();
        assertThat(figures.isBound("HAWAT1", new Metric("p50"))).isFalse();
        assertThat(figures.isBound("HAWAT1", new Metric("throughput"))).isFalse();
    }

    /** As objectives leave them out, and the total of a report. */
    @Test
    void exactCountsAreNotAmongAllSearches() throws IOException {
        String pages = "\"count\": 20, \"ok\": 20, \"responseTimeMicros\": {\"p50\": 700, \"max\": 700}}";
        String counts =
                "\"page\": \"count\", \"count\": 30, \"ok\": 30, \"responseTimeMicros\": {\"p50\": 900, \"max\": 900}}";
        run("\"measuredSeconds\": 10, \"totals\": [{\"name\": \"HAWAT1\", " + pages + ", {\"name\": \"all\", " + pages
                + ", {\"name\": \"all\", " + counts + "], \"searches\": [{\"name\": \"HAWAT1\", \"page\": \"first\", "
                + pages + ", {\"name\": \"HAWAT1\", " + counts + "]");

        RunFigures figures = RunFigures.read(PartialRun.in(directory));

        assertThat(figures.figures()).containsOnlyKeys("HAWAT1", "HAWAT1 count", "all");
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
        String first = "\"firstEventMicros\": {\"p50\": 700, \"p95\": 700, \"max\": 700}}";
        run("\"totals\": [{\"name\": \"HAWAT1\", \"ok\": 20, " + first + ", {\"name\": \"HAWAT2\", \"ok\": 19, " + first
                + "], \"feeder\": {\"batches\": 200, \"latenessMicros\": {\"p50\": 50, \"p95\": 50, \"max\": 50}}");

        RunFigures figures = RunFigures.read(PartialRun.in(directory));

        assertThat(figures.figures().get("HAWAT1"))
                .containsEntry("firstEventP50", 700.0)
                .doesNotContainKey("firstEventP95");
        assertThat(figures.figures().get("HAWAT2")).doesNotContainKey("firstEventP50");
        assertThat(figures.figures().get(RunFigures.FEEDER))
                .isEqualTo(Map.of("latenessP50", 50.0, "latenessP95", 50.0));
    }

    /** Their names say how many items they have: without that, jobs of different levels are compared with each other. */
    @Test
    void jobsOfALevelAreAboutAll() throws IOException {
        run("""
                "steps": [
                  {"name": "job of 1 item", "facts": {"level": "1"}, "figures": {"itemsPerMinute": 5.0}},
                  {"name": "job of 100 items", "facts": {"level": "100"}, "figures": {"itemsPerMinute": 50.0}}]""");

        assertThat(level("100").figures()).isEqualTo(Map.of("all", Map.of("itemsPerMinute", 50.0)));
        assertThat(level("1").figures()).isEqualTo(Map.of("all", Map.of("itemsPerMinute", 5.0)));
    }

    private RunFigures level(String level) throws IOException {
        Path run = PartialRun.in(directory);
        return RunFigures.of(RunResult.read(RunFile.RUN.in(run)), run, "level", level);
    }

    /** A valid run of which this is known. */
    private void run(String known) throws IOException {
        String validity = known.contains("validity") ? "" : ", \"validity\": {\"valid\": true, \"warnings\": []}";
        Files.writeString(directory.resolve("run.json"), """
                {"formatVersion": 1, "runId": "r", "scenario": "s", "startedAt": "2026-11-21T10:15:00Z",
                 "target": {"id": "postgresql", "connection": {"security": "none"}}, "dataset": {}, %s%s}""".formatted(known, validity));
        Files.writeString(directory.resolve("environment.json"), "{\"formatVersion\": 1, \"sections\": {}}");
    }
}
