package siemload.database.postgresql;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;
import siemload.database.Variant;
import siemload.database.contract.ContractSubject;
import siemload.database.contract.Pairwise;

/** Each pair of a layout, of partitions, of an index set and of a hint once; with {@code -Dvariants=all} every variant there is. */
@Tag("database")
@Tag("any-java")
@Tag("exhaustive")
final class PostgresqlVariantsContractTest extends PostgresqlVariantsContract {
    @RegisterExtension
    static final ContractSubject SERVER = newServer();

    static List<Variant> variants() {
        return FEWER ? Pairwise.of(all()) : all();
    }

    @Override
    protected ContractSubject server() {
        return SERVER;
    }
}
