package siemload.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Locale;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.bson.Document;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import siemload.database.EmbeddedServer;
import siemload.database.ServerAddress;
import siemload.database.mongodb.MongodbTestServer;

/** What a server would have logged becomes a scenario, or a recording, that is asked of such a server. */
@Tag("database")
@Tag("any-java")
class LearnFromMongodbTest {
    private static final Instant START = Instant.parse("2024-03-01T12:00:00Z");

    @TempDir
    private Path directory;

    /** Three sessions ask in turn, a command every 20 ms. */
    private Path log() throws Exception {
        StringBuilder log = new StringBuilder();
        for (int i = 0; i < 60; i++) {
            String command = i % 3 == 0
                    ? "{\"aggregate\":\"item\",\"pipeline\":[{\"$match\":{\"kind\":" + i % 5
                            + "}},{\"$group\":{\"_id\":null,\"n\":{\"$sum\":1}}}],\"cursor\":{},\"$db\":\"shop\"}"
                    : "{\"find\":\"item\",\"filter\":{\"name\":\"it's item " + i % 20 + "\"},\"$db\":\"shop\"}";
            log.append(record(i, "conn" + i % 3, command));
            if (i % 10 == 0) {
                log.append(record(i, "conn9", "{\"insert\":\"item\",\"documents\":[],\"$db\":\"shop\"}"));
                log.append(record(i, "conn9", "{\"find\":\"other\",\"filter\":{},\"$db\":\"elsewhere\"}"));
            }
        }
        return Files.writeString(directory.resolve("mongod.log"), log);
    }

    private static String record(int i, String connection, String command) {
        return String.format(
                Locale.ROOT,
                "{\"t\":{\"$date\":\"%s\"},\"s\":\"I\",\"c\":\"COMMAND\",\"id\":51803,\"ctx\":\"%s\",\"msg\":\"Slow query\","
                        + "\"attr\":{\"type\":\"command\",\"ns\":\"shop.item\",\"command\":%s,\"durationMillis\":%d}}%n",
                START.plusMillis(20L * i),
                connection,
                command,
                i % 4);
    }

    @Test
    void aScenarioAsksTheSameCommandsInTheirShares() throws Exception {
        Path scenario = directory.resolve("ours.yaml");

        ChildProcess.Ended several = learn("--output", scenario.toString());
        ChildProcess.Ended learnt = learn("--from", "shop", "--output", scenario.toString());

        assertThat(several.exitCode()).isEqualTo(2);
        assertThat(several.output())
                .contains("has statements of several databases (choose one by --from): elsewhere (6), shop (60)");
        assertThat(learnt.exitCode()).as(learnt.output()).isZero();
        assertThat(learnt.output())
                .containsSubsequence(
                        "60 statements of 3 sessions, 2 different, from 2024-03-01T12:00:00Z",
                        "item_1",
                        "40  66.7 %",
                        "item_2",
                        "20  33.3 %",
                        "item_1 :p1: text, ",
                        "item_2 :p1: number, 5 different: 0 (20.0 %)",
                        "left out: 12",
                        "6  writes: {\"insert\":\"item\"",
                        "6  is of another database");
        assertThat(Files.readString(scenario))
                .contains("--target mongodb --data existing --url ...")
                .contains("    command: '{\"find\":\"item\",\"filter\":{\"name\":\":p1\"}}'\n");
        JsonNode result = run(scenario, "--warmup", "0s", "--duration", "3s", "--thinkTime", "10ms");
        assertThat(result.at("/searches/0/name").asText()).isEqualTo("item_1");
        assertThat(result.at("/searches/0/ok").asLong()).isGreaterThan(50);
        assertThat(result.at("/searches/0/errors").asLong()).isZero();
        assertThat(result.at("/answersWrong").asLong()).isZero();
    }

    @Test
    @Tag("exhaustive")
    void aReplayAsksAllOfThemInTheirSessions() throws Exception {
        Path scenario = directory.resolve("again.yaml");

        ChildProcess.Ended learnt = learn("--from", "shop", "--replay", "--output", scenario.toString());

        assertThat(learnt.exitCode()).as(learnt.output()).isZero();
        JsonNode result = run(scenario);
        assertThat(result.at("/searches/0/ok").asLong()
                        + result.at("/searches/1/ok").asLong())
                .isEqualTo(60);
        assertThat(result.at("/answersWrong").asLong()).isZero();
        assertThat(result.at("/answersChecked").asLong()).isPositive();
    }

    @Test
    void aFileThatNoDatabaseHasWrittenIsRefusedWithAllThatAreRead() throws Exception {
        Path file = Files.writeString(directory.resolve("notes.txt"), "nothing\nof the kind\n");

        ChildProcess.Ended ended = Siemload.run(
                directory,
                "learn-queries",
                file.toString(),
                "--output",
                directory.resolve("x.yaml").toString());

        assertThat(ended.exitCode()).isEqualTo(2);
        assertThat(ended.output())
                .contains("notes.txt: is no log that can be read (needed: of MongoDB the structured log of mongod, or")
                .contains("; of PostgreSQL csvlog or jsonlog, which");
    }

    private ChildProcess.Ended learn(String... options) throws Exception {
        return Siemload.run(
                directory,
                Stream.concat(Stream.of("learn-queries", log().toString()), Stream.of(options))
                        .toArray(String[]::new));
    }

    private JsonNode run(Path scenario, String... options) throws Exception {
        try (EmbeddedServer server = MongodbTestServer.standIn(6);
                MongoClient client = MongoClients.create(server.address().url())) {
            client.getDatabase("shop")
                    .getCollection("item")
                    .insertMany(IntStream.range(0, 100)
                            .mapToObj(n -> new Document("name", "it's item " + n % 30).append("kind", n % 5))
                            .toList());
            String url = server.address().url().replaceAll("/*$", "") + "/shop";
            ChildProcess.Ended ended = Siemload.run(
                    directory,
                    new ServerAddress(url, "", ""),
                    Stream.concat(
                                    Stream.of(
                                            "run",
                                            scenario.toString(),
                                            "--target",
                                            "mongodb",
                                            "--data",
                                            "existing",
                                            "--yes",
                                            "--failOn",
                                            "breakdown"),
                                    Stream.of(options))
                            .toArray(String[]::new));
            assertThat(ended.exitCode()).as(ended.output()).isZero();
        }
        return LatestRun.json(directory);
    }
}
