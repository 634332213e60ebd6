package siemload.database.oracle;

import org.junit.jupiter.api.Tag;
import siemload.database.Hint;
import siemload.database.IndexSet;
import siemload.database.Partitions;
import siemload.database.Variant;
import siemload.database.contract.ContractSubject;
import siemload.database.contract.ContractTest;
import siemload.database.contract.PlanContract;
import siemload.database.contract.SizesContract;
import siemload.database.contract.TargetContract;
import siemload.database.provision.RealServer;
import siemload.query.Paging;

/** The contract on Oracle itself, except for cursors; see {@link RealServer}. */
@Tag("database")
final class OracleServerContractTest extends ContractTest implements TargetContract, PlanContract, SizesContract {
    OracleServerContractTest() {
        super(new ContractSubject(
                new OraclePlugin(),
                new Variant("arc_event", Partitions.DAY, IndexSet.NATIVE, Hint.NONE, Paging.OFFSET),
                () -> RealServer.of(new OraclePlugin())));
    }
}
