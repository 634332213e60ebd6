package siemload.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import siemload.database.Store;
import siemload.load.ReplayAction.ReplayPlayer.ReplayConnections;
import siemload.load.ReplayAction.ReplayPlayer.ReplayConnections.Leased;

/** Which recorded session gets which connection. */
class ReplayConnectionsTest {
    private final Store store = MemoryStores.of(List.of());
    private final ReplayConnections connections =
            new ReplayConnections(List.of(store.openSession(), store.openSession()));
    private final List<Leased> given = new ArrayList<>();

    private Leased taken(int session) {
        assertThat(connections.take(session, given::add)).isTrue();
        return given.get(given.size() - 1);
    }

    @Test
    void aSessionKeepsItsConnectionUntilItEnds() {
        Leased first = taken(1);
        connections.give(1, first, false);
        Leased other = taken(2);
        connections.give(2, other, false);

        assertThat(other.session()).isNotSameAs(first.session());
        assertThat(taken(1).session()).isSameAs(first.session());

        connections.give(1, first, true);
        assertThat(taken(3).session()).isSameAs(first.session());
        assertThat(taken(2).session()).isSameAs(other.session());
    }

    @Test
    void whereAllAreKeptWhoHasThoughtTheLongestLosesItsOwn() {
        Leased first = taken(1);
        Leased second = taken(2);
        connections.give(2, second, false);
        connections.give(1, first, false);

        assertThat(taken(3).session()).isSameAs(second.session());
        assertThat(taken(1).session()).isSameAs(first.session());
    }

    @Test
    void whereAllAreBusyWhoAsksFirstGetsTheNext() {
        Leased first = taken(1);
        taken(2);
        List<Integer> served = new ArrayList<>();
        for (int session : List.of(3, 4, 5)) {
            boolean atOnce = connections.take(session, leased -> {
                assertThat(leased.session()).isSameAs(first.session());
                served.add(session);
                // The first of them does not want it any more.
                return session != 3;
            });
            assertThat(atOnce).isFalse();
        }

        connections.give(1, first, false);
        assertThat(served).containsExactly(3, 4);

        connections.give(4, first, true);
        assertThat(served).containsExactly(3, 4, 5);
    }
}
