package siemload.target.postgresql;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;
import siemload.target.IndexSet;
import siemload.target.contract.ContractSubject;
import siemload.target.contract.TargetContract;

@Tag("database")
final class PostgresqlContractTest implements TargetContract {
    @RegisterExtension
    static final ContractSubject SUBJECT = new ContractSubject(new PostgresqlPlugin(), IndexSet.NATIVE);

    @Override
    public ContractSubject subject() {
        return SUBJECT;
    }
}
