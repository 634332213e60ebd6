package siemload.database.oracle;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;
import siemload.database.Hint;
import siemload.database.IndexSet;
import siemload.database.contract.ContractSubject;

/** One whose addresses and values all lie in tables of their own, and whose events are cut into days. */
@Tag("any-java")
@Tag("exhaustive")
final class OracleListsLayoutContractTest implements OwnLayoutContract {
    @RegisterExtension
    static final ContractSubject SUBJECT = new ContractSubject(
            new H2Plugin(), OwnOracleFolder.variant(OwnOracleFolder.lists(), IndexSet.NATIVE, Hint.NONE));

    @Override
    public ContractSubject subject() {
        return SUBJECT;
    }
}
