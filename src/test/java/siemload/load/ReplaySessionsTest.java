package siemload.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import siemload.database.SearchSession;
import siemload.database.Store;
import siemload.load.ReplayPlayer.Asking;
import siemload.load.ReplayPlayer.RecordedSessions;
import siemload.load.ReplayPlayer.RecordedSessions.Turn;
import siemload.query.Order;
import siemload.query.Page;
import siemload.query.PageClass;
import siemload.query.Search;
import siemload.query.SearchName;
import siemload.query.Window;
import siemload.scenario.replay.RecordedExecution;

/** Which recorded session asks next, and by which of two connections. */
class ReplaySessionsTest {
    private static final Search ANY =
            new Search(SearchName.MENTAT, Window.ALWAYS, List.of(), Order.NEWEST_FIRST, new Page.Numbered(1, 1));

    private final Store store = MemoryStores.of(List.of());
    private final RecordedSessions sessions = new RecordedSessions(List.of(store.openSession(), store.openSession()));

    @Test
    void aSessionKeepsItsConnectionUntilItEnds() {
        SearchSession first = asked(1, false);
        SearchSession other = asked(2, false);
        assertThat(other).isNotSameAs(first);
        assertThat(asked(1, true)).isSameAs(first);

        assertThat(asked(3, false)).isSameAs(first);
        assertThat(asked(2, false)).isSameAs(other);
    }

    @Test
    void whereAllAreKeptWhoHasThoughtTheLongestLosesItsOwn() {
        Turn first = turn(1);
        Turn second = turn(2);
        sessions.ended(second, 7);
        sessions.ended(first, 8);

        assertThat(turn(3).connection()).isSameAs(second.connection());
        assertThat(turn(1).connection()).isSameAs(first.connection());
    }

    @Test
    void whereAllAreBusyWhoAsksFirstGetsTheNext() {
        Turn first = turn(1);
        turn(2);
        for (int session : List.of(3, 4)) {
            assertThat(sessions.add(asking(session, false))).isPresent();
        }
        assertThat(sessions.next()).isEmpty();
        assertThat(sessions.add(asking(1, false))).as("waits for its session").isEmpty();

        assertThat(sessions.ended(first, 7)).as("waits behind the others").isPresent();
        Turn third = sessions.next().orElseThrow();
        assertThat(third.asking().execution().session()).isEqualTo(3);
        assertThat(third.connection()).isSameAs(first.connection());
        assertThat(sessions.next()).isEmpty();

        sessions.ended(third, 9);
        assertThat(sessions.next().orElseThrow().asking().execution().session()).isEqualTo(4);
    }

    @Test
    void whatWaitedForItsSessionWasFreeWhenThatWas() {
        Turn first = turn(1);
        sessions.add(asking(1, true));
        assertThat(sessions.next()).isEmpty();
        sessions.ended(first, 42);

        assertThat(sessions.next().map(Turn::freeNanos)).contains(42L);
    }

    /** The connection by which a session asks something that ends at once. */
    private SearchSession asked(int session, boolean last) {
        assertThat(sessions.add(asking(session, last))).isEmpty();
        Turn turn = sessions.next().orElseThrow();
        sessions.ended(turn, 0);
        return turn.connection();
    }

    private Turn turn(int session) {
        Optional<Asking> unused = sessions.add(asking(session, false));
        return sessions.next().orElseThrow();
    }

    private static Asking asking(int session, boolean last) {
        return new Asking(
                new SearchRequest(ANY, PageClass.FIRST, 5, 0),
                new RecordedExecution(0, session, 0, 0, last, List.of()));
    }
}
