package siemload.database.opensearch;

import org.junit.jupiter.api.Tag;
import siemload.database.IndexSet;
import siemload.database.contract.ConcurrencyContract;
import siemload.database.contract.ContractTest;
import siemload.database.contract.CopyContract;
import siemload.database.contract.CursorContract;
import siemload.database.contract.LargePageContract;
import siemload.database.contract.MaintenanceContract;
import siemload.database.contract.PagingContract;
import siemload.database.contract.ReadContract;
import siemload.database.contract.ServerTimeContract;
import siemload.database.contract.SharedCopyContract;
import siemload.database.contract.TrendContract;

/**
 * What takes longer: results page by page, what is done to whole indexes, by several runs at once and by the injectors of one, and counts
 * of the server. Sizes of indexes are parts of the one index that holds the events.
 */
@Tag("database")
@Tag("exhaustive")
final class OpenSearchSlowContractTest extends ContractTest
        implements PagingContract,
                CursorContract,
                LargePageContract,
                CopyContract,
                ReadContract,
                TrendContract,
                ServerTimeContract,
                MaintenanceContract,
                ConcurrencyContract,
                SharedCopyContract {
    OpenSearchSlowContractTest() {
        super(OpenSearchTestServer.subject(IndexSet.NATIVE));
    }

    /** It counts in whole milliseconds. */
    @Override
    public int times() {
        return 100;
    }
}
