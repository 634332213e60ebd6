package siemload.database.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import siemload.database.SearchException;
import siemload.database.SearchException.Kind;
import siemload.database.SearchSession;
import siemload.database.SearchSession.RowReader;
import siemload.database.Store;
import siemload.database.Target;
import siemload.database.server.Portions;
import siemload.query.Order;
import siemload.query.Page;
import siemload.query.Search;
import siemload.query.SearchName;
import siemload.query.Window;

/** A search ends at its timeout or when it is cancelled, and the session goes on. */
public interface StopContract {
    Search EVERYTHING = ContractSearches.whole(SearchName.MENTAT, Window.ALWAYS, List.of(), Order.NEWEST_FIRST);

    ContractSubject subject();

    @Test
    default void aResultThatIsReadTooSlowlyTimesOut() {
        Duration timeout = Duration.ofSeconds(2); // enough for the whole result on a busy machine
        try (Target impatient = subject().connect(timeout);
                Store store = storeOf(impatient);
                SearchSession session = store.openSession()) {
            assertFails(session, EVERYTHING, Kind.TIMEOUT, row -> {
                long end = System.nanoTime() + timeout.toNanos();
                while (System.nanoTime() < end) {
                    LockSupport.parkNanos(end - System.nanoTime());
                }
            });
            assertGoesOn(session);
        }
    }

    @Test
    default void aResultThatIsCancelledWhileItIsReadEnds() {
        Search inPortions = EVERYTHING.with(new Page.Numbered(Portions.LARGEST_AT_ONCE + 1, 1));
        subject().ask(session -> {
            for (Search search : List.of(EVERYTHING, inPortions)) {
                assertFails(session, search, Kind.CANCELLED, row -> session.cancel());
                assertGoesOn(session);
            }
        });
    }

    @Test
    default void cancellingAnIdleSessionDoesNotHarmTheNextSearch() {
        subject().ask(session -> {
            session.cancel();
            assertGoesOn(session);
        });
    }

    @Test
    default void aReaderThatFailsEndsTheSearchAndTheSessionGoesOn() {
        subject().ask(session -> {
            assertThatExceptionOfType(IllegalStateException.class)
                    .isThrownBy(() -> session.search(EVERYTHING, row -> {
                        throw new IllegalStateException("the reader has had enough");
                    }));
            assertGoesOn(session);
        });
    }

    private static void assertGoesOn(SearchSession session) {
        assertThat(AnsweredRows.of(session, EVERYTHING).rows()).hasSize(ContractEvents.ALL.size());
    }

    /** Of a target that is not the subject's own: a memory target holds only what was loaded into it. */
    private Store storeOf(Target target) {
        if (!target.holds(subject().key())) {
            ContractSubject.load(target, subject().key(), ContractEvents.ALL);
        }
        return target.copy(subject().key(), subject().nextRunId());
    }

    private static void assertFails(SearchSession session, Search search, Kind kind, RowReader reader) {
        assertThatExceptionOfType(SearchException.class)
                .isThrownBy(() -> session.search(search, reader))
                .satisfies(e -> assertThat(e.kind()).isEqualTo(kind));
    }
}
