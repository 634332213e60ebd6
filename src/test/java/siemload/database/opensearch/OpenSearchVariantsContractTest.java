package siemload.database.opensearch;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;
import siemload.database.IndexSet;
import siemload.database.Variant;
import siemload.database.contract.ContractSubject;
import siemload.database.contract.EveryVariant;
import siemload.database.contract.PlanContract;
import siemload.database.contract.SearchContract;

@Tag("database")
@Tag("exhaustive")
final class OpenSearchVariantsContractTest extends EveryVariant implements SearchContract, PlanContract {
    @RegisterExtension
    static final ContractSubject SERVER = OpenSearchTestServer.subject(IndexSet.NATIVE);

    static List<Variant> variants() {
        return Stream.of(IndexSet.NONE, IndexSet.TIME, IndexSet.FIELDS)
                .map(OpenSearchTestServer::variant)
                .toList();
    }

    @Override
    protected ContractSubject server() {
        return SERVER;
    }
}
