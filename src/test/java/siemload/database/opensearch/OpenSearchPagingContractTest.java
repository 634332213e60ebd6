package siemload.database.opensearch;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;
import siemload.database.IndexSet;
import siemload.database.contract.ContractSubject;
import siemload.database.contract.CursorContract;
import siemload.database.contract.LargePageContract;
import siemload.database.contract.PagingContract;

/** Every result page by page, in each of the three ways. */
@Tag("database")
@Tag("any-java")
@Tag("exhaustive")
final class OpenSearchPagingContractTest implements PagingContract, CursorContract, LargePageContract {
    @RegisterExtension
    static final ContractSubject SUBJECT = OpenSearchTestServer.subject(IndexSet.NATIVE);

    @Override
    public ContractSubject subject() {
        return SUBJECT;
    }
}
