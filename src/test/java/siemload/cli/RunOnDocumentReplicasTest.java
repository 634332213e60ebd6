package siemload.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import siemload.database.mongodb.StandInSet;
import siemload.results.RunResult;

/** Runs whose searches two secondaries of a replica set of stand-ins answer, one of which does late what is written. */
@Tag("any-java")
@Tag("exhaustive")
class RunOnDocumentReplicasTest {
    private static final Duration LATE = Duration.ofMillis(700);

    @TempDir
    private Path directory;

    private StandInSet set;

    @BeforeEach
    void startSet() {
        set = StandInSet.of("rs0", 2);
        set.delay(2, LATE);
    }

    @AfterEach
    void stopSet() {
        set.close();
    }

    @Test
    void whatALateSecondaryLacksIsNoWrongAnswerAndEachIsReportedApart() throws Exception {
        RunResult result = runs().requireToldApart(runs().run("--target", "mongodb"));

        assertThat(result.measured().places().replicas())
                .allSatisfy(one -> assertThat(one.about())
                        .startsWith("secondary of the replica set rs0, whose primary is 127.0.0.1:"));
    }

    @Test
    void injectorsSearchOnTheSameSecondaries() throws Exception {
        runs().requireAddedUp(runs().run("--target", "mongodb", "--injectors", "3"), 3);
    }

    private ReplicaRuns runs() {
        return new ReplicaRuns(
                directory, set.address(0), set.address(1).url(), set.address(2).url(), LATE);
    }
}
