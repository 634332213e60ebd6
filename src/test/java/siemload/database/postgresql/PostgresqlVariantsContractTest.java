package siemload.database.postgresql;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;
import siemload.database.Abilities;
import siemload.database.Hint;
import siemload.database.IndexSet;
import siemload.database.Variant;
import siemload.database.contract.ContractSubject;
import siemload.database.contract.PlanContract;
import siemload.database.contract.SearchContract;
import siemload.query.Paging;

/** Every layout, every index set and every hint: equal answers, and each hint takes effect. */
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
        variants.removeIf(variant -> PLUGIN.refusal(variant).isPresent() || isLeftOut(variant));
        return variants;
    }

    /**
     * Unless {@code -Dvariants=all} asks for more, each layout meets each hint once, and each index set no hint and the one
     * that needs indexes. Parallel scans are never tried with the other index sets: they do not differ, and take ten times as
     * long.
     */
    private static boolean isLeftOut(Variant variant) {
        boolean fewer = !System.getProperty("variants", "").equals("all");
        return variant.indexes() != IndexSet.NATIVE
                && switch (variant.hint()) {
                    case NONE, INDEX -> false;
                    case FULL_SCAN_PARALLEL -> true;
                    case FULL_SCAN, TIME_INDEX, FIRST_ROWS -> fewer;
                };
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
