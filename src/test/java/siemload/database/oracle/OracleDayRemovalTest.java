package siemload.database.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import siemload.database.DayRemoval.Means;
import siemload.database.DayRemoval.Removed;
import siemload.database.Hint;
import siemload.database.IndexSet;
import siemload.database.Partitions;
import siemload.database.SearchSession;
import siemload.database.Store;
import siemload.database.Variant;
import siemload.database.contract.ContractSubject;
import siemload.database.sql.SqlStatement;
import siemload.query.Order;
import siemload.query.Page;
import siemload.query.Paging;
import siemload.query.Search;
import siemload.query.SearchName;
import siemload.query.Window;

/** On H2, which has no partitions: the statement that drops one is a deletion there. */
final class OracleDayRemovalTest {
    private static final Window DAY =
            new Window(Instant.parse("2016-06-06T00:00:00Z"), Instant.parse("2016-06-07T00:00:00Z"));

    @RegisterExtension
    static final ContractSubject SUBJECT = new ContractSubject(new H2Plugin(), IndexSet.NATIVE);

    @ParameterizedTest
    @EnumSource(Partitions.class)
    void aRemovedDayIsGoneFromAllTablesAndNothingElse(Partitions partitions) {
        ContractSubject subject =
                SUBJECT.sharing(new Variant("arc_event", partitions, IndexSet.NATIVE, Hint.NONE, Paging.OFFSET));
        try (Store store = subject.copy();
                SearchSession session = store.openSession();
                SearchSession reference = subject.reference().openSession()) {
            long all = reference.count(in(Window.ALWAYS));
            long ofDay = reference.count(in(DAY));
            assertThat(beside(store)).as("values beside the events").isPositive();

            Removed removed = store.dayRemoval().orElseThrow().remove(DAY);

            assertThat(removed.means()).isEqualTo(partitions == Partitions.DAY ? Means.PARTITION : Means.ROWS);
            assertThat(ofDay).isPositive();
            assertThat(session.count(in(DAY))).isZero();
            assertThat(session.count(in(Window.ALWAYS))).isEqualTo(all - ofDay);
            assertThat(orphans(store)).isZero();
            assertThat(beside(store)).isPositive();
        } finally {
            subject.close();
        }
    }

    private static long beside(Store store) {
        return numbers(store, "SELECT COUNT(*) FROM %s");
    }

    private static long orphans(Store store) {
        String events = ((OracleStore) store).tables().name("event");
        return numbers(store, "SELECT COUNT(*) FROM %s WHERE event_id NOT IN (SELECT event_id FROM " + events + ")");
    }

    private static long numbers(Store store, String question) {
        OracleStore oracle = (OracleStore) store;
        return List.of("addr", "list").stream()
                .mapToLong(table -> oracle.connections()
                        .maintenance()
                        .get(
                                "count",
                                open -> new SqlStatement(
                                                question.formatted(
                                                        oracle.tables().name(table)),
                                                List.of())
                                        .number(open)))
                .sum();
    }

    private static Search in(Window window) {
        return new Search(SearchName.MENTAT, window, List.of(), Order.NEWEST_FIRST, new Page.Whole());
    }
}
