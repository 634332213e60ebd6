package siemload.database.server;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ServerStartsTest {
    private final ServerStarts starts = new ServerStarts();

    @Test
    void aNodeThatHasBeenUpForLessThanBeforeWasStarted() {
        starts.note("a", 5_000);
        String first = starts.latest();
        starts.note("a", 6_000);
        assertThat(starts.latest()).isEqualTo(first);
        starts.note("a", 100);
        assertThat(starts.latest()).isNotEqualTo(first);
    }

    @Test
    void aNodeThatJoinsOrComesBackHasStartedNone() {
        starts.note("old", 90_000);
        starts.note("young", 5_000);
        String first = starts.latest();
        starts.note("old", 91_000); // The young one does not answer.
        starts.note("old", 92_000);
        starts.note("young", 7_000);
        starts.note("joining", 10);
        assertThat(starts.latest()).isEqualTo(first).isNotEmpty();
    }
}
