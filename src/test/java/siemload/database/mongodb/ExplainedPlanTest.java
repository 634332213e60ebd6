package siemload.database.mongodb;

import static org.assertj.core.api.Assertions.assertThat;

import org.bson.Document;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import siemload.config.RegularFile;
import siemload.database.SearchSession.Plan;

/** Answers of explain in the shapes that MongoDB's manual shows for its engines and versions. */
final class ExplainedPlanTest {

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    full-scan-sorted      | table run_x, sorted
                    time-index-page       | time index time
                    field-index-sorted    | field index category, sorted
                    slot-based-engine     | field index address, sorted
                    or-of-two-scans       | field index address, sorted
                    merged-in-order       | field index detector
                    by-id                 | id index _id_
                    by-id-express         | id index _id_
                    sharded               | time index time + table run_x, sorted
                    nothing-to-find       | nothing read
                    pipeline-in-stages    | time index time, sorted
                    pipeline-in-one-plan  | table run_x
                    pipeline-sharded      | field index category + table run_x
                    """)
    void thePlanSaysHowTheEventsWereFound(String file, String shape) {
        assertThat(plan(file).shape()).isEqualTo(shape);
    }

    private static Plan plan(String file) {
        return MongodbSearches.plan(explained(file), "DetectMicros");
    }

    private static Document explained(String file) {
        return Document.parse(
                RegularFile.resource(ExplainedPlanTest.class, "/siemload/database/mongodb/explain/" + file + ".json"));
    }
}
