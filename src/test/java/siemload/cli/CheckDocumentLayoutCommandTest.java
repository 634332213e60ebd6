package siemload.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import siemload.database.EmbeddedServer;
import siemload.database.Partitions;
import siemload.database.mongodb.MongodbTestServer;

/** Layouts of users' own, from the command line to the answers of a stand-in for MongoDB, which looks at no hints. */
@Tag("database")
@Tag("any-java")
class CheckDocumentLayoutCommandTest {
    /** The questions are the same however many events there are; each answer has fewer rows. */
    private static final String FEW = "src/test/resources/datasets/few.yaml";

    private static final String TINY = "src/test/resources/datasets/tiny.yaml";

    @TempDir
    private static Path directory;

    private static EmbeddedServer server;
    private static int folders;

    @BeforeAll
    static void startServer() {
        server = MongodbTestServer.standIn(6);
    }

    @AfterAll
    static void stopServer() {
        server.close();
    }

    @Test
    void aCopyOfSiemloadsAnswersRightly() throws Exception {
        Path folder = directory.resolve("mine" + folders++);
        ChildProcess.Ended copied = ChildProcess.siemload(
                        directory, "check-layout", "--target", "mongodb", "--copy", "idea", folder.toString())
                .await();
        assertThat(copied.exitCode()).as(copied.output()).isZero();

        ChildProcess.Ended check = check(shortened(folder));

        assertThat(check.exitCode()).as(check.output()).isZero();
        assertThat(check.output())
                .contains("right with indexes native and hint none")
                .contains("right with indexes native and hint index")
                .containsPattern("mine\\d+@[0-9a-f]{16}: [0-9,]+ answers of 2 variants are those of the reference");
    }

    /** Each fault with the search that shows it first. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            condition-source-ip4.json | Source.IP4 | Target.IP4 | SOURCE: event \\S+ is missing
            document.json | "Event": {"$param": "json"} | "Event": {"$param": "detect_micros"} | rows.json gives a row in which _id is no string, number or ObjectId, DetectMicros no 64-bit integer, or Event neither bytes nor text nor a document
            """)
    void aWrongLayoutIsCaughtWithTheFirstWrongAnswer(String file, String from, String to, String message)
            throws Exception {
        wrong(file, from, to, message);
    }

    @Tag("exhaustive")
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            newest-first.json | -1, "_id": -1 | 1, "_id": -1 | event \\S+ came as row \\d+, but belongs there as row \\d+
            condition-before-key.json | "$lt" | "$lte" | event \\S+ is too many
            top-list.json | {"$limit": {"$param": "limit"}}, | {"$limit": 1}, | line \\d+ is not there instead of Line
            condition-port.json | "Port": | "Ports": | OTHER2: event \\S+ is missing
            condition-category.json | {"$param": "category"} | {"$nearly": {"$param": "category"}} | the search fails: .*nearly
            presence.json | {"$in": {"$param": "ids"}} | {"$exists": true} | events with an id that none has
            presence.json | {"$in": {"$param": "ids"}} | {"$nin": {"$param": "ids"}} | events with an id that none has
            document.json | "_id": {"$param": "id"} | "_id": {"of": {"$param": "id"}} | fed events the file presence finds 0
            """)
    void anyWrongFileIsCaught(String file, String from, String to, String message) throws Exception {
        wrong(file, from, to, message);
    }

    private static void wrong(String file, String from, String to, String message) throws Exception {
        Path folder = copy();
        LayoutCopy.replace(folder, file, from, to);

        ChildProcess.Ended check = check(folder);

        assertThat(check.exitCode()).as(check.output()).isEqualTo(1);
        assertThat(check.output())
                .contains("WRONG with indexes native and hint none")
                .containsPattern(message);
    }

    @Test
    void aBadFolderIsRefusedBeforeAServerIsTouched() throws Exception {
        Path folder = copy();
        Files.delete(folder.resolve("rows.json"));
        LayoutCopy.replace(folder, "condition-id.json", "\"id\"}", "\"is\"}");
        ChildProcess.Ended check = ChildProcess.siemload(
                        directory, "check-layout", "--target", "mongodb", "--url", "mongodb://127.0.0.1:1", folder + "")
                .await();
        assertThat(check.exitCode()).as(check.output()).isEqualTo(2);
        assertThat(check.output())
                .contains("rows.json: there is no such file, which the layout needs")
                .contains("condition-id.json:1:10: the name 'is' is unknown here");
    }

    @Test
    void aRunHasALayoutOfOnesOwn() throws Exception {
        Path folder = copy();
        ChildProcess.Ended run = siemload(
                "run",
                "hawat",
                "--target",
                "mongodb",
                "--dataset",
                TINY,
                "--users",
                "4",
                "--warmup",
                "0s",
                "--duration",
                "2s",
                "--yes",
                "--allowIneffectiveHint",
                "--layout",
                folder.toString());
        assertThat(run.exitCode()).as(run.output()).isIn(0, 1, 4);
        assertThat(run.output()).contains("loaded tiny: 2,000 events");
        var result = LatestRun.result(directory);
        assertThat(result.identity().target().variant().layout()).matches("mine\\d+@[0-9a-f]{16}");
    }

    private static ChildProcess.Ended check(Path folder) throws Exception {
        return siemload("check-layout", "--target", "mongodb", "--yes", "--dataset", FEW, folder.toString());
    }

    private static ChildProcess.Ended siemload(String... arguments) throws Exception {
        return ChildProcess.siemload(directory, server.address(), arguments).await();
    }

    private static Path copy() throws Exception {
        return shortened(LayoutCopy.of("mongodb", "idea", Partitions.NONE, directory.resolve("mine" + folders++)));
    }

    private static Path shortened(Path folder) throws Exception {
        return LayoutCopy.shortened(folder, "[none, full-scan, index, time-index]");
    }
}
