package siemload.schema;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import siemload.config.SettingSources;
import siemload.config.Settings;
import siemload.scenario.ScenarioReader;

/** The schema of scenarios says the same as their reader. */
class ScenarioSchemaTest {
    /** Together they have every key there is. */
    private static final List<String> SCENARIOS =
            List.of("""
            description: every key of closed users and pages
            dataset: smoke
            analysts:
              - name: tier-1
                load: closed
                users: 10
                actions: {min: 4, max: 11}
                thinkTime: {distribution: exponential, mean: 4s}
                pause: {distribution: constant, value: 30s}
                window: {7d: 1, all: 0}
                mix: {HAWAT1: 30, OTHER1: 1}
                values: {hot: 1}
                order: {newestFirst: 1}
                listLength: 1_000
                page: {size: 100, deeper: 0.3, maximum: 50, lastPage: 0.1}
                followUp: 0.1
                patience: 10s
                maxRunning: 7
            feeder: {eps: 200, batch: 50, connections: 2, profile: constant}
            phases: {warmup: 15s, measurement: 1m30s}
            objectives: [HAWAT1 responseTime p95 < 2s, feeder achievedRatio >= 0.99]
            """, """
            description: those of open users who read whole results
            analysts:
              - name: exports
                load: open
                arrivals: 2/s
                actions: {min: 1, max: 1}
                thinkTime: {distribution: uniform, min: 1s, max: 2s}
                pause: {distribution: constant, value: 0s}
                window: {24h: 1}
                mix: {MENTAT: 1}
                page: whole
                maxRunning: {user: 2, group: 1_000}
            phases: {warmup: 0s, measurement: 10s}
            retention: {drop: oldestDay, after: 5s}
            """, """
            description: one person who reads whole results
            procedure:
              kind: read
              searches: [HAWAT1, OTHER1]
              order: unsorted
              window: 24h
              popularity: hot
              listLength: 1_000
              page: whole
              count: exact
              passes: 3
              caches: hot
            """, """
            description: searches of its own
            ownSearches: mine
            procedure: {kind: read, searches: [ssh], page: whole}
            """, """
            description: one person who turns pages
            procedure: {kind: depth, searches: [MENTAT], page: {size: 10_000}, depths: [1, 10], caches: cold}
            """, """
            description: one person who turns all pages
            procedure: {kind: depth, searches: [MENTAT], page: {size: 10_000}, depths: lastToFirst}
            """, """
            description: one person who loads
            procedure: {kind: load, cycles: 3}
            """, """
            description: rules that are looked for by the clock
            analysts:
              - {name: rules, load: scheduled, tasks: 5, every: 5m, offset: 1s, spread: even, criteria: drawn, count: exact,
                 window: {6m: 1}, mix: {HAWAT1: 1}, values: {typical: 1}, order: {newestFirst: 1}, listLength: 3, page: {size: 100}}
            phases: {warmup: 1s, measurement: 5s}
            """, """
            description: trends that the database stores by the clock
            analysts:
              - {name: hourly, load: scheduled, tasks: 2, every: 1h, trend: source, window: {24h: 1}}
              - {name: sums, load: scheduled, tasks: 1, every: 10s, offset: 1s, spread: even, trend: category}
            phases: {warmup: 1s, measurement: 5s}
            """, """
            description: one person who inserts
            procedure: {kind: feed, searches: [HAWAT1], page: {size: 100}, events: 10_000, batch: 100, connections: 2}
            """, """
            description: one person who searches for the newest
            procedure: {kind: stale, searches: [HAWAT1], window: 5m, page: {size: 100}, events: 1000, statistics: fresh}
            """, """
            description: some beside one who searches for everything
            procedure: {kind: noisy, searches: [HAWAT1], page: {size: 100}, users: 4, third: 5s}
            """, """
            description: jobs of many items
            procedure: {kind: jobs, searches: [HAWAT1], page: {size: 20}, levels: [1, 1_000], itemSearches: 8, inFlight: 3, servers: 2}
            """, """
            description: what must not change
            procedure: {kind: certificate, searches: [HAWAT1], page: {size: 100}, draws: 2, events: 500}
            """, """
            description: users of accounts
            procedure:
              kind: transactions
              users: 150
              accounts: 80_000_000
              classes: {readLight: 1, readMedium: 1, readHeavy: 1, writeLight: 1, writeMedium: 1, writeHeavy: 1}
              warmup: 10s
              duration: 60s
              crash: 30s
            """, """
            description: servers that take the data set
            procedure:
              kind: ingest
              writing: inserts
              batch: 500
              connections: 4
              matching: {dense: HAWAT3, sparse: HAWAT1, superSparse: HAWAT1, rare: DETAIL}
              passes: 3
              servers: 2
              turns: oneByOne
              peakFactor: 2.5
              retention: 30d
            """, """
            description: what a log has, once more
            replay: {recording: day.jsonl.gz, speed: 2, without: [other]}
            objectives: [by_user responseTime p95 < 2s]
            """, """
            description: users who ask statements
            statements:
              by_user: {sql: 'SELECT :user, :id, :asked', values: {user: [ann, 7], id: {from: 1, to: 9}, asked: {query: SELECT 1}},
                        then: {micros: {min: 1, mean: 2.5, p50: 2, p90: 3, p95: 3, p99: 4, p999: 5, max: 6}, plans: [{shape: table a, count: 2}]}}
              counted: {sql: SELECT 1, then: {counted: {calls: 3, mean: 2.5, stddev: 0.1, min: 2, max: 3}}}
            analysts:
              - {name: clerks, users: 3, actions: {min: 1, max: 2}, thinkTime: {distribution: constant, value: 1s},
                 pause: {distribution: constant, value: 2s}, patience: 10s, maxRunning: 2}
            phases: {warmup: 1s, measurement: 5s}
            objectives: [by_user responseTime p95 < 2s, all errorRatio <= 0.01]
            """);

    private static final String RECORDING = """
            {"format":"siemload query recording","version":1,"startedAt":"2024-03-01T12:00:00Z","executions":1,\
            "sessions":1,"openAtOnce":1,"micros":1,"statements":2}
            {"name":"by_user","sql":"SELECT 1","example":[]}
            {"name":"other","sql":"SELECT 2","example":[]}
            [0,0,0,1,true]
            """;

    @TempDir
    private Path directory;

    private SchemaAndReader scenarios() throws IOException {
        Path own = Files.createDirectories(directory.resolve("mine"));
        Files.writeString(own.resolve("ssh.yaml"), "{description: on SSH, criteria: [{port: 22}]}");
        Files.write(directory.resolve("day.jsonl.gz"), RECORDING.lines().toList());
        return new SchemaAndReader("scenario.json", ScenarioSchemaTest::read, directory);
    }

    private static void read(Path file) {
        Settings settings = Settings.of(new SettingSources(Map.of("scenario", file.toString()), Map.of(), Map.of()));
        ScenarioReader.read(Path.of(""), settings);
    }

    @Test
    void scenariosHaveTheKeysThatTheirReaderKnows() throws Exception {
        int mappings = 0;
        for (String scenario : SCENARIOS) {
            mappings += scenarios().assertSameKeys(Schemas.YAML.readTree(scenario));
        }
        assertThat(mappings).as("mappings whose keys were compared").isEqualTo(72);
    }

    @Test
    void aKeyThatIsMissingIsMissedByBoth() throws Exception {
        JsonNode scenario = Schemas.YAML.readTree(SCENARIOS.get(0));
        for (String key : List.of("description", "analysts", "phases")) {
            ObjectNode without = scenario.deepCopy();
            without.remove(key);
            scenarios().assertBothRefuse(without);
        }
    }

    @ParameterizedTest
    @MethodSource("wrongValues")
    void aWrongValueIsRefusedByBoth(String pointer, String value) throws Exception {
        assertBothRefuse(SCENARIOS.get(0), pointer, value);
    }

    static Stream<String[]> wrongValues() {
        return Stream.of(
                new String[] {"/analysts/0/users", "0"},
                new String[] {"/analysts/0/users", "many"},
                new String[] {"/analysts/0/arrivals", "2/s"},
                new String[] {"/analysts/0/load", "half"},
                new String[] {"/analysts/0/load", "scheduled"},
                new String[] {"/analysts/0/tasks", "5"},
                new String[] {"/analysts/0/spread", "even"},
                new String[] {"/analysts/0/patience", "10"},
                new String[] {"/analysts/0/patience", "''"},
                new String[] {"/analysts/0/maxRunning", "0"},
                new String[] {"/analysts/0/maxRunning", "{user: 7}"},
                new String[] {"/analysts/0/maxRunning", "{user: 7, group: 0}"},
                new String[] {"/analysts/0/maxRunning", "[7, 20]"},
                new String[] {"/analysts/0/page", "entire"},
                new String[] {"/analysts/0/page", "{size: 0}"},
                new String[] {"/analysts/0/thinkTime", "{distribution: normal, mean: 4s}"},
                new String[] {"/analysts/0/mix", "{HAWAT9: 1}"},
                new String[] {"/analysts/0/mix", "{ssh: 1}"},
                new String[] {"/analysts/0/window", "{yesterday: 1}"},
                new String[] {"/analysts/0/followUp", "1.1"},
                new String[] {"/feeder/eps", "-1"},
                new String[] {"/feeder/profile", "bursts"},
                new String[] {"/feeder/rate", "200/s"},
                new String[] {"/phases/measurement", "soon"},
                new String[] {"/retention", "{drop: newestDay, after: 1s}"},
                new String[] {"/retention", "{drop: oldestDay}"},
                new String[] {"/retention", "{after: soon}"},
                new String[] {"/objectives", "[HAWAT1 responseTime p96 < 2s]"},
                new String[] {"/objectives", "[HAWAT9 errorRatio <= 0.01]"},
                new String[] {"/procedure", "{kind: load}"});
    }

    @ParameterizedTest
    @MethodSource("wrongStatements")
    void aWrongStatementIsRefusedByBoth(String pointer, String value) throws Exception {
        assertBothRefuse(SCENARIOS.get(SCENARIOS.size() - 1), pointer, value);
    }

    private void assertBothRefuse(String right, String pointer, String value) throws Exception {
        ObjectNode scenario = Schemas.YAML.readTree(right).deepCopy();
        int slash = pointer.lastIndexOf('/');
        ((ObjectNode) scenario.at(pointer.substring(0, slash)))
                .set(pointer.substring(slash + 1), Schemas.YAML.readTree(value));

        scenarios().assertBothRefuse(scenario);
    }

    static Stream<String[]> wrongStatements() {
        return Stream.of(
                new String[] {"/statements", "{}"},
                new String[] {"/statements/by user", "{sql: SELECT 1}"},
                new String[] {"/statements/by_user/sql", "''"},
                new String[] {"/statements/by_user/then", "{plans: []}"},
                new String[] {"/statements/by_user/then/micros/p50", "-1"},
                new String[] {"/statements/by_user/then/plans", "[{shape: table a, count: 0}]"},
                new String[] {"/statements/by_user/then/counted", "{calls: 3, mean: 2.5}"},
                new String[] {"/statements/counted/then/counted/calls", "0"},
                new String[] {"/statements/counted/then/counted", "{calls: 3}"},
                new String[] {"/statements/counted/then/plans", "[{shape: table a, count: 1}]"},
                new String[] {"/statements/by_user/rows", "''"},
                new String[] {"/statements/by_user/values/user", "[]"},
                new String[] {"/statements/by_user/values/user", "ann"},
                new String[] {"/statements/by_user/values/id", "{from: 1}"},
                new String[] {"/statements/by_user/values/id", "{from: 1, to: 2, query: SELECT 1}"},
                new String[] {"/statements/by_user/values/id", "{column: x}"},
                new String[] {"/analysts/0/page", "whole"},
                new String[] {"/analysts/0/window", "{7d: 1}"},
                new String[] {"/dataset", "smoke"},
                new String[] {"/feeder", "{eps: 5}"},
                new String[] {"/objectives", "[by_user responseTime p96 < 2s]"});
    }

    @ParameterizedTest
    @MethodSource("wrongProcedures")
    void aWrongProcedureIsRefusedByBoth(String procedure) throws Exception {
        JsonNode scenario = Schemas.YAML.readTree("{description: wrong, procedure: " + procedure + "}");

        scenarios().assertBothRefuse(scenario);
    }

    static Stream<String> wrongProcedures() {
        return Stream.of(
                "{searches: [HAWAT1], page: whole}",
                "{kind: write}",
                "{kind: load, cycles: 0}",
                "{kind: read, searches: [], page: whole}",
                "{kind: read, searches: [HAWAT1, HAWAT1], page: whole}",
                "{kind: read, searches: [HAWAT9], page: whole}",
                "{kind: read, searches: [HAWAT1], page: {size: 0}}",
                "{kind: read, searches: [HAWAT1], page: whole, window: yesterday}",
                "{kind: depth, searches: [HAWAT1], page: {size: 10}, depths: []}",
                "{kind: depth, searches: [HAWAT1], page: {size: 10}, depths: middle}");
    }
}
