package siemload.target.mongodb;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;
import siemload.target.Hint;
import siemload.target.IndexSet;
import siemload.target.contract.ContractSubject;
import siemload.target.contract.CopyContract;
import siemload.target.contract.CursorContract;
import siemload.target.contract.MaintenanceContract;
import siemload.target.contract.PagingContract;
import siemload.target.contract.RandomContract;
import siemload.target.contract.SearchContract;
import siemload.target.contract.SinkContract;
import siemload.target.contract.StopContract;
import siemload.target.contract.SummaryContract;

/** Everything but plans, which only MongoDB itself has: {@link MongodbPlanContractTest}. */
@Tag("database")
final class MongodbContractTest
        implements SearchContract,
                PagingContract,
                CursorContract,
                SummaryContract,
                RandomContract,
                SinkContract,
                CopyContract,
                MaintenanceContract,
                StopContract {
    @RegisterExtension
    static final ContractSubject SUBJECT = TestServer.subject(IndexSet.NATIVE, Hint.NONE);

    @Override
    public ContractSubject subject() {
        return SUBJECT;
    }
}
