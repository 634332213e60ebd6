package siemload.database.mongodb;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;
import siemload.database.Hint;
import siemload.database.IndexSet;
import siemload.database.Variant;
import siemload.database.contract.ContractSubject;
import siemload.database.contract.EveryVariant;
import siemload.database.contract.SearchContract;
import siemload.database.contract.SinkContract;

/** The other index sets, and the hints: none of them may change an answer. */
@Tag("database")
@Tag("any-java")
@Tag("exhaustive")
final class MongodbVariantsContractTest extends EveryVariant implements SearchContract, SinkContract {
    @RegisterExtension
    static final ContractSubject SERVER = MongodbTestServer.subject(IndexSet.NONE, Hint.NONE);

    static List<Variant> variants() {
        return List.of(
                MongodbTestServer.variant(IndexSet.NONE, Hint.NONE),
                MongodbTestServer.variant(IndexSet.TIME, Hint.TIME_INDEX),
                MongodbTestServer.variant(IndexSet.FIELDS, Hint.INDEX),
                MongodbTestServer.variant(IndexSet.COMPOUND, Hint.INDEX),
                MongodbTestServer.variant(IndexSet.NATIVE, Hint.FULL_SCAN));
    }

    @Override
    protected ContractSubject server() {
        return SERVER;
    }
}
