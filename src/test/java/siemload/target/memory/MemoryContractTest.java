package siemload.target.memory;

import org.junit.jupiter.api.extension.RegisterExtension;
import siemload.target.IndexSet;
import siemload.target.contract.ContractSubject;
import siemload.target.contract.CopyContract;
import siemload.target.contract.CursorContract;
import siemload.target.contract.MaintenanceContract;
import siemload.target.contract.PagingContract;
import siemload.target.contract.PlanContract;
import siemload.target.contract.SinkContract;
import siemload.target.contract.SizesContract;
import siemload.target.contract.StopContract;

/** The parts of the contract that do not compare with the reference, which this is. */
final class MemoryContractTest
        implements PagingContract,
                CursorContract,
                PlanContract,
                SinkContract,
                CopyContract,
                MaintenanceContract,
                SizesContract,
                StopContract {
    @RegisterExtension
    static final ContractSubject SUBJECT = new ContractSubject(new MemoryPlugin(), IndexSet.NATIVE);

    @Override
    public ContractSubject subject() {
        return SUBJECT;
    }
}
