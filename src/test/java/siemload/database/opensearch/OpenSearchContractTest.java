package siemload.database.opensearch;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;
import siemload.database.IndexSet;
import siemload.database.contract.ContractSubject;
import siemload.database.contract.CopyContract;
import siemload.database.contract.PlanContract;
import siemload.database.contract.RandomContract;
import siemload.database.contract.ReadContract;
import siemload.database.contract.SearchContract;
import siemload.database.contract.ServerTimeContract;
import siemload.database.contract.SinkContract;
import siemload.database.contract.StopContract;
import siemload.database.contract.SummaryContract;
import siemload.database.contract.TrendContract;
import siemload.query.Page;

/**
 * All but pages, which {@link OpenSearchSlowContractTest} turns, and sizes of indexes, which are parts of the one index that holds the
 * events, and accounts.
 */
@Tag("database")
@Tag("any-java")
final class OpenSearchContractTest
        implements SearchContract,
                SummaryContract,
                PlanContract,
                RandomContract,
                SinkContract,
                CopyContract,
                ReadContract,
                TrendContract,
                ServerTimeContract,
                StopContract {
    @RegisterExtension
    static final ContractSubject SUBJECT = OpenSearchTestServer.subject(IndexSet.NATIVE);

    @Override
    public ContractSubject subject() {
        return SUBJECT;
    }

    /** It counts in whole milliseconds. */
    @Override
    public int times() {
        return 100;
    }

    /** Two of them for each search, since profiles take their time. */
    @Override
    public List<Page> pagesOf(int number) {
        return List.of(PAGES.get(number % PAGES.size()), PAGES.get((number + 2) % PAGES.size()));
    }
}
