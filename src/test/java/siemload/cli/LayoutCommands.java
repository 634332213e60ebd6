package siemload.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import siemload.database.EmbeddedServer;

/**
 * What users do with a layout of their own on one server.
 *
 * @param directory where the commands run
 * @param target says which target it is, where it is not the default one
 */
record LayoutCommands(Path directory, EmbeddedServer server, List<String> target) {
    /** The questions are the same however many events there are; each answer has fewer rows. */
    private static final String FEW = "src/test/resources/datasets/few.yaml";

    private static final String TINY = "src/test/resources/datasets/tiny.yaml";

    ChildProcess.Ended check(Path folder) throws Exception {
        return siemload(List.of("check-layout", "--dataset", FEW, folder.toString()));
    }

    /** Checks one of which all answers are right. */
    String right(Path folder) throws Exception {
        return right(
                folder, "indexes native and hint none", "indexes none and hint none", "indexes native and hint index");
    }

    /**
     * The same.
     *
     * @param variants in which it is checked
     */
    String right(Path folder, String... variants) throws Exception {
        ChildProcess.Ended check = check(folder);
        assertThat(check.exitCode()).as(check.output()).isZero();
        assertThat(variants).allSatisfy(variant -> assertThat(check.output()).contains("right with " + variant));
        assertThat(check.output())
                .containsPattern(
                        "mine\\d*@[0-9a-f]{16}: [0-9,]+ answers of " + variants.length + " variants? are right");
        return check.output();
    }

    /** Checks one of which an answer is wrong. */
    String wrong(Path folder) throws Exception {
        ChildProcess.Ended check = check(folder);
        assertThat(check.exitCode()).as(check.output()).isEqualTo(1);
        return check.output();
    }

    /** Searches the data set tiny for a moment, and tells what was printed. */
    String run(Path folder, String... options) throws Exception {
        List<String> run = List.of(
                "run",
                "--dataset",
                TINY,
                "--users",
                "4",
                "--warmup",
                "0s",
                "--duration",
                "1s",
                "--layout",
                folder.toString());
        ChildProcess.Ended ended =
                siemload(Stream.concat(run.stream(), Stream.of(options)).toList());
        assertThat(ended.exitCode()).as(ended.output()).isIn(0, 1, 4);
        return ended.output();
    }

    /** That of the latest run. */
    String layout() throws Exception {
        return LatestRun.result(directory).identity().target().variant().layout();
    }

    private ChildProcess.Ended siemload(List<String> command) throws Exception {
        return Siemload.run(
                directory,
                server.address(),
                Stream.concat(command.stream(), target.stream()).toArray(String[]::new));
    }
}
