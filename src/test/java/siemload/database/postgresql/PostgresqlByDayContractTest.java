package siemload.database.postgresql;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;
import siemload.database.Variant;
import siemload.database.contract.ContractSubject;

/** By day, in the layout that is not the usual one, which {@link PostgresqlContractTest} tries in one piece. */
@Tag("database")
@Tag("any-java")
@Tag("exhaustive")
final class PostgresqlByDayContractTest extends PostgresqlByDayContract {
    @RegisterExtension
    static final ContractSubject SERVER = newServer();

    static List<Variant> variants() {
        return first();
    }

    @Override
    protected ContractSubject server() {
        return SERVER;
    }
}
