package siemload.target.postgresql;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;
import siemload.query.Paging;
import siemload.target.Hint;
import siemload.target.IndexSet;
import siemload.target.Variant;
import siemload.target.contract.ContractSubject;
import siemload.target.contract.StopContract;

/** With this hint a whole result comes by COPY, which ends in ways of its own. */
@Tag("database")
final class PostgresqlParallelContractTest implements StopContract {
    @RegisterExtension
    static final ContractSubject SUBJECT = new ContractSubject(
            new PostgresqlPlugin(), new Variant("mentat", IndexSet.NATIVE, Hint.FULL_SCAN_PARALLEL, Paging.OFFSET));

    @Override
    public ContractSubject subject() {
        return SUBJECT;
    }
}
