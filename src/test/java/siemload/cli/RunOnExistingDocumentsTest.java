package siemload.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.bson.Document;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import siemload.database.EmbeddedServer;
import siemload.database.ServerAddress;
import siemload.database.mongodb.MongodbTestServer;

/** A run asks collections that were there before by commands, and leaves them as they are. */
@Tag("database")
@Tag("any-java")
class RunOnExistingDocumentsTest {
    @TempDir
    private Path directory;

    @Test
    void aScenarioOfCommandsReadsAndHoldsAnswersAgainstEachOther() throws Exception {
        try (EmbeddedServer server = MongodbTestServer.standIn(6);
                MongoClient client = MongoClients.create(server.address().url())) {
            List<Document> movies = IntStream.range(0, 300)
                    .mapToObj(n -> new Document("_id", n)
                            .append("title", "Movie " + n % 250)
                            .append("year", 1950 + n % 66)
                            .append("imdb", new Document("rating", n % 10)))
                    .toList();
            client.getDatabase("sample_mflix").getCollection("movies").insertMany(movies);
            String url = server.address().url().replaceAll("/*$", "") + "/sample_mflix";

            ChildProcess.Ended ended = Siemload.run(
                    directory,
                    new ServerAddress(url, "", ""),
                    "run",
                    "mflix-movies",
                    "--target",
                    "mongodb",
                    "--data",
                    "existing",
                    "--yes",
                    "--warmup",
                    "0s",
                    "--duration",
                    "3s",
                    "--thinkTime",
                    "10ms",
                    "--failOn",
                    "breakdown");

            assertThat(ended.exitCode()).as(ended.output()).isZero();
            assertThat(ended.output())
                    .containsSubsequence(
                            "siemload did not start this server.",
                            "it makes nothing and writes nothing. It asks:",
                            "title, year",
                            "at most 8 at a time over as many connections, each a command that is known to read, each"
                                    + " given up after",
                            "without access control anybody may write there",
                            "values of title, :title: 250, of which 250 are different",
                            "mflix-movies: 8 users executed statements on existing data on MongoDB",
                            "answers were held against each other: ");
            JsonNode result = LatestRun.json(directory);
            assertThat(result.at("/dataset/store").asText()).isEqualTo("existing");
            assertThat(result.at("/searches/0/name").asText()).isEqualTo("title");
            assertThat(result.at("/searches/0/ok").asLong()).isGreaterThan(50);
            assertThat(result.at("/searches/0/errors").asLong()).isZero();
            assertThat(result.at("/answersChecked").asLong()).isPositive();
            assertThat(result.at("/answersWrong").asLong()).isZero();
            assertThat(client.getDatabase("sample_mflix").listCollectionNames()).containsExactly("movies");
            assertThat(client.getDatabase("sample_mflix")
                            .getCollection("movies")
                            .find())
                    .containsExactlyElementsOf(movies);
        }
    }
}
