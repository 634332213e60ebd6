package siemload.database.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.List;
import org.junit.jupiter.api.Test;
import siemload.database.SearchException;
import siemload.database.SearchSession;
import siemload.database.Store;
import siemload.database.Store.BulkLoad;
import siemload.database.Store.DatasetKey;
import siemload.database.Store.EventSink;
import siemload.database.Store.Maintenance;
import siemload.database.Store.StoreKind;
import siemload.database.Target;
import siemload.database.TargetException;
import siemload.event.SecurityEvent;
import siemload.query.Order;
import siemload.query.Search;

/** A run that writes nothing may search the kept data set itself, which nothing changes. */
public interface ReadContract {

    ContractSubject subject();

    @Test
    default void aDataSetThatIsReadAnswersAsItsCopyDoes() {
        try (Store copy = subject().events(); // Of what is being read none can be made.
                SearchSession sessionOfCopy = copy.openSession();
                Store read = subject().target().read(subject().key(), subject().nextRunId());
                SearchSession session = read.openSession()) {
            assertThat(read.events()).isEqualTo(ContractEvents.ALL.size());
            for (Search search : ContractSearches.every(5, Order.NEWEST_FIRST)) {
                assertThat(AnsweredRows.of(session, search)).isEqualTo(AnsweredRows.of(sessionOfCopy, search));
            }
        }
    }

    @Test
    default void severalRunsAtOnceMayReadOneDataSet() {
        Target target = subject().target();
        try (Target other = subject().connect(ContractSubject.TIMEOUT);
                Store last = other.read(subject().key(), subject().nextRunId())) {
            Store first = target.read(subject().key(), subject().nextRunId());
            assertThat(first.kind()).isEqualTo(last.kind());
            first.close();
            first.close();
            assertThat(last.events()).isEqualTo(ContractEvents.ALL.size());
            try (SearchSession session = last.openSession()) {
                Search search = ContractSearches.inOrder(Order.OLDEST_FIRST).get(0);
                assertThat(session.count(search)).isNotNegative();
            }
        }
    }

    @Test
    default void whatARunWritesThatShouldReadIsNotInTheDataSet() {
        DatasetKey key = new DatasetKey("00000000abcdef04", "read only", 2);
        Target target = subject().target();
        subject().loadTwoEvents(key);
        List<SecurityEvent> fed = List.of(new RandomEvents(1).event("fed"));
        try (Store read = target.read(key, subject().nextRunId());
                EventSink sink = read.openSink()) {
            if (read.kind() == StoreKind.DATA_SET) {
                Maintenance whole = read.maintenance().orElseThrow();
                assertThatExceptionOfType(SearchException.class).isThrownBy(() -> sink.write(fed));
                assertThatExceptionOfType(TargetException.class).isThrownBy(whole::deleteAll);
                if (!whole.indexes().isEmpty()) {
                    assertThatExceptionOfType(TargetException.class).isThrownBy(whole::dropIndexes);
                }
                assertThatExceptionOfType(TargetException.class).isThrownBy(() -> {
                    try (BulkLoad load = whole.openLoad()) {
                        load.write(fed);
                        long unused = load.store();
                    }
                });
                whole.checkpoint();
                assertThat(read.events()).isEqualTo(2);
            } else {
                sink.write(fed);
                assertThat(read.events()).isEqualTo(3);
            }
        }
        try (Store next = target.copy(key, subject().nextRunId())) { // Which is held against what was loaded.
            assertThat(next.events()).isEqualTo(2);
        }
        target.discard(key);
    }

    @Test
    default void aDataSetThatIsDiscardedWhileItIsReadIsReadToTheEnd() {
        DatasetKey key = new DatasetKey("00000000abcdef05", "discarded while read", 2);
        Target target = subject().target();
        subject().loadTwoEvents(key);
        try (Store read = target.read(key, subject().nextRunId())) {
            target.discard(key);
            assertThat(target.holds(key)).isFalse();
            assertThat(read.events()).isEqualTo(2);
        }
    }
}
