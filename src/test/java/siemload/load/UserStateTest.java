package siemload.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import siemload.query.Paging;

class UserStateTest {
    private final List<String> sent = new ArrayList<>();

    @Test
    void noMoreThanTheLimitRunAtOnceAndTheNextOneTakesThePlaceOfAnEndedOne() {
        UserState user = new UserState(0, Fixtures.analyst(Paging.OFFSET, 1), 2, UserState.Stay.WHOLE_RUN, 0);
        user.send(() -> sent.add("first"));
        user.send(() -> sent.add("second"));
        user.send(() -> sent.add("third"));
        assertThat(sent).containsExactly("first", "second");

        user.ended();
        assertThat(sent).containsExactly("first", "second", "third");

        user.send(() -> sent.add("fourth"));
        assertThat(sent).hasSize(3);
        user.ended();
        assertThat(sent).endsWith("fourth");
    }

    @Test
    void aSearchThatWaitsIsNotReplacedByAnotherOne() {
        UserState user = new UserState(0, Fixtures.analyst(Paging.OFFSET, 1), 1, UserState.Stay.WHOLE_RUN, 0);
        user.send(() -> sent.add("first"));
        user.send(() -> sent.add("second"));

        assertThatIllegalStateException().isThrownBy(() -> user.send(() -> sent.add("third")));
        user.ended();
        assertThat(sent).containsExactly("first", "second");
    }

    @Test
    void theNextActionIsDueAfterTheWaitFromWhenTheUserWasFree() {
        UserState user = new UserState(0, Fixtures.analyst(Paging.OFFSET, 1), 1, UserState.Stay.WHOLE_RUN, 100);
        user.free(500);
        user.delayDue(50);

        assertThat(user.dueNanos()).isEqualTo(550);
    }
}
