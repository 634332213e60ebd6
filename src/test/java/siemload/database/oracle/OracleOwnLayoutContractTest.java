package siemload.database.oracle;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;
import siemload.database.Hint;
import siemload.database.IndexSet;
import siemload.database.Partitions;
import siemload.database.contract.ContractSubject;

/** A layout of one's own, whose tables and columns have other names. */
@Tag("any-java")
final class OracleOwnLayoutContractTest implements OwnLayoutContract {
    @RegisterExtension
    static final ContractSubject SUBJECT = new ContractSubject(
            new H2Plugin(),
            OwnOracleFolder.variant(OwnOracleFolder.renamed(Partitions.NONE), IndexSet.NATIVE, Hint.NONE));

    @Override
    public ContractSubject subject() {
        return SUBJECT;
    }
}
