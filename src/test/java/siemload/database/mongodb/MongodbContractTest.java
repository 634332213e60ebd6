package siemload.database.mongodb;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;
import siemload.database.Hint;
import siemload.database.IndexSet;
import siemload.database.contract.ConcurrencyContract;
import siemload.database.contract.ContractSubject;
import siemload.database.contract.CopyContract;
import siemload.database.contract.CursorContract;
import siemload.database.contract.LargePageContract;
import siemload.database.contract.MaintenanceContract;
import siemload.database.contract.PagingContract;
import siemload.database.contract.RandomContract;
import siemload.database.contract.SearchContract;
import siemload.database.contract.ServerTimeContract;
import siemload.database.contract.SinkContract;
import siemload.database.contract.StopContract;
import siemload.database.contract.SummaryContract;
import siemload.database.contract.TrendContract;

/** Everything but plans, which only MongoDB itself has: {@link MongodbServerVariantsContractTest}. */
@Tag("database")
@Tag("any-java")
final class MongodbContractTest
        implements SearchContract,
                PagingContract,
                LargePageContract,
                CursorContract,
                SummaryContract,
                TrendContract,
                RandomContract,
                SinkContract,
                CopyContract,
                MaintenanceContract,
                ServerTimeContract,
                StopContract,
                ConcurrencyContract {
    @RegisterExtension
    static final ContractSubject SUBJECT = MongodbTestServer.subject(IndexSet.NATIVE, Hint.NONE);

    @Override
    public ContractSubject subject() {
        return SUBJECT;
    }
}
