package siemload.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import siemload.database.Partitions;
import siemload.database.postgresql.PostgresqlTestServer;

@Tag("database")
class CheckLayoutCommandTest {
    @RegisterExtension
    static final PostgresqlTestServer SERVER = new PostgresqlTestServer("layouts", 32, PostgresqlTestServer.UNSYNCED);

    @TempDir
    private static Path directory;

    private static int folders;

    /** The questions are the same however many events there are; each answer has fewer rows. */
    private static ChildProcess.Ended check(Path folder) throws Exception {
        return siemload("check-layout", "--dataset", "src/test/resources/datasets/few.yaml", folder.toString());
    }

    @Test
    void aLayoutOfSiemloadsAnswersRightlyWhenItIsCopied() throws Exception {
        Path folder = copy();
        LayoutCopy.replace(folder, "layout.yaml", "hints: [index]", "hints: []"); // A wrong one is told with each hint.

        ChildProcess.Ended check = check(folder);

        assertThat(check.exitCode()).as(check.output()).isZero();
        assertThat(check.output())
                .doesNotContain("WRONG")
                .contains("right with indexes native and hint none", "right with indexes none and hint none")
                .containsPattern("mine\\d*@[0-9a-f]{16}: [0-9,]+ answers of 2 variants are right");
    }

    /** Each fault with the search that shows it first. */
    @Tag("exhaustive")
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            condition-{side}-ip4.sql | e.{side}_ip4 && | e.target_ip4 && | but not the 1 that the search should find
            whole.sql | :time :direction | :time DESC | does not come after the row before it
            page.sql | LIMIT :'limit' | LIMIT :'limit'::int + 1 | a page of 7 has 8 rows
            top-list.sql | LIMIT :'limit' | LIMIT :'limit'::int - 1 | summary: missing lines
            condition-window-hidden.sql | >= ( | < ( | hint index: \\S+ whole
            condition-{side}-port.sql | :'port' | :'port' + | the search fails: .*syntax error
            """)
    void aWrongLayoutIsCaughtWithTheFirstWrongAnswer(String file, String from, String to, String message)
            throws Exception {
        Path folder = copy();
        LayoutCopy.replace(folder, file, from, to == null ? "" : to);

        ChildProcess.Ended check = check(folder);

        assertThat(check.exitCode()).as(check.output()).isEqualTo(1);
        assertThat(check.output())
                .contains("WRONG with indexes native and hint ")
                .containsPattern(message);
    }

    @Test
    void aCopyIsMadeInANewDirectoryAlone() throws Exception {
        Path folder = directory.resolve("copied");
        String[] copy = {"check-layout", "--copy", "address", "--partitions", "day", folder.toString()};
        assertThat(siemload(copy).exitCode()).isZero();
        assertThat(folder.resolve("layout.yaml"))
                .content()
                .contains("partitions: day")
                .contains("base: [address, mentat-day, mentat]");

        ChildProcess.Ended again = siemload(copy);

        assertThat(again.exitCode()).isEqualTo(2);
        assertThat(again.output()).contains("is not an empty directory (needed: a new or an empty one");
    }

    @Test
    @Tag("exhaustive")
    void aRunHasALayoutOfOnesOwnAndAnEditedOneIsLoadedAnew() throws Exception {
        Path folder = copy();
        assertThat(run(folder)).contains("loaded tiny: 2,000 events");
        String before = layout();
        assertThat(before).matches("mine\\d+@[0-9a-f]{16}");
        assertThat(run(folder)).doesNotContain("loaded tiny");
        assertThat(layout()).isEqualTo(before);

        LayoutCopy.replace(
                folder, "table-events.sql", "description text NOT NULL", "description text NOT NULL CHECK (true)");

        assertThat(run(folder)).contains("loaded tiny: 2,000 events");
        assertThat(layout()).startsWith(before.split("@", 2)[0]).isNotEqualTo(before);
    }

    /** Searches for a moment. */
    private static String run(Path folder) throws Exception {
        ChildProcess.Ended ended = siemload(("run --dataset src/test/resources/datasets/tiny.yaml --users 4 --warmup 0s"
                        + " --duration 1s --layout " + folder)
                .split(" "));
        assertThat(ended.exitCode()).as(ended.output()).isIn(0, 1, 4);
        return ended.output();
    }

    private static String layout() throws Exception {
        return LatestRun.result(directory).identity().target().variant().layout();
    }

    private static ChildProcess.Ended siemload(String... arguments) throws Exception {
        return Siemload.run(directory, SERVER.address(), arguments);
    }

    private static Path copy() throws Exception {
        Path folder = LayoutCopy.of("postgresql", "mentat", Partitions.NONE, directory.resolve("mine" + folders++));
        return LayoutCopy.shortened(folder);
    }
}
