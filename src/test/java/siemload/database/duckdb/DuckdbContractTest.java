package siemload.database.duckdb;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;
import siemload.database.IndexSet;
import siemload.database.contract.ConcurrencyContract;
import siemload.database.contract.ContractSubject;
import siemload.database.contract.CopyContract;
import siemload.database.contract.LargePageContract;
import siemload.database.contract.MaintenanceContract;
import siemload.database.contract.PagingContract;
import siemload.database.contract.PlanContract;
import siemload.database.contract.RandomContract;
import siemload.database.contract.SearchContract;
import siemload.database.contract.SinkContract;
import siemload.database.contract.StopContract;
import siemload.database.contract.SummaryContract;

/** All that the target offers, with an index for each searched field, so that some searches use one and others do not. */
@Tag("any-java")
final class DuckdbContractTest
        implements SearchContract,
                PagingContract,
                LargePageContract,
                SummaryContract,
                PlanContract,
                RandomContract,
                SinkContract,
                CopyContract,
                MaintenanceContract,
                StopContract,
                ConcurrencyContract {
    @RegisterExtension
    static final ContractSubject SUBJECT = new ContractSubject(new DuckdbPlugin(), IndexSet.FIELDS);

    @Override
    public ContractSubject subject() {
        return SUBJECT;
    }
}
