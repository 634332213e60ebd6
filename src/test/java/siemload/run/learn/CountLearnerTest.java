package siemload.run.learn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import siemload.config.ConfigException;
import siemload.database.TargetPlugin;
import siemload.database.TargetPlugins;

/** What becomes of counted statements. */
class CountLearnerTest {
    private static final TargetPlugin PLUGIN = TargetPlugins.find("postgresql").orElseThrow();
    private static final String HEAD = "userid,datname,queryid,query,calls,total_exec_time\n";

    @TempDir
    private Path directory;

    private Path file(String name, String text) throws IOException {
        return Files.writeString(directory.resolve(name), text);
    }

    private static LearntCounts learn(Path snapshot, String... database) throws IOException {
        return CountLearner.learn(
                PLUGIN,
                List.of(snapshot),
                new QueryLearner.Taken(List.of(database).stream().findFirst(), Optional.empty(), List.of(), false));
    }

    private static List<String> figures(LearntCounts learnt) {
        return learnt.statements().stream()
                .map(named -> named.name() + " " + named.statement().calls())
                .toList();
    }

    /** Two users, whose statement is one, and has more calls than another one then. */
    @Test
    void theSameTextIsOneStatementWhoeverAskedIt() throws IOException {
        Path snapshot = file(
                "day.csv",
                HEAD + "1,shop,1,SELECT a FROM t,4,4\n1,shop,2,TABLE u,5,5\n2,shop,1,SELECT a FROM t,3,10\n");

        LearntCounts learnt = learn(snapshot);

        assertThat(figures(learnt)).containsExactly("t_1 7", "query_1 5");
        assertThat(learnt.calls()).isEqualTo(12);
        assertThat(learnt.statements().get(0).statement().meanMicros()).isEqualTo(2_000);
        assertThat(learnt.leftOut().count()).isZero();
    }

    @Test
    void statementsOfOneDatabaseAreTaken() throws IOException {
        Path snapshot = file(
                "day.csv",
                HEAD + "1,shop,1,TABLE t,4,4\n1,till,1,TABLE t,5,5\n1,till,2,COMMIT,6,5\n1,shop,2,COMMIT,7,5\n");

        LearntCounts learnt = learn(snapshot, "shop");

        assertThat(figures(learnt)).containsExactly("query_1 4");
        assertThat(learnt.leftOut().lines())
                .containsExactly(
                        "       11  is of another database: COMMIT", "        7  begins or ends a transaction: COMMIT");
        assertThatThrownBy(() -> learn(snapshot))
                .isInstanceOf(ConfigException.class)
                .hasMessage(
                        snapshot + ": has statements of several databases (choose one by --from): shop (4), till (5)");
        assertThatThrownBy(() -> learn(snapshot, "bank"))
                .isInstanceOf(ConfigException.class)
                .hasMessageStartingWith(snapshot + ": has no statement that can be asked again and was executed\n")
                .hasMessageContaining("22  is of another database");
    }

    @Test
    void theMostFrequentStatementsAreKept() throws IOException {
        StringBuilder rows = new StringBuilder(HEAD);
        for (int i = 1; i <= 203; i++) {
            rows.append("1,shop,")
                    .append(i)
                    .append(",TABLE t")
                    .append(i)
                    .append(',')
                    .append(i)
                    .append(",1\n");
        }

        LearntCounts learnt = learn(file("day.csv", rows.toString()));

        assertThat(learnt.statements()).hasSize(200);
        assertThat(learnt.statements().get(0).statement().calls()).isEqualTo(203);
        assertThat(learnt.leftOut().count()).isEqualTo(1 + 2 + 3);
    }

    @Test
    void nothingBetweenTwoSnapshotsIsRefused() throws IOException {
        Path snapshot = file("day.csv", HEAD + "1,shop,1,TABLE t,4,4\n");

        assertThatThrownBy(() -> CountLearner.learn(
                        PLUGIN,
                        List.of(snapshot, snapshot),
                        new QueryLearner.Taken(Optional.empty(), Optional.empty(), List.of(), false)))
                .isInstanceOf(ConfigException.class)
                .hasMessage(snapshot + ", " + snapshot
                        + ": has no statement that can be asked again and was executed between the two");
    }

    @Test
    void oneOrTwoSnapshotsAreReadAndNoLogsBesideThem() throws IOException {
        Path snapshot = file("day.csv", HEAD);
        Path log = file("log.csv", "2024-03-01 12:00:00.500 CET\n");

        assertThat(CountLearner.areSnapshots(PLUGIN, List.of(log))).isFalse();
        assertThat(CountLearner.areSnapshots(PLUGIN, List.of(snapshot, snapshot)))
                .isTrue();
        assertThatThrownBy(() -> CountLearner.areSnapshots(PLUGIN, List.of(log, snapshot)))
                .isInstanceOf(ConfigException.class)
                .hasMessageStartingWith(snapshot + ": is a snapshot of counts, which cannot be read beside logs");
        assertThatThrownBy(() -> CountLearner.areSnapshots(PLUGIN, List.of(snapshot, snapshot, snapshot)))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("are 3 snapshots (allowed: one, or two");
    }
}
