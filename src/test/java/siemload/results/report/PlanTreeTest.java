package siemload.results.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PlanTreeTest {

    @Test
    void aStepTenTimesOffItsEstimateIsFlagged() throws IOException {
        assertThat(misestimate(step("Seq Scan", 10, 100, ""))).isEqualTo(10);
        assertThat(misestimate(step("Seq Scan", 100, 10, ""))).isEqualTo(10);
        assertThat(misestimate(step("Seq Scan", 100, 11, ""))).isZero();
        assertThat(misestimate(step("Seq Scan", 1, 0, ""))).isZero();
    }

    @Test
    void whatALimitLeftUnreadIsNoMisestimate() throws IOException {
        List<JsonNode> steps = steps(step("Limit", 5, 5, step("Index Scan", 1000, 5, "")));

        assertThat(steps.get(1).has("misestimate")).isFalse();
    }

    @Test
    void aSortReadsAllThatLiesBelowItEvenUnderALimit() throws IOException {
        List<JsonNode> steps = steps(step("Limit", 5, 5, step("Sort", 1000, 5, step("Seq Scan", 1000, 5, ""))));

        assertThat(steps.get(1).has("misestimate")).isFalse();
        assertThat(steps.get(2).path("misestimate").asDouble()).isEqualTo(200);
    }

    @Test
    void bitmapsKnowNoRows() throws IOException {
        assertThat(misestimate(step("BitmapAnd", 50, 0, ""))).isZero();
    }

    @Test
    void timeIsThatOfAllLoopsAndRowsThoseOfOne() throws IOException {
        JsonNode step = steps("""
                {"Node Type": "Index Scan", "Index Name": "i", "Relation Name": "t", "Plan Rows": 3, "Actual Rows": 2,
                 "Actual Loops": 4, "Actual Total Time": 0.5, "Shared Hit Blocks": 7, "Index Cond": "(a = 1)",
                 "Sort Key": ["a", "b"]}""").get(0);

        assertThat(step.path("what").asText()).isEqualTo("Index Scan using i on t");
        assertThat(step.path("rows").asDouble()).isEqualTo(2);
        assertThat(step.path("millis").asDouble()).isEqualTo(2);
        assertThat(step.path("Shared Hit Blocks").asLong()).isEqualTo(7);
        assertThat(step.path("details").toString()).isEqualTo("[[\"Index Cond\",\"(a = 1)\"],[\"Sort Key\",\"a, b\"]]");
    }

    @Test
    void aStepThatNeverRanHasNoRows() throws IOException {
        JsonNode step = steps(
                        "{\"Node Type\": \"Seq Scan\", \"Plan Rows\": 900, \"Actual Rows\": 0, \"Actual Loops\": 0}")
                .get(0);

        assertThat(step.has("rows")).isFalse();
        assertThat(step.has("misestimate")).isFalse();
    }

    private static double misestimate(String step) throws IOException {
        return steps(step).get(0).path("misestimate").asDouble();
    }

    private static String step(String type, int estimated, int rows, String below) {
        return "{\"Node Type\": \"" + type + "\", \"Plan Rows\": " + estimated + ", \"Actual Rows\": " + rows
                + ", \"Actual Loops\": 1, \"Plans\": [" + below + "]}";
    }

    private static List<JsonNode> steps(String plan) throws IOException {
        JsonNode explained = new ObjectMapper().readTree("[{\"Plan\": " + plan + "}]");
        List<JsonNode> steps = new ArrayList<>();
        PlanTree.of(explained).path("steps").forEach(steps::add);
        return steps;
    }
}
