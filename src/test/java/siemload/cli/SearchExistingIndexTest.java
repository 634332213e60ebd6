package siemload.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import siemload.database.opensearch.Flows;

/** Siemload's searches are asked of indexes that nobody here designed, and leave no trace in them or beside them. */
@Tag("database")
@Tag("any-java")
class SearchExistingIndexTest {
    @RegisterExtension
    static final Flows FLOWS = new Flows();

    @TempDir
    private Path directory;

    @Test
    void aRunOnlyReadsAndHoldsAnswersAgainstEachOther() throws Exception {
        String before = FLOWS.trace();

        String command = "run pgbench-history --target opensearch --data existing --yes --layout " + Flows.LAYOUT
                + " --set analysts.all.thinkTime.mean=20ms --warmup 0s --duration 2s --failOn breakdown";
        ChildProcess.Ended run = Siemload.run(directory, FLOWS.address(), command.split(" "));

        assertThat(run.exitCode()).as(run.output()).isZero();
        assertThat(run.output())
                .containsSubsequence(
                        "it makes nothing and writes nothing. It asks:",
                        "HAWAT3, HAWAT4, HAWAT5, MENTAT",
                        "each a search, which cannot write",
                        "6,000 events from 2024-02-20T00:00:00.250Z to 2024-02-26T22:35:00.250Z",
                        "values of address: 250",
                        "values of category: 10",
                        "values of detector: 20",
                        "answers were compared with each other: ");
        assertThat(FLOWS.trace()).isEqualTo(before);
        JsonNode result = LatestRun.json(directory);
        assertThat(result.at("/dataset/store").asText()).isEqualTo("existing");
        assertThat(result.at("/target/layout").asText()).startsWith("flows@");
        assertThat(result.at("/answersWrong").asLong()).isZero();
        assertThat(LatestRun.rows(directory)).isGreaterThan(100);
    }
}
