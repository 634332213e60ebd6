package siemload.database.opensearch;

import org.junit.jupiter.api.Tag;
import siemload.database.IndexSet;
import siemload.database.contract.ConcurrencyContract;
import siemload.database.contract.ContractTest;
import siemload.database.contract.CursorContract;
import siemload.database.contract.LargePageContract;
import siemload.database.contract.MaintenanceContract;
import siemload.database.contract.PagingContract;
import siemload.database.contract.SharedCopyContract;

/** What takes longer: results page by page, and what is done to whole indexes, by several runs at once and by the injectors of one. */
@Tag("database")
@Tag("any-java")
@Tag("exhaustive")
final class OpenSearchSlowContractTest extends ContractTest
        implements PagingContract,
                CursorContract,
                LargePageContract,
                MaintenanceContract,
                ConcurrencyContract,
                SharedCopyContract {
    OpenSearchSlowContractTest() {
        super(OpenSearchTestServer.subject(IndexSet.NATIVE));
    }
}
