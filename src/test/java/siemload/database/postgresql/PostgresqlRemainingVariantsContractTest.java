package siemload.database.postgresql;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;
import siemload.database.Variant;
import siemload.database.contract.ContractSubject;
import siemload.database.contract.Pairwise;

/** The variants that {@link PostgresqlVariantsContractTest} leaves out. */
@Tag("database")
@Tag("exhaustive")
final class PostgresqlRemainingVariantsContractTest extends PostgresqlVariantsContract {
    @RegisterExtension
    static final ContractSubject SERVER = newServer();

    static List<Variant> variants() {
        return Pairwise.remaining(all());
    }

    @Override
    protected ContractSubject server() {
        return SERVER;
    }
}
