package siemload.database.postgresql;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;
import siemload.database.IndexSet;
import siemload.database.contract.ContractSubject;
import siemload.database.contract.RandomContract;
import siemload.database.contract.SinkContract;

/** What the planner's choice of an index could change must be the same without one. */
@Tag("database")
@Tag("any-java")
final class PostgresqlWithoutIndexesContractTest implements RandomContract, SinkContract {
    @RegisterExtension
    static final ContractSubject SUBJECT = new ContractSubject(new PostgresqlPlugin(), IndexSet.NONE);

    @Override
    public ContractSubject subject() {
        return SUBJECT;
    }
}
