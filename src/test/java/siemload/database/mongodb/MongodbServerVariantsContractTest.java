package siemload.database.mongodb;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;
import siemload.database.Hint;
import siemload.database.IndexSet;
import siemload.database.Variant;
import siemload.database.contract.ContractSubject;
import siemload.database.contract.EveryVariant;
import siemload.database.contract.PlanContract;
import siemload.database.contract.SizesContract;

/** Plans, what hints do to them, and sizes of indexes: the stand-in has neither plans nor indexes to choose from. */
@Tag("database")
final class MongodbServerVariantsContractTest extends EveryVariant implements PlanContract, SizesContract {
    @RegisterExtension
    static final ContractSubject SERVER = MongodbTestServer.realSubject(IndexSet.NATIVE, Hint.NONE);

    static List<Variant> variants() {
        return Stream.concat(
                        Stream.of(Hint.NONE, Hint.FULL_SCAN, Hint.TIME_INDEX, Hint.INDEX)
                                .map(hint -> MongodbTestServer.variant(IndexSet.NATIVE, hint)),
                        Stream.of(MongodbTestServer.variant(IndexSet.FIELDS, Hint.INDEX)))
                .toList();
    }

    @Override
    protected ContractSubject server() {
        return SERVER;
    }
}
