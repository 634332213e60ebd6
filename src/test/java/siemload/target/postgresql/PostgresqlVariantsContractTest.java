package siemload.target.postgresql;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;
import siemload.query.Paging;
import siemload.target.Abilities;
import siemload.target.Hint;
import siemload.target.IndexSet;
import siemload.target.Variant;
import siemload.target.contract.ContractSubject;
import siemload.target.contract.PlanContract;
import siemload.target.contract.SearchContract;

/** Every layout with every index set and every hint that it may have: equal answers, and each hint takes effect. */
@Tag("database")
@ParameterizedClass(name = "{0}")
@MethodSource("variants")
final class PostgresqlVariantsContractTest implements SearchContract, PlanContract {
    private static final PostgresqlPlugin PLUGIN = new PostgresqlPlugin();

    @RegisterExtension
    static final ContractSubject SERVER = new ContractSubject(PLUGIN, IndexSet.NATIVE);

    static ContractSubject subject;

    @Parameter
    Variant variant;

    static List<Variant> variants() {
        Abilities abilities = PLUGIN.abilities();
        List<Variant> variants = new ArrayList<>();
        for (String layout : abilities.layouts()) {
            for (IndexSet indexes : abilities.indexSets()) {
                for (Hint hint : abilities.hints()) {
                    variants.add(new Variant(layout, indexes, hint, Paging.OFFSET));
                }
            }
        }
        variants.removeIf(variant -> PLUGIN.refusal(variant).isPresent() || isSlowForNothing(variant));
        return variants;
    }

    /** Every search then starts workers, which takes ten times as long; the index sets do not differ in that. */
    private static boolean isSlowForNothing(Variant variant) {
        return variant.hint() == Hint.FULL_SCAN_PARALLEL && variant.indexes() != IndexSet.NATIVE;
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
