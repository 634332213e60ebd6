package siemload.schema;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import siemload.GoldenFile;
import siemload.compare.capacity.CapacityResult;
import siemload.compare.experiment.Comparison;
import siemload.compare.experiment.GateResult;
import siemload.measure.environment.EnvironmentRecord;
import siemload.results.RunResult;
import siemload.results.StorageResult;
import siemload.run.selftest.SelftestResult;

/** The schemas of result files are made from the records that the files are written from. */
class ResultSchemaTest {
    private static final Path EXAMPLE = Path.of("src/test/resources/golden/run.json");

    static Stream<Arguments> results() {
        return Stream.of(
                Arguments.of("run.json", RunResult.class, "The result of one run of siemload"),
                Arguments.of("environment.json", EnvironmentRecord.class, "What a run of siemload took place on"),
                Arguments.of("comparison.json", Comparison.class, "What the runs of an experiment of siemload say"),
                Arguments.of(
                        "capacity.json",
                        CapacityResult.class,
                        "The largest load that meets the objectives, as siemload found it"),
                Arguments.of("gate.json", GateResult.class, "What a gate of siemload decided"),
                Arguments.of("selftest.json", SelftestResult.class, "What a self-test of siemload found"),
                Arguments.of("storage.json", StorageResult.class, "What a disk can do, as siemload found out"));
    }

    @ParameterizedTest
    @MethodSource("results")
    void theSchemaHasTheKeysOfTheRecords(String file, Class<? extends Record> type, String title) throws Exception {
        new GoldenFile(Schemas.DIRECTORY.resolve(file)).assertHolds(RecordSchema.of(type, title));
    }

    @Test
    void aRunIsRightByItsSchema() throws Exception {
        assertThat(new Schemas().errors("run.json", Schemas.JSON.readTree(EXAMPLE.toFile())))
                .isEmpty();
    }

    @Test
    void aRunWithoutAKeyIsNot() throws Exception {
        ObjectNode run = (ObjectNode) Schemas.JSON.readTree(EXAMPLE.toFile());
        ((ObjectNode) run.get("searches").get(0).get("responseTimeMicros")).remove("p99");

        assertThat(new Schemas().errors("run.json", run))
                .singleElement()
                .asString()
                .contains("p99");
    }
}
