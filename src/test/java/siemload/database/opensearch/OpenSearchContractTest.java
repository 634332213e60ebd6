package siemload.database.opensearch;

import org.junit.jupiter.api.Tag;
import siemload.database.IndexSet;
import siemload.database.contract.ContractTest;
import siemload.database.contract.CopyContract;
import siemload.database.contract.PlanContract;
import siemload.database.contract.ReadContract;
import siemload.database.contract.SearchContract;
import siemload.database.contract.ServerTimeContract;
import siemload.database.contract.SinkContract;
import siemload.database.contract.StopContract;
import siemload.database.contract.TrendContract;

/**
 * All but pages, which {@link OpenSearchSlowContractTest} turns, and sizes of indexes, which are parts of the one index that holds the
 * events, and accounts.
 */
@Tag("database")
@Tag("any-java")
final class OpenSearchContractTest extends ContractTest
        implements SearchContract,
                PlanContract,
                SinkContract,
                CopyContract,
                ReadContract,
                TrendContract,
                ServerTimeContract,
                StopContract {
    OpenSearchContractTest() {
        super(OpenSearchTestServer.subject(IndexSet.NATIVE));
    }

    /** It counts in whole milliseconds. */
    @Override
    public int times() {
        return 100;
    }
}
