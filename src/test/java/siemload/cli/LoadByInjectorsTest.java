package siemload.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import siemload.database.postgresql.server.PostgresqlTestServer;

/** A data set that several processes load. */
@Tag("database")
@Tag("any-java")
class LoadByInjectorsTest {
    @RegisterExtension
    static final PostgresqlTestServer SERVER = new PostgresqlTestServer("load-by-injectors");

    private static final String TINY = "src/test/resources/datasets/tiny.yaml";
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    @TempDir
    private Path directory;

    @Test
    @Tag("exhaustive")
    void whatThreeHaveLoadedIsWholeForAnybody() throws Exception {
        ChildProcess.Ended loaded = siemload("load --reload --injectors 3 --dataset " + TINY);
        ChildProcess.Ended again = siemload("load --dataset " + TINY);

        assertThat(loaded.exitCode()).as(loaded.output()).isZero();
        assertThat(loaded.output()).contains("events stored by 3 processes in ");
        assertThat(again.output()).contains("already loaded");
    }

    @Test
    @Tag("exhaustive")
    void aLoaderThatIsKilledIsNamedAndNothingIsLeft() throws Exception {
        List<String> before = SERVER.databases("siemload_data_");
        ChildProcess load = ChildProcess.siemload(
                directory,
                SERVER.address(),
                "load --reload --allowBusyServer --injectors 3 --dataset datasets/cesnet-day.yaml".split(" "));
        awaitLoading(load, before);
        List<ProcessHandle> loaders = load.children();
        loaders.get(1).destroyForcibly();

        ChildProcess.Ended ended = load.await();

        assertThat(ended.exitCode()).as(ended.output()).isEqualTo(3);
        assertThat(ended.output())
                .containsPattern("stopping: injector [1-3] of 3 [(]on this machine[)] has ended with exit code 137")
                .containsPattern(
                        "is not loaded: injector [1-3] of 3 [(]on this machine[)] has ended with exit code 137");
        assertThat(loaders).noneMatch(ProcessHandle::isAlive);
        assertThat(SERVER.databases("siemload_data_")).isEqualTo(before);
    }

    @Test
    void whereOneProcessAloneCanLoadItSaysSo() throws Exception {
        ChildProcess.Ended loaded = siemload("load --reload --injectors 2 --partitions day --dataset " + TINY);

        assertThat(loaded.exitCode()).as(loaded.output()).isZero();
        assertThat(loaded.output()).contains("is loaded by this process alone: several cannot load it in the layout");
    }

    private ChildProcess.Ended siemload(String arguments) throws Exception {
        return Siemload.run(directory, SERVER.address(), arguments.split(" "));
    }

    private static void awaitLoading(ChildProcess load, List<String> before) throws Exception {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (SERVER.databases("siemload_data_").equals(before)
                || load.children().size() < 3) {
            assertThat(System.nanoTime()).as("three processes load").isLessThan(deadline);
            assertThat(load.isStillRunningAfter(20)).as(load.output()).isTrue();
        }
    }
}
