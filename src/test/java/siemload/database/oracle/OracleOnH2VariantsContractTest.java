package siemload.database.oracle;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;
import siemload.database.Hint;
import siemload.database.IndexSet;
import siemload.database.Partitions;
import siemload.database.Variant;
import siemload.database.contract.ContractSubject;
import siemload.database.contract.EveryVariant;
import siemload.database.contract.SearchContract;
import siemload.query.Paging;

/** Every index set with every allowed hint gives equal answers. H2 builds the indexes and ignores the hints. */
@Tag("exhaustive")
final class OracleOnH2VariantsContractTest extends EveryVariant implements SearchContract {
    private static final H2Plugin PLUGIN = new H2Plugin();

    @RegisterExtension
    static final ContractSubject SERVER = new ContractSubject(PLUGIN, IndexSet.NATIVE);

    static List<Variant> variants() {
        Variant inOnePiece = new Variant("arc_event", IndexSet.COMPOUND, Hint.NONE, Paging.OFFSET);
        return Stream.concat(
                        Stream.of(inOnePiece),
                        PLUGIN.abilities().indexSets().stream().flatMap(OracleOnH2VariantsContractTest::withHints))
                .filter(variant -> new OraclePlugin().refusal(variant).isEmpty())
                .toList();
    }

    private static Stream<Variant> withHints(IndexSet indexes) {
        return PLUGIN.abilities().hints().stream()
                .map((Hint hint) -> new Variant("arc_event", Partitions.DAY, indexes, hint, Paging.OFFSET));
    }

    @Override
    protected ContractSubject server() {
        return SERVER;
    }
}
