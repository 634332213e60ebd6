package siemload.database.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import siemload.database.postgresql.PlanReader.ExplainedSteps;

class ExplainedStepsTest {

    @Test
    void aStepTenTimesOffItsEstimateIsFlagged() throws IOException {
        assertThat(misestimate(step("Seq Scan", 10, 100, ""))).isEqualTo(10);
        assertThat(misestimate(step("Seq Scan", 100, 10, ""))).isEqualTo(10);
        assertThat(misestimate(step("Seq Scan", 100, 11, ""))).isZero();
        assertThat(misestimate(step("Seq Scan", 1, 0, ""))).isZero();
    }

    @Test
    void whatALimitLeftUnreadIsNoMisestimate() throws IOException {
        JsonNode steps = steps(step("Limit", 5, 5, step("Index Scan", 1000, 5, "")));

        assertThat(steps.get(1).has("misestimate")).isFalse();
    }

    @Test
    void aSortReadsAllThatLiesBelowItEvenUnderALimit() throws IOException {
        JsonNode steps = steps(step("Limit", 5, 5, step("Sort", 1000, 5, step("Seq Scan", 1000, 5, ""))));

        assertThat(steps.get(1).has("misestimate")).isFalse();
        assertThat(steps.get(2).path("misestimate").asDouble()).isEqualTo(200);
    }

    @Test
    void timeIsThatOfAllLoopsAndRowsThoseOfOne() throws IOException {
        JsonNode step = steps("""
                {"Node Type": "Index Scan", "Index Name": "i", "Relation Name": "t", "Plan Rows": 3, "Actual Rows": 2,
                 "Actual Loops": 4, "Actual Total Time": 0.5, "Shared Hit Blocks": 7, "Temp Read Blocks": 1, "Temp Written Blocks": 2, "Index Cond": "(a = 1)",
                 "Sort Key": ["a", "b"]}""").get(0);

        assertThat(step)
                .hasToString("{\"depth\":0,\"what\":\"Index Scan using i on t\",\"estimated\":3.0,\"loops\":4.0,"
                        + "\"millis\":2.0,\"rows\":2.0,\"hit\":7,\"read\":0,\"temporary\":3,"
                        + "\"details\":[[\"Index Cond\",\"(a = 1)\"],[\"Sort Key\",\"a, b\"]]}");
    }

    @Test
    void anyOtherJsonIsNoPlan() throws IOException {
        assertThat(ExplainedSteps.of(new ObjectMapper().readTree("{\"stages\": [1]}")))
                .isEmpty();
    }

    private static double misestimate(String step) throws IOException {
        return steps(step).get(0).path("misestimate").asDouble();
    }

    private static String step(String type, int estimated, int rows, String below) {
        return "{\"Node Type\": \"" + type + "\", \"Plan Rows\": " + estimated + ", \"Actual Rows\": " + rows
                + ", \"Actual Loops\": 1, \"Plans\": [" + below + "]}";
    }

    private static JsonNode steps(String plan) throws IOException {
        JsonNode explained = new ObjectMapper().readTree("[{\"Plan\": " + plan + "}]");
        return ExplainedSteps.of(explained).orElseThrow().path("steps");
    }
}
