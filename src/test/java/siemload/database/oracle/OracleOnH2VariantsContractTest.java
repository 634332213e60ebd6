package siemload.database.oracle;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;
import siemload.database.Hint;
import siemload.database.IndexSet;
import siemload.database.Variant;
import siemload.database.contract.ContractSubject;
import siemload.database.contract.SearchContract;
import siemload.query.Paging;

/** Every index set with every hint that it may have: equal answers. H2 builds the indexes and reads over the hints. */
@ParameterizedClass(name = "{0}")
@MethodSource("variants")
final class OracleOnH2VariantsContractTest implements SearchContract {
    private static final H2Plugin PLUGIN = new H2Plugin();

    @RegisterExtension
    static final ContractSubject SERVER = new ContractSubject(PLUGIN, IndexSet.NATIVE);

    static ContractSubject subject;

    @Parameter
    Variant variant;

    static List<Variant> variants() {
        return PLUGIN.abilities().indexSets().stream()
                .flatMap(OracleOnH2VariantsContractTest::withHints)
                .filter(variant -> new OraclePlugin().refusal(variant).isEmpty())
                .toList();
    }

    private static Stream<Variant> withHints(IndexSet indexes) {
        return PLUGIN.abilities().hints().stream()
                .map((Hint hint) -> new Variant("arc_event", indexes, hint, Paging.OFFSET));
    }

    @BeforeParameterizedClassInvocation
    static void open(Variant variant) {
        subject = SERVER.sharing(variant);
    }

    @AfterParameterizedClassInvocation
    static void close() {
        subject.close();
    }

    @Override
    public ContractSubject subject() {
        return subject;
    }
}
