package siemload.database.oracle;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;
import siemload.database.Hint;
import siemload.database.IndexSet;
import siemload.database.Partitions;
import siemload.database.Variant;
import siemload.database.contract.ContractSubject;
import siemload.database.contract.EveryVariant;
import siemload.database.contract.PlanContract;
import siemload.database.contract.SearchContract;
import siemload.database.provision.RealServer;
import siemload.query.Paging;

/** Every index set with every allowed hint, which must take effect, on Oracle itself; see {@link RealServer}. */
@Tag("database")
final class OracleServerVariantsContractTest extends EveryVariant implements SearchContract, PlanContract {
    @RegisterExtension
    static final ContractSubject SERVER = new ContractSubject(
            new OraclePlugin(),
            new Variant("arc_event", Partitions.DAY, IndexSet.NATIVE, Hint.NONE, Paging.OFFSET),
            () -> RealServer.of(new OraclePlugin()));

    static List<Variant> variants() {
        return OracleOnH2VariantsContractTest.variants();
    }

    @Override
    protected ContractSubject server() {
        return SERVER;
    }
}
