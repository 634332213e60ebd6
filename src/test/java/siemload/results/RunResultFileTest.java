package siemload.results;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import siemload.GoldenFile;
import siemload.InEveryLocale;
import siemload.results.RetentionResult.RetentionSpan;
import siemload.results.RunResult.ObjectiveResult;

class RunResultFileTest {
    private final Locale locale = Locale.getDefault();

    @TempDir
    private Path directory;

    @AfterEach
    void restoreLocale() {
        Locale.setDefault(locale);
    }

    @InEveryLocale
    void theFileIsTheSameInEveryLocale() throws Exception {
        Path file = directory.resolve("run.json");
        RunResultFile.write(file, example());

        GoldenFile.of("run.json").assertHolds(Files.readString(file));
    }

    @Test
    void whatIsReadIsWhatWasWritten() throws Exception {
        Path file = directory.resolve("run.json");
        RunResultFile.write(file, example());

        assertThat(RunResultFile.read(file)).isEqualTo(example());
    }

    @Test
    void whatAnEarlierVersionCalledOtherwiseOrDidNotMeasureIsRead() throws Exception {
        Path file = directory.resolve("run.json");
        Files.writeString(file, """
                {"formatVersion": 1, "runId": "r", "scenario": "s", "startedAt": "2026-11-21T10:15:00Z",
                 "target": {"id": "postgresql"}, "dataset": {}, "searches": [{"name": "HAWAT1"}],
                 "feeder": {"targetEps": 200, "achievedEps": 199.5}, "validity": {"valid": true, "warnings": []}}""");

        RunResult run = RunResultFile.read(file);

        assertThat(run.measured().database()).isEqualTo(DatabaseActivity.NONE);
        assertThat(run.measured().host()).isEqualTo(HostActivity.NONE);
        assertThat(run.measured().probes().visibility()).isEqualTo(VisibilityResult.NONE);
        assertThat(run.measured().steadyState()).isEqualTo(SteadyState.UNTESTED);
        assertThat(run.validity().verdict()).isEqualTo(RunVerdict.VALID);
        assertThat(run.validity().saturation()).isEqualTo(Saturation.NONE);
        assertThat(run.measured().serverTime()).isEqualTo(ServerTimes.NONE);
        assertThat(run.measured().searches().get(0).times().responseTimeMicros())
                .isEqualTo(MicrosSummary.NONE);
        assertThat(run.measured().searches().get(0).kind().page()).isEmpty();
        assertThat(run.measured().feeder().eventsPerSecond()).isEqualTo(200);
        assertThat(run.measured().feeder().achievedEventsPerSecond()).isEqualTo(199.5);
    }

    @Test
    void whatAnEarlierVersionCalledInvalidIsNotValid() throws Exception {
        Path file = directory.resolve("run.json");
        Files.writeString(file, """
                {"formatVersion": 1, "runId": "r", "scenario": "s", "startedAt": "2026-11-21T10:15:00Z",
                 "target": {"id": "postgresql"}, "dataset": {}, "searches": [],
                 "validity": {"valid": false, "warnings": ["this machine swapped"]}}""");

        Validity validity = RunResultFile.read(file).validity();

        assertThat(validity.verdict()).isEqualTo(RunVerdict.NOT_VALID);
        assertThat(validity.faults()).containsExactly("this machine swapped");
    }

    @Test
    void whatAnEarlierVersionCalledSaturatedIsValidAndSaturated() throws Exception {
        Path file = directory.resolve("run.json");
        Files.writeString(file, """
                {"formatVersion": 1, "runId": "r", "scenario": "s", "startedAt": "2026-11-21T10:15:00Z",
                 "target": {"id": "postgresql"}, "dataset": {}, "searches": [],
                 "validity": {"valid": false, "verdict": "saturated", "warnings": ["locks gave out", "3 were late"],
                              "saturation": {"gaveOut": ["locks"], "signs": ["3 were late"], "advice": "wait"}}}""");

        Validity validity = RunResultFile.read(file).validity();

        assertThat(validity.verdict()).isEqualTo(RunVerdict.VALID);
        assertThat(validity.valid()).isTrue();
        assertThat(validity.warnings()).isEmpty();
        assertThat(validity.saturation().seen()).isTrue();
    }

    @Test
    void whatIsNoResultOfARunIsRefused() throws Exception {
        Path file = directory.resolve("run.json");
        Files.writeString(file, "{\"formatVersion\": 1}");

        assertThatIOException()
                .isThrownBy(() -> RunResultFile.read(file))
                .withMessage(file + ": 'runId' is missing, so this is no result of a run");
    }

    @Test
    void anotherFormatIsRefused() throws Exception {
        Path file = directory.resolve("run.json");
        RunResultFile.write(file, example());
        Files.writeString(file, Files.readString(file).replace("\"formatVersion\" : 1", "\"formatVersion\" : 2"));

        assertThatIOException()
                .isThrownBy(() -> RunResultFile.read(file))
                .withMessageContaining("formatVersion 2 is not known here (known: 1)");
    }

    /** Every part filled, with values that differ. */
    public static RunResult example() {
        MicrosSummary micros = micros();
        return new RunResult(
                1,
                new RunResult.RunIdentity(
                        "hawat-postgresql-20261121-101500",
                        "hawat",
                        Instant.parse("2026-11-21T10:15:00Z"),
                        60.0,
                        false,
                        new TargetRecord(
                                "postgresql",
                                "18.6",
                                "embedded",
                                new TargetRecord.VariantRecord("mentat", "none", "native", "none", "offset"),
                                new TargetRecord.ConnectionRecord(
                                        "hostName",
                                        "TLSv1.3",
                                        "TLS_AES_256_GCM_SHA384",
                                        "10.0.0.5:5432",
                                        "Europe/Prague"),
                                Map.of("fsync", "on"),
                                Map.of("image", "postgres:18", "memory", "2048m")),
                        new RunResult.DatasetRecord("smoke", 200_000, 1, "0123456789abcdef", "copy"),
                        List.of(new RunResult.SettingRecord("feeder.eps", "200", "scenarios/hawat.yaml:46:8")),
                        Map.of("store", 8.25)),
                new RunResult.Measurement(
                        List.of(search("HAWAT1", "first", "newestFirst")),
                        List.of(search("HAWAT1", "", ""), search("all", "", "")),
                        new ServerTimes(
                                "pg_stat_statements",
                                "planning and execution",
                                "",
                                List.of(new ServerTimes.Statement(
                                        List.of("HAWAT1-first-newestFirst", "HAWAT1-deeper-newestFirst"),
                                        811,
                                        120.5,
                                        890.25))),
                        new FeederResult(
                                200,
                                "200/s",
                                199.9,
                                12_000,
                                11_990,
                                new FeederResult.FedEventCounts(12_000, 11_985, 12, 0, 3, 1, 0, 0),
                                118.5,
                                240,
                                60,
                                20,
                                0.75,
                                new FeederResult.BatchTimes(micros, micros)),
                        new RunResult.GeneratorResult(1.5, 1847.3, 0.012),
                        new DatabaseActivity(
                                List.of(new DatabaseActivity.Io("data", 11, 90_112, 12, 98_304, 13)),
                                List.of(new DatabaseActivity.Relation("events_detect_time", "index", 14, 15)),
                                Map.of("xact_commit", 16L),
                                Map.of("resident", 1_200_000_000L, "cache", 900_000_000L),
                                60,
                                0.004),
                        new HostActivity(
                                2,
                                new HostActivity.CpuShares(0.5, 0.2, 0.1, 0.05, 0.01),
                                new HostActivity.Contention(0.02, 12.5, 1.75, 0.25, 0.4, 0.1),
                                3.5,
                                17_000_000_000L,
                                1_500_000_000L,
                                new HostActivity.Transfers(18, 19, 20, 21),
                                List.of(new HostActivity.Disk("vda", 22, 23, 24, 25, 0.26)),
                                List.of(new HostActivity.HeavyProcess("backup", 0.27)),
                                new HostActivity.Pauses(28, 29, 30),
                                micros),
                        new RunResult.ProbeResults(
                                new VisibilityResult(33, 31, 2, micros),
                                List.of(new PagingTruth("offset", 5, 50, 5_000, 3, 4, 1))),
                        new SteadyState(
                                true,
                                0,
                                new SteadyState.Figure(
                                        new Change(0.01, -0.1, 0.12, 0.15), new Change(-0.02, -0.2, 0.16, 0.22)),
                                new SteadyState.Figure(
                                        new Change(-0.03, -0.4, 0.2, 0.18), new Change(0.05, -0.3, 0.7, 0.25))),
                        new LoadResults(
                                List.of(new FollowUpTimes("HAWAT6", 40, micros, 70, micros)),
                                List.of(new ScheduleResult(
                                        "rules",
                                        500,
                                        300,
                                        new ScheduleResult.TickCounts(100, 96, 1, 3, 1),
                                        micros,
                                        micros,
                                        90,
                                        List.of(
                                                new IoFigure("dataBlocksRead", 12, 640),
                                                new IoFigure("redoBytes", 0, 8_192)))),
                                List.of(new RetentionResult(
                                        "2016-06-06",
                                        "partition",
                                        "",
                                        20.25,
                                        15_500,
                                        9_100,
                                        List.of(new RetentionSpan("during", 1, 40, micros, micros)))),
                                List.of(new QuotaResult("tier-1", 20, 812, 20, 43, micros)),
                                List.of(new ReplayResult(
                                        "day-recording.jsonl.gz",
                                        2,
                                        1_000,
                                        50,
                                        900,
                                        899,
                                        new LateStarts(12, micros),
                                        new LateStarts(3, micros),
                                        List.of(ReplayedStatement.of("events_1", 890, 9, micros, micros)
                                                .with(List.of(
                                                        new PlanThen("field index events_hulls", 880),
                                                        new PlanThen("table events", 19)))),
                                        "day-recording.jsonl.gz:907: the line is no JSON")),
                                List.of(ReplayedStatement.of("events_2", 70, 1, micros, micros)
                                        .with(List.of(new PlanThen("time index events_detect_time", 71)))),
                                List.of(StatementMeans.of(
                                        "events_3",
                                        48,
                                        2,
                                        new StatementMeans.CountedTimes(1_200, 2, 0.5, -1, 7),
                                        micros))),
                        new PlaceResults(
                                List.of(new HostFigures(
                                        "db1:9100",
                                        8,
                                        new HostFigures.CpuUse(0.41, 0.12, 0.06, 0.02),
                                        5.5,
                                        9_000_000_000L,
                                        4_000_000_000L,
                                        new HostActivity.Transfers(34, 35, 36, 37),
                                        List.of(new HostActivity.Disk("nvme0n1", 38, 39, 40, 41, 0.42)),
                                        60,
                                        2)),
                                2,
                                List.of(new InjectorResult(
                                        1,
                                        "load1",
                                        4,
                                        new InjectorResult.Share(406, 0.5, 6_000, 0.5),
                                        new RunResult.GeneratorResult(0.75, 1847.3, 0.012),
                                        new InjectorResult.Punctuality(110, 85, micros, micros),
                                        new HostActivity.Pauses(44, 45, 46),
                                        List.of("injector 1: too slow"))),
                                List.of(new ReplicaResult(
                                        1,
                                        "jdbc:postgresql://db2:5432/siem?ssl=true",
                                        "standby of the cluster 7384",
                                        407,
                                        1,
                                        micros,
                                        micros)))),
                Map.of("hardware", "00112233"),
                List.of(new RunResult.PlanRecord(
                        new SearchKind("HAWAT1", "first", "newestFirst"),
                        "field index events_hulls, sorted",
                        "time index events_detect_time",
                        "plans/hawat1-first-newest-first.json",
                        "",
                        3,
                        9,
                        List.of(
                                new DatabaseActivity.Io("data", 7, 57_344, 0, 0, 1_300),
                                new DatabaseActivity.Io("index", 2, 16_384, 0, 0, 4),
                                new DatabaseActivity.Io("redo", 0, 0, 3, 24_576, 0),
                                new DatabaseActivity.Io("temp", 0, 0, 640, 5_242_880, 0)))),
                List.of(
                        new StepRecord(
                                "HAWAT1",
                                Map.of("search", "HAWAT1", "page", "whole", "pass", "1"),
                                Map.of("lastEventMicros", 34_500.0, "rows", 35.0)),
                        new StepRecord(
                                "HAWAT1",
                                Map.of("search", "HAWAT1", "page", "whole", "pass", "2"),
                                Map.of("lastEventMicros", 36_500.0, "rows", 35.0)),
                        new StepRecord("HAWAT3", Map.of("error", "timeout"), Map.of())),
                3,
                new RunResult.AnswerCounts(0.01, 40, 0, 2),
                List.of(
                        ObjectiveResult.decided("HAWAT1 responseTime p95 < 2s", true, "0.21s"),
                        new ObjectiveResult(
                                "HAWAT3 responseTime p99 < 2s",
                                true,
                                ObjectiveResult.Outcome.UNDECIDED,
                                "0.11s, 95 %: 0.08s or more",
                                "p99 takes 368 searches, 46 measured: 322 more, about -Dduration=8m",
                                322)),
                Validity.of(
                        List.of("2 of 812 searches failed"),
                        new Disturbance(14.5, List.of("other programs (javac 31 %) took CPU time")),
                        new Saturation(
                                List.of("the disks (vda was busy for 97 % of the time)"),
                                List.of("60 of 812 searches were not answered in time"),
                                "faster disks"),
                        List.of("the plan of HAWAT1 first changed during the run: field index events_hulls, sorted ->"
                                + " time index events_detect_time")));
    }

    private static MicrosSummary micros() {
        return new MicrosSummary(1, 2.5, 3, 4, 5, 6, 7, 8)
                .with(Map.of(
                        "p50",
                        new MicrosInterval(2, 4),
                        "p95",
                        new MicrosInterval(4, 7),
                        "p99",
                        new MicrosInterval(5, -1)));
    }

    private static SearchResult search(String name, String page, String order) {
        return new SearchResult(
                new SearchKind(name, page, order),
                812,
                810,
                2,
                Map.of("timeout 57014", 2L),
                61_234,
                40_000_000,
                new SearchResult.SearchTimes(micros(), micros(), micros(), micros(), micros(), micros()));
    }
}
