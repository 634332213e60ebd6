package siemload.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import siemload.query.Paging;

class SeatTest {
    private final List<String> sent = new ArrayList<>();

    @Test
    void noMoreThanTheLimitRunAtOnceAndTheNextOneTakesThePlaceOfAnEndedOne() {
        Seat seat = new Seat(Fixtures.analyst(Paging.OFFSET, 1), 2, Seat.Stay.WHOLE_RUN, 0);
        seat.send(() -> sent.add("first"));
        seat.send(() -> sent.add("second"));
        seat.send(() -> sent.add("third"));
        assertThat(sent).containsExactly("first", "second");

        seat.ended();
        assertThat(sent).containsExactly("first", "second", "third");

        seat.send(() -> sent.add("fourth"));
        assertThat(sent).hasSize(3);
        seat.ended();
        assertThat(sent).endsWith("fourth");
    }

    @Test
    void aSearchThatWaitsIsNotReplacedByAnotherOne() {
        Seat seat = new Seat(Fixtures.analyst(Paging.OFFSET, 1), 1, Seat.Stay.WHOLE_RUN, 0);
        seat.send(() -> sent.add("first"));
        seat.send(() -> sent.add("second"));

        assertThatIllegalStateException().isThrownBy(() -> seat.send(() -> sent.add("third")));
        seat.ended();
        assertThat(sent).containsExactly("first", "second");
    }

    @Test
    void theNextActionIsDueAfterTheWaitFromWhenTheUserWasFree() {
        Seat seat = new Seat(Fixtures.analyst(Paging.OFFSET, 1), 1, Seat.Stay.WHOLE_RUN, 100);
        seat.free(500);
        seat.delayDue(50);

        assertThat(seat.dueNanos()).isEqualTo(550);
    }
}
