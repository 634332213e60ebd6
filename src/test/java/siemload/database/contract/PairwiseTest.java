package siemload.database.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import siemload.database.Hint;
import siemload.database.IndexSet;
import siemload.database.Partitions;
import siemload.database.Variant;
import siemload.query.Paging;

class PairwiseTest {
    private static final List<Variant> ALL = all();

    @Test
    void eachTwoValuesStandTogetherInOneOfTheChosenVariants() {
        List<Variant> chosen = Pairwise.of(ALL);

        // As many as there are pairs of an index set and a hint, or there would be a pair missing.
        assertThat(chosen).hasSizeBetween(IndexSet.values().length * Hint.values().length, ALL.size() / 3);
        for (Variant one : ALL) {
            assertThat(chosen).anyMatch(it -> it.indexes() == one.indexes() && it.hint() == one.hint());
            assertThat(chosen).anyMatch(it -> it.layout().equals(one.layout()) && it.hint() == one.hint());
            assertThat(chosen).anyMatch(it -> it.layout().equals(one.layout()) && it.partitions() == one.partitions());
            assertThat(chosen).anyMatch(it -> it.partitions() == one.partitions() && it.indexes() == one.indexes());
        }
    }

    @Test
    void whatIsNotChosenRemainsAndTheChoiceIsAlwaysTheSame() {
        List<Variant> both = new ArrayList<>(Pairwise.of(ALL));
        both.addAll(Pairwise.remaining(ALL));

        assertThat(both).containsExactlyInAnyOrderElementsOf(ALL);
        assertThat(Pairwise.of(ALL)).isEqualTo(Pairwise.of(all()));
    }

    private static List<Variant> all() {
        List<Variant> all = new ArrayList<>();
        for (String layout : List.of("wide", "narrow")) {
            for (Partitions partitions : Partitions.values()) {
                for (IndexSet indexes : IndexSet.values()) {
                    for (Hint hint : Hint.values()) {
                        all.add(new Variant(layout, partitions, indexes, hint, Paging.OFFSET));
                    }
                }
            }
        }
        return all;
    }
}
