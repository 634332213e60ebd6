package siemload.database.opensearch;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.Test;
import siemload.database.opensearch.OpenSearchServer.OpenSearchCounters;
import siemload.database.opensearch.OpenSearchServer.OpenSearchCounters.Question;

final class OpenSearchCountersTest {
    private final Deque<String> answers = new ArrayDeque<>();
    private final OpenSearchCounters counters =
            new OpenSearchCounters(Duration.ofSeconds(1), List.of(new Question("the nodes", this::next)));

    private JsonNode next() {
        try {
            return new ObjectMapper().readTree(answers.remove());
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private String start(String answer) {
        answers.add(answer);
        return counters.read().start();
    }

    @Test
    void aNodeThatHasBeenUpForLessThanBeforeWasStarted() {
        String first = start("{\"a\": {\"jvm\": {\"uptime_in_millis\": 5000}}}");
        assertThat(start("{\"a\": {\"jvm\": {\"uptime_in_millis\": 6000}}}")).isEqualTo(first);
        assertThat(start("{\"a\": {\"jvm\": {\"uptime_in_millis\": 100}}}")).isNotEqualTo(first);
    }

    @Test
    void aNodeThatJoinsOrComesBackHasStartedNone() {
        String first = start(
                "{\"old\": {\"jvm\": {\"uptime_in_millis\": 90000}}, \"young\": {\"jvm\": {\"uptime_in_millis\": 5000}}}");
        assertThat(start("{\"old\": {\"jvm\": {\"uptime_in_millis\": 91000}}}")).isEqualTo(first);
        assertThat(
                        start(
                                "{\"old\": {\"jvm\": {\"uptime_in_millis\": 92000}}, \"young\": {\"jvm\": {\"uptime_in_millis\": 7000}}, \"joining\": {\"jvm\": {\"uptime_in_millis\": 10}}}"))
                .isEqualTo(first)
                .isNotEmpty();
    }
}
