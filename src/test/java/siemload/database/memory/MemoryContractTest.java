package siemload.database.memory;

import org.junit.jupiter.api.extension.RegisterExtension;
import siemload.database.IndexSet;
import siemload.database.contract.ContractSubject;
import siemload.database.contract.CopyContract;
import siemload.database.contract.CursorContract;
import siemload.database.contract.LargePageContract;
import siemload.database.contract.MaintenanceContract;
import siemload.database.contract.PagingContract;
import siemload.database.contract.PlanContract;
import siemload.database.contract.ServerTimeContract;
import siemload.database.contract.SinkContract;
import siemload.database.contract.SizesContract;
import siemload.database.contract.StopContract;
import siemload.database.contract.TrendContract;

/** The parts of the contract that do not compare with the reference, which this is. */
final class MemoryContractTest
        implements PagingContract,
                LargePageContract,
                CursorContract,
                TrendContract,
                PlanContract,
                SinkContract,
                CopyContract,
                MaintenanceContract,
                SizesContract,
                ServerTimeContract,
                StopContract {
    @RegisterExtension
    static final ContractSubject SUBJECT = new ContractSubject(new MemoryPlugin(), IndexSet.NATIVE);

    @Override
    public ContractSubject subject() {
        return SUBJECT;
    }
}
