package siemload.database.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.Test;
import siemload.database.server.NamedServer.JsonCounters;
import siemload.database.server.NamedServer.JsonCounters.Question;

final class JsonCountersTest {
    private final Deque<String> answers = new ArrayDeque<>();
    private final JsonCounters<IllegalStateException> counters = new JsonCounters<>(
            new NoErrors(),
            e -> true,
            Duration.ofSeconds(1),
            List.of(new Question("the nodes", this::next)),
            "view\ncovers\ngap\nUP 1  (.*)\\.up  $1");

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
        String first = start("{\"a\": {\"up\": 5000}}");
        assertThat(start("{\"a\": {\"up\": 6000}}")).isEqualTo(first);
        assertThat(start("{\"a\": {\"up\": 100}}")).isNotEqualTo(first);
    }

    @Test
    void aNodeThatJoinsOrComesBackHasStartedNone() {
        String first = start("{\"old\": {\"up\": 90000}, \"young\": {\"up\": 5000}}");
        assertThat(start("{\"old\": {\"up\": 91000}}")).isEqualTo(first);
        assertThat(start("{\"old\": {\"up\": 92000}, \"young\": {\"up\": 7000}, \"joining\": {\"up\": 10}}"))
                .isEqualTo(first)
                .isNotEmpty();
    }

    private static final class NoErrors extends ServerErrors<IllegalStateException> {
        NoErrors() {
            super(IllegalStateException.class, "");
        }

        @Override
        protected String code(IllegalStateException error) {
            return "";
        }

        @Override
        protected String message(IllegalStateException error) {
            return "";
        }
    }
}
