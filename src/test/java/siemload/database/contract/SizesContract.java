package siemload.database.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.api.Test;
import siemload.database.Store;
import siemload.database.Store.Maintenance;

/** The sizes of tables and indexes name all that is there, where the target tells sizes at all. */
public interface SizesContract {

    ContractSubject subject();

    @Test
    default void anIndexHasASizeFromItsBuildingToItsDropping() {
        try (Store store = subject().target().emptyStore(subject().nextRunId())) {
            Maintenance maintenance = store.maintenance().orElseThrow();
            Set<String> without = store.relationBytes().keySet();
            maintenance.indexes().forEach(step -> step.work().run());
            Set<String> with = store.relationBytes().keySet();
            if (!without.isEmpty()) {
                assertThat(with).containsAll(without).hasSizeGreaterThan(without.size());
            }
            maintenance.dropIndexes();
            assertThat(store.relationBytes().keySet()).isEqualTo(without);
        }
    }
}
