package siemload.database.postgresql;

import org.junit.jupiter.api.Tag;
import siemload.database.IndexSet;
import siemload.database.contract.ConcurrencyContract;
import siemload.database.contract.ContractSubject;
import siemload.database.contract.ContractTest;
import siemload.database.contract.CursorContract;
import siemload.database.contract.PlanContract;
import siemload.database.contract.ReadContract;
import siemload.database.contract.ServerTimeContract;
import siemload.database.contract.SharedCopyContract;
import siemload.database.contract.SizesContract;
import siemload.database.contract.TargetContract;
import siemload.database.contract.TrendContract;

@Tag("database")
final class PostgresqlContractTest extends ContractTest
        implements TargetContract,
                CursorContract,
                PlanContract,
                ReadContract,
                TrendContract,
                SizesContract,
                ServerTimeContract,
                ConcurrencyContract,
                SharedCopyContract {
    PostgresqlContractTest() {
        super(new ContractSubject(new PostgresqlPlugin(), IndexSet.NATIVE));
    }
}
