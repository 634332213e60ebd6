package siemload.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import siemload.load.UserAction.UserSession.RunningSearches;

class RunningSearchesTest {
    private final List<String> sent = new ArrayList<>();

    @Test
    void noMoreThanTheLimitRunAtOnceAndTheNextOneTakesThePlaceOfAnEndedOne() {
        RunningSearches user = new RunningSearches(2);
        send(user, "first", 10);
        send(user, "second", 20);
        send(user, "third", 30);
        assertThat(sent).containsExactly("first at 10", "second at 20");

        user.ended(35);
        assertThat(sent).hasSize(3).endsWith("third at 35");

        send(user, "fourth", 40);
        assertThat(sent).hasSize(3);
        user.ended(45);
        assertThat(sent).endsWith("fourth at 45");
    }

    @Test
    void aSearchThatWaitsIsNotReplacedByAnotherOne() {
        RunningSearches user = new RunningSearches(1);
        send(user, "first", 10);
        send(user, "second", 20);

        assertThatIllegalStateException().isThrownBy(() -> send(user, "third", 30));
        user.ended(35);
        assertThat(sent).containsExactly("first at 10", "second at 35");
    }

    private void send(RunningSearches user, String search, long due) {
        user.send(start -> sent.add(search + " at " + start), due);
    }
}
