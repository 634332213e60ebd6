package siemload.database.postgresql;

import org.junit.jupiter.api.Tag;
import siemload.database.Hint;
import siemload.database.IndexSet;
import siemload.database.Variant;
import siemload.database.contract.ContractSubject;
import siemload.database.contract.ContractTest;
import siemload.database.contract.LargePageContract;
import siemload.database.contract.StopContract;
import siemload.query.Paging;

@Tag("database")
final class PostgresqlParallelContractTest extends ContractTest implements StopContract, LargePageContract {
    PostgresqlParallelContractTest() {
        super(new ContractSubject(
                new PostgresqlPlugin(),
                new Variant("mentat", IndexSet.NATIVE, Hint.FULL_SCAN_PARALLEL, Paging.OFFSET)));
    }
}
