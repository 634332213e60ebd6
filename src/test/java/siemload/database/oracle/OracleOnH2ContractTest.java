package siemload.database.oracle;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;
import siemload.database.IndexSet;
import siemload.database.contract.ConcurrencyContract;
import siemload.database.contract.ContractSubject;
import siemload.database.contract.CopyContract;
import siemload.database.contract.LargePageContract;
import siemload.database.contract.MaintenanceContract;
import siemload.database.contract.PagingContract;
import siemload.database.contract.RandomContract;
import siemload.database.contract.SearchContract;
import siemload.database.contract.SinkContract;
import siemload.database.contract.SizesContract;
import siemload.database.contract.StopContract;
import siemload.database.contract.SummaryContract;

/** Everything but plans, which H2 tells in its own way. */
@Tag("any-java")
final class OracleOnH2ContractTest
        implements SearchContract,
                PagingContract,
                LargePageContract,
                SummaryContract,
                RandomContract,
                SinkContract,
                CopyContract,
                MaintenanceContract,
                SizesContract,
                StopContract,
                ConcurrencyContract {
    @RegisterExtension
    static final ContractSubject SUBJECT = new ContractSubject(new H2Plugin(), IndexSet.NATIVE);

    @Override
    public ContractSubject subject() {
        return SUBJECT;
    }
}
