package siemload.database.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;
import siemload.database.SearchSession;
import siemload.database.Store;
import siemload.database.Store.BulkLoad;
import siemload.database.Store.Maintenance;
import siemload.database.TargetException;
import siemload.event.IdeaWriter;
import siemload.event.SecurityEvent;
import siemload.query.Order;
import siemload.query.Search;

/** A store as a whole can be loaded, deleted and indexed, over and over. */
public interface MaintenanceContract {

    ContractSubject subject();

    @Test
    default void whatWasLoadedInBulkIsAnsweredLikeALoadedDataSet() {
        withEmptyStore((store, maintenance) -> {
            load(maintenance, ContractEvents.ALL);
            buildIndexes(maintenance);
            assertThat(store.events()).isEqualTo(ContractEvents.ALL.size());
            try (SearchSession session = store.openSession()) {
                for (Search search : ContractSearches.every(5, Order.NEWEST_FIRST)) {
                    assertThat(AnsweredRows.of(session, search))
                            .as(search.toString())
                            .isEqualTo(ReferenceAnswers.aboutAll().to(search));
                }
            }
        });
    }

    @Test
    default void loadingAndDeletingCanBeRepeated() {
        withEmptyStore((store, maintenance) -> {
            buildIndexes(maintenance);
            for (int cycle = 0; cycle < 2; cycle++) {
                load(maintenance, ContractEvents.ALL);
                assertThat(store.events()).isEqualTo(ContractEvents.ALL.size());
                assertThat(maintenance.deleteAll()).isEqualTo(ContractEvents.ALL.size());
                assertThat(store.events()).isZero();
            }
            assertThat(maintenance.deleteAll()).isZero();
        });
    }

    @Test
    default void indexesCanBeDroppedAndBuiltAgain() {
        withEmptyStore((store, maintenance) -> {
            load(maintenance, ContractEvents.BY_HAND);
            for (int i = 0; i < 2; i++) {
                maintenance.dropIndexes();
                buildIndexes(maintenance);
            }
            assertThat(store.events()).isEqualTo(ContractEvents.BY_HAND.size());
        });
    }

    @Test
    default void anIdThatIsLoadedTwiceIsRefusedOnceThereAreKeys() {
        withEmptyStore((store, maintenance) -> {
            buildIndexes(maintenance);
            List<SecurityEvent> events = ContractEvents.BY_HAND.subList(0, 2);
            load(maintenance, events);
            assertThatThrownBy(() -> load(maintenance, events)).isInstanceOf(TargetException.class);
            assertThat(store.events()).isEqualTo(2);
        });
    }

    private void withEmptyStore(BiConsumer<Store, Maintenance> test) {
        try (Store store = subject().target().emptyStore(subject().nextRunId())) {
            test.accept(store, store.maintenance().orElseThrow());
        }
    }

    private static void buildIndexes(Maintenance maintenance) {
        maintenance.indexes().forEach(step -> step.work().run());
    }

    private static void load(Maintenance maintenance, List<SecurityEvent> events) {
        IdeaWriter writer = new IdeaWriter();
        try (BulkLoad load = maintenance.openLoad()) {
            int half = events.size() / 2;
            load.write(events.subList(0, half));
            load.write(List.of());
            load.write(events.subList(half, events.size()));
            assertThat(load.store())
                    .isEqualTo(events.stream()
                            .mapToLong(event -> writer.toBytes(event).length)
                            .sum());
        }
    }
}
