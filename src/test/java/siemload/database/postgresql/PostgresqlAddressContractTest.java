package siemload.database.postgresql;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;
import siemload.database.Hint;
import siemload.database.IndexSet;
import siemload.database.Variant;
import siemload.database.contract.ContractSubject;
import siemload.database.contract.CopyContract;
import siemload.database.contract.CursorContract;
import siemload.database.contract.LargePageContract;
import siemload.database.contract.MaintenanceContract;
import siemload.database.contract.RandomContract;
import siemload.database.contract.SinkContract;
import siemload.database.contract.SizesContract;
import siemload.database.contract.SummaryContract;
import siemload.database.contract.TrendContract;
import siemload.query.Paging;

/** What the layout of NERD does with a table of its own: random addresses above all, and events that are fed; every build tries it by day, {@link PostgresqlByDayContractTest}. */
@Tag("database")
@Tag("exhaustive")
final class PostgresqlAddressContractTest
        implements RandomContract,
                SinkContract,
                CopyContract,
                MaintenanceContract,
                SizesContract,
                CursorContract,
                LargePageContract,
                SummaryContract,
                TrendContract {
    @RegisterExtension
    static final ContractSubject SUBJECT = new ContractSubject(
            new PostgresqlPlugin(), new Variant("address", IndexSet.NATIVE, Hint.NONE, Paging.CURSOR));

    @Override
    public ContractSubject subject() {
        return SUBJECT;
    }
}
