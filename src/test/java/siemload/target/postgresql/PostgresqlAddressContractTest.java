package siemload.target.postgresql;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;
import siemload.query.Paging;
import siemload.target.Hint;
import siemload.target.IndexSet;
import siemload.target.Variant;
import siemload.target.contract.ContractSubject;
import siemload.target.contract.CopyContract;
import siemload.target.contract.CursorContract;
import siemload.target.contract.MaintenanceContract;
import siemload.target.contract.RandomContract;
import siemload.target.contract.SinkContract;
import siemload.target.contract.SizesContract;
import siemload.target.contract.SummaryContract;

/** What the layout of NERD does with a table of its own: random addresses above all, and events that are fed. */
@Tag("database")
final class PostgresqlAddressContractTest
        implements RandomContract,
                SinkContract,
                CopyContract,
                MaintenanceContract,
                SizesContract,
                CursorContract,
                SummaryContract {
    @RegisterExtension
    static final ContractSubject SUBJECT = new ContractSubject(
            new PostgresqlPlugin(), new Variant("address", IndexSet.NATIVE, Hint.NONE, Paging.CURSOR));

    @Override
    public ContractSubject subject() {
        return SUBJECT;
    }
}
