package siemload.database.opensearch;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;
import siemload.database.IndexSet;
import siemload.database.contract.ContractSubject;
import siemload.database.contract.CopyContract;
import siemload.database.contract.PlanContract;
import siemload.database.contract.RandomContract;
import siemload.database.contract.ReadContract;
import siemload.database.contract.SearchContract;
import siemload.database.contract.ServerTimeContract;
import siemload.database.contract.SinkContract;
import siemload.database.contract.StopContract;
import siemload.database.contract.SummaryContract;
import siemload.database.contract.TrendContract;

/**
 * All but pages, which {@link OpenSearchSlowContractTest} turns, and sizes of indexes, which are parts of the one index that holds the
 * events, and accounts.
 */
@Tag("database")
@Tag("any-java")
final class OpenSearchContractTest
        implements SearchContract,
                SummaryContract,
                PlanContract,
                RandomContract,
                SinkContract,
                CopyContract,
                ReadContract,
                TrendContract,
                ServerTimeContract,
                StopContract {
    @RegisterExtension
    static final ContractSubject SUBJECT = OpenSearchTestServer.subject(IndexSet.NATIVE);

    @Override
    public ContractSubject subject() {
        return SUBJECT;
    }

    /** It counts in whole milliseconds. */
    @Override
    public int times() {
        return 100;
    }
}
