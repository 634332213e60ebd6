package siemload.database.postgresql;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;
import siemload.database.Variant;
import siemload.database.contract.ContractSubject;

/** By day, in the layouts that {@link PostgresqlByDayContractTest} leaves out. */
@Tag("database")
@Tag("exhaustive")
final class PostgresqlRemainingByDayContractTest extends PostgresqlByDayContract {
    @RegisterExtension
    static final ContractSubject SERVER = newServer();

    static List<Variant> variants() {
        return remaining();
    }

    @Override
    protected ContractSubject server() {
        return SERVER;
    }
}
