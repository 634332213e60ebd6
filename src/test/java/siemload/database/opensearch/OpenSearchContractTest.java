package siemload.database.opensearch;

import org.junit.jupiter.api.Tag;
import siemload.database.IndexSet;
import siemload.database.contract.ContractTest;
import siemload.database.contract.PlanContract;
import siemload.database.contract.SearchContract;
import siemload.database.contract.SinkContract;
import siemload.database.contract.StopContract;

/** What is searched, planned, fed and stopped; {@link OpenSearchSlowContractTest} has the rest. */
@Tag("database")
final class OpenSearchContractTest extends ContractTest
        implements SearchContract, PlanContract, SinkContract, StopContract {
    OpenSearchContractTest() {
        super(OpenSearchTestServer.subject(IndexSet.NATIVE));
    }
}
