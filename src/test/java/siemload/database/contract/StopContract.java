package siemload.database.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import siemload.database.AnsweredRows;
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

    /** All of them again, by a page that comes in portions. */
    static List<Search> streamed() {
        return List.of(EVERYTHING, EVERYTHING.with(new Page.Numbered(Portions.LARGEST_AT_ONCE + 1, 1)));
    }

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
            assertThat(AnsweredRows.of(session, EVERYTHING).rows()).hasSize(ContractEvents.ALL.size());
        }
    }

    @ParameterizedTest
    @MethodSource("streamed")
    default void aResultThatIsCancelledWhileItIsReadEnds(Search search) {
        try (Store store = subject().events();
                SearchSession session = store.openSession()) {
            assertFails(session, search, Kind.CANCELLED, row -> session.cancel());
            assertThat(AnsweredRows.of(session, EVERYTHING).rows()).hasSize(ContractEvents.ALL.size());
        }
    }

    @Test
    default void cancellingAnIdleSessionDoesNotHarmTheNextSearch() {
        try (Store store = subject().events();
                SearchSession session = store.openSession()) {
            session.cancel();
            assertThat(AnsweredRows.of(session, EVERYTHING).rows()).hasSize(ContractEvents.ALL.size());
        }
    }

    @Test
    default void aReaderThatFailsEndsTheSearchAndTheSessionGoesOn() {
        try (Store store = subject().events();
                SearchSession session = store.openSession()) {
            assertThatExceptionOfType(IllegalStateException.class)
                    .isThrownBy(() -> session.search(EVERYTHING, row -> {
                        throw new IllegalStateException("the reader has had enough");
                    }));
            assertThat(AnsweredRows.of(session, EVERYTHING).rows()).hasSize(ContractEvents.ALL.size());
        }
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
