package siemload.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.bson.Document;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import siemload.database.EmbeddedServer;
import siemload.database.ServerAddress;
import siemload.database.mongodb.Alerts;
import siemload.database.mongodb.MongodbTestServer;

/** Siemload's searches are asked of documents that nobody here designed, and leave no trace among them. */
@Tag("database")
@Tag("any-java")
class SearchExistingDocumentsTest {
    private static EmbeddedServer server;

    @TempDir
    private Path directory;

    @BeforeAll
    static void startServer() {
        server = MongodbTestServer.standIn(6);
        Alerts.make(server);
    }

    @AfterAll
    static void stopServer() {
        server.close();
    }

    @Test
    void aRunOnlyReadsAndHoldsAnswersAgainstEachOther() throws Exception {
        List<Document> before = content();

        ChildProcess.Ended run = run(Alerts.LAYOUT, "--warmup", "0s", "--duration", "2s", "--failOn", "breakdown");

        assertThat(run.exitCode()).as(run.output()).isZero();
        assertThat(run.output())
                .containsSubsequence(
                        "it makes nothing and writes nothing. It asks:",
                        "HAWAT3, HAWAT4, HAWAT5, MENTAT",
                        "6,000 events from 2024-02-20T00:00:00Z to 2024-02-26T22:35:00Z",
                        "values of address: 250",
                        "values of category: 10",
                        "values of detector: 20",
                        "answers were held against each other: ",
                        "with hint full-scan");
        assertThat(content()).isEqualTo(before);
        JsonNode result = LatestRun.json(directory);
        assertThat(result.at("/dataset/store").asText()).isEqualTo("existing");
        assertThat(result.at("/target/layout").asText()).startsWith("alerts@");
        assertThat(result.at("/answersWrong").asLong()).isZero();
        assertThat(LatestRun.rows(directory)).isGreaterThan(100);
    }

    private ChildProcess.Ended run(Path layout, String... more) throws Exception {
        List<String> arguments = new ArrayList<>(List.of(
                "run",
                "pgbench-history",
                "--target",
                "mongodb",
                "--data",
                "existing",
                "--layout",
                layout.toString(),
                "--yes",
                "--thinkTime",
                "20ms"));
        arguments.addAll(List.of(more));
        return Siemload.run(directory, new ServerAddress(Alerts.url(server), "", ""), arguments.toArray(String[]::new));
    }

    private static List<Document> content() {
        try (MongoClient client = MongoClients.create(server.address().url())) {
            List<Document> all = new ArrayList<>();
            for (String collection : client.getDatabase(Alerts.DATABASE).listCollectionNames()) {
                all.add(new Document("collection", collection));
                client.getDatabase(Alerts.DATABASE)
                        .getCollection(collection)
                        .find()
                        .into(all);
            }
            return all;
        }
    }
}
