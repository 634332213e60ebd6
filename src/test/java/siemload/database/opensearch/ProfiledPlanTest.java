package siemload.database.opensearch;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import siemload.database.ResourceFile;
import siemload.database.opensearch.OpenSearchSearches.ProfiledPlan;

/** Profiles that OpenSearch 2.19 gave. */
final class ProfiledPlanTest {

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    sorted-index    | time index detect_micros
                    category        | time index detect_micros + field index category
                    address         | time index detect_micros + field index source_ip4 + field index source_range4 + field index target_ip4 + field index target_range4
                    by-id           | id index _id
                    no-index        | table run_x
                    top-list        | table run_x
                    nothing-to-find | field index port
                    """)
    void thePlanSaysHowTheEventsWereFound(String file, String shape) throws IOException {
        assertThat(ProfiledPlan.of(profile(file), "run_x", "detect_micros", false)
                        .shape())
                .isEqualTo(shape);
    }

    private static JsonNode profile(String file) throws IOException {
        return OpenSearchClient.read(
                ResourceFile.text(ProfiledPlanTest.class, "/siemload/database/opensearch/profile/" + file + ".json")
                        .getBytes(StandardCharsets.UTF_8));
    }
}
