package siemload.database.postgresql;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;
import siemload.database.Hint;
import siemload.database.IndexSet;
import siemload.database.Partitions;
import siemload.database.TargetPlugin.Abilities;
import siemload.database.Variant;
import siemload.database.contract.ContractSubject;
import siemload.database.contract.EveryVariant;
import siemload.database.contract.PlanContract;
import siemload.database.contract.SearchContract;
import siemload.query.Page;
import siemload.query.Paging;

@Tag("database")
@Tag("exhaustive")
final class PostgresqlVariantsContractTest extends EveryVariant implements SearchContract, PlanContract {
    @RegisterExtension
    static final ContractSubject SERVER = new ContractSubject(new PostgresqlPlugin(), IndexSet.NATIVE);

    private static final PostgresqlPlugin PLUGIN = new PostgresqlPlugin();
    /** Whether only some variants are tested, because {@code -Dvariants=all} is not set. */
    private static final boolean FEWER = !System.getProperty("variants", "").equals("all");

    static List<Variant> variants() {
        Abilities abilities = PLUGIN.abilities();
        List<Variant> variants = new ArrayList<>();
        for (String layout : abilities.layouts()) {
            for (Partitions partitions : abilities.partitions()) {
                for (IndexSet indexes : abilities.indexSets()) {
                    for (Hint hint : abilities.hints()) {
                        variants.add(new Variant(layout, partitions, indexes, hint, Paging.OFFSET));
                    }
                }
            }
        }
        variants.removeIf(variant -> PLUGIN.refusal(variant).isPresent() || isLeftOut(variant));
        return variants;
    }

    /**
     * Unless {@code -Dvariants=all} is set, each layout is tested once with each hint, and each index set without a hint and with the hint
     * that needs indexes. Partitioned by day, each layout is tested with each hint, but without the other index sets. Parallel scans are
     * never tested with the other index sets: they do not differ, and take ten times as long.
     */
    private static boolean isLeftOut(Variant variant) {
        if (FEWER && variant.partitions() == Partitions.DAY) {
            return variant.indexes() != IndexSet.NATIVE;
        }
        return variant.indexes() != IndexSet.NATIVE
                && switch (variant.hint()) {
                    case NONE, INDEX -> false;
                    case FULL_SCAN_PARALLEL -> true;
                    case FULL_SCAN, TIME_INDEX, FIRST_ROWS -> FEWER;
                };
    }

    /** With {@code -Dvariants=all}, all pages are tested with all values. */
    @Override
    public List<Page> pagesOf(int number) {
        return FEWER ? PlanContract.super.pagesOf(number) : PAGES;
    }

    @Override
    protected ContractSubject server() {
        return SERVER;
    }
}
