package siemload.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
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
    @TempDir
    private static Path directory;

    private static EmbeddedServer server;
    private static LayoutCommands commands;
    private static int folders;

    @BeforeAll
    static void startServer() {
        server = MongodbTestServer.standIn(6);
        commands = new LayoutCommands(directory, server, List.of("--target", "mongodb", "--yes"));
    }

    @AfterAll
    static void stopServer() {
        server.close();
    }

    @Test
    @Tag("exhaustive")
    void aCopyOfSiemloadsAnswersRightly() throws Exception {
        Path copy = directory.resolve("copy");
        ChildProcess.Ended copied =
                Siemload.run(directory, "check-layout", "--target", "mongodb", "--copy", "idea", copy.toString());
        assertThat(copied.exitCode()).as(copied.output()).isZero();

        Path folder = shortened(LayoutCopy.of(copy, directory.resolve("mine" + folders++)));
        assertThat(commands.right(folder)).doesNotContain("WRONG");
    }

    /** Each fault with the search that shows it first. */
    @Tag("exhaustive")
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            condition-{side}-ip{n}.json | {Side}.IP | Target.IP | : event \\S+ is missing
            document.json | "Event": {"$param": "json"} | "Event": {"$param": "detect_micros"} | the block rows gives a row in which _id is no string, number or ObjectId, DetectMicros no 64-bit integer, or Event neither bytes nor text nor a document
            """)
    void aWrongLayoutIsCaughtWithTheFirstWrongAnswer(String file, String from, String to, String message)
            throws Exception {
        wrong(file, from, to, message);
    }

    private static void wrong(String file, String from, String to, String message) throws Exception {
        Path folder = copy();
        LayoutCopy.replace(folder, file, from, to);

        assertThat(commands.wrong(folder))
                .contains("WRONG with indexes native and hint none")
                .containsPattern(message);
    }

    @Test
    @Tag("exhaustive")
    void aRunHasALayoutOfOnesOwn() throws Exception {
        assertThat(commands.run(copy(), "--allowIneffectiveHint")).contains("loaded tiny: 2,000 events");
        assertThat(commands.layout()).matches("mine\\d+@[0-9a-f]{16}");
    }

    private static Path copy() throws Exception {
        return shortened(LayoutCopy.of("mongodb", "idea", Partitions.NONE, directory.resolve("mine" + folders++)));
    }

    private static Path shortened(Path folder) throws Exception {
        return LayoutCopy.shortened(folder, "[none, full-scan, index, time-index]");
    }
}
