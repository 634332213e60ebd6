package siemload.target.oracle;

import org.junit.jupiter.api.extension.RegisterExtension;
import siemload.target.IndexSet;
import siemload.target.contract.ContractSubject;
import siemload.target.contract.CopyContract;
import siemload.target.contract.MaintenanceContract;
import siemload.target.contract.PagingContract;
import siemload.target.contract.RandomContract;
import siemload.target.contract.SearchContract;
import siemload.target.contract.SinkContract;
import siemload.target.contract.SizesContract;
import siemload.target.contract.StopContract;
import siemload.target.contract.SummaryContract;

/** Everything but plans, which H2 tells in its own way. */
final class OracleOnH2ContractTest
        implements SearchContract,
                PagingContract,
                SummaryContract,
                RandomContract,
                SinkContract,
                CopyContract,
                MaintenanceContract,
                SizesContract,
                StopContract {
    @RegisterExtension
    static final ContractSubject SUBJECT = new ContractSubject(new H2Plugin(), IndexSet.NATIVE);

    @Override
    public ContractSubject subject() {
        return SUBJECT;
    }
}
