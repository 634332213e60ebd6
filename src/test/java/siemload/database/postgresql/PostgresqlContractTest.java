package siemload.database.postgresql;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;
import siemload.database.IndexSet;
import siemload.database.contract.ConcurrencyContract;
import siemload.database.contract.ContractSubject;
import siemload.database.contract.SharedCopyContract;
import siemload.database.contract.TargetContract;
import siemload.query.Page;

@Tag("database")
final class PostgresqlContractTest implements TargetContract, ConcurrencyContract, SharedCopyContract {
    @RegisterExtension
    static final ContractSubject SUBJECT = new ContractSubject(new PostgresqlPlugin(), IndexSet.NATIVE);

    @Override
    public ContractSubject subject() {
        return SUBJECT;
    }

    @Override
    public List<Page> pagesOf(int number) {
        return PAGES;
    }
}
