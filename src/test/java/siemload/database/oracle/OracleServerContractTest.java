package siemload.database.oracle;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;
import siemload.database.Hint;
import siemload.database.IndexSet;
import siemload.database.Partitions;
import siemload.database.Variant;
import siemload.database.contract.ContractSubject;
import siemload.database.contract.CopyContract;
import siemload.database.contract.LargePageContract;
import siemload.database.contract.MaintenanceContract;
import siemload.database.contract.PagingContract;
import siemload.database.contract.PlanContract;
import siemload.database.contract.RandomContract;
import siemload.database.contract.SearchContract;
import siemload.database.contract.SinkContract;
import siemload.database.contract.SizesContract;
import siemload.database.contract.StopContract;
import siemload.database.contract.SummaryContract;
import siemload.database.provision.RealServer;
import siemload.query.Paging;

/** On Oracle itself, see {@link RealServer}: all that the target offers, which is everything but cursors. */
@Tag("database")
final class OracleServerContractTest
        implements SearchContract,
                PagingContract,
                LargePageContract,
                SummaryContract,
                PlanContract,
                RandomContract,
                SinkContract,
                CopyContract,
                MaintenanceContract,
                SizesContract,
                StopContract {
    @RegisterExtension
    static final ContractSubject SUBJECT = new ContractSubject(
            new OraclePlugin(),
            new Variant("arc_event", Partitions.DAY, IndexSet.NATIVE, Hint.NONE, Paging.OFFSET),
            () -> RealServer.of(new OraclePlugin()));

    @Override
    public ContractSubject subject() {
        return SUBJECT;
    }
}
