package siemload.target.oracle;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;
import siemload.provision.RealServer;
import siemload.query.Paging;
import siemload.target.Hint;
import siemload.target.IndexSet;
import siemload.target.Variant;
import siemload.target.contract.ContractSubject;
import siemload.target.contract.CopyContract;
import siemload.target.contract.MaintenanceContract;
import siemload.target.contract.PagingContract;
import siemload.target.contract.PlanContract;
import siemload.target.contract.RandomContract;
import siemload.target.contract.SearchContract;
import siemload.target.contract.SinkContract;
import siemload.target.contract.SizesContract;
import siemload.target.contract.StopContract;
import siemload.target.contract.SummaryContract;

/** On Oracle itself, see {@link RealServer}: all that the target offers, which is everything but cursors. */
@Tag("database")
final class OracleServerContractTest
        implements SearchContract,
                PagingContract,
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
            new Variant("arc_event", IndexSet.NATIVE, Hint.NONE, Paging.OFFSET),
            () -> RealServer.of(new OraclePlugin()));

    @Override
    public ContractSubject subject() {
        return SUBJECT;
    }
}
