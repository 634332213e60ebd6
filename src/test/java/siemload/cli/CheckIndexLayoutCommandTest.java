package siemload.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import siemload.database.EmbeddedServer;
import siemload.database.Partitions;
import siemload.database.opensearch.OpenSearchTestServer;

/** A layout of users' own, from the command line to the answers of OpenSearch. */
@Tag("database")
@Tag("any-java")
@Tag("exhaustive")
class CheckIndexLayoutCommandTest {
    @TempDir
    private Path directory;

    @Test
    void aCopyOfSiemloadsAnswersRightlyAndAWrongOneIsCaughtWithTheFirstWrongAnswer() throws Exception {
        try (EmbeddedServer server = OpenSearchTestServer.start()) {
            LayoutCommands commands = new LayoutCommands(directory, server, List.of("--target", "opensearch", "--yes"));
            Path folder = shortened(LayoutCopy.of("opensearch", "idea", Partitions.NONE, directory.resolve("mine")));
            assertThat(commands.right(folder, "indexes native and hint none")).doesNotContain("WRONG");

            LayoutCopy.replace(folder, "condition-{side}-ip{n}.json", "{side}_ip", "target_ip");

            assertThat(commands.wrong(folder))
                    .contains("WRONG with indexes native and hint none")
                    .containsPattern("event \\S+ is missing");
        }
    }

    /** With one index set, since each takes its time to be checked. */
    private static Path shortened(Path folder) throws Exception {
        LayoutCopy.replace(folder, "layout.yaml", "[native, none, time, fields]", "[native]");
        for (String set : List.of("none", "time", "fields")) {
            Files.delete(folder.resolve("indexes-" + set + ".json"));
        }
        return folder;
    }
}
