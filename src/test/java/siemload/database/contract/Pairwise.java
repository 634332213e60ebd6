package siemload.database.contract;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import siemload.database.Variant;

/**
 * So few variants that each two values which may stand together in one still do so in one of them: a layout and a hint, a hint and a set
 * of indexes, and so on. Faults that need three certain values are left to the others.
 */
public final class Pairwise {
    private Pairwise() {}

    /**
     * Chooses variants.
     *
     * @param all those to choose from
     * @return some of them in their order, and always the same ones: each time the one with the most pairs that none has had yet
     */
    public static List<Variant> of(List<Variant> all) {
        Set<List<Object>> missing = new HashSet<>();
        all.forEach(variant -> missing.addAll(pairs(variant)));
        Set<Variant> chosen = new HashSet<>();
        while (!missing.isEmpty()) {
            Variant next = all.stream()
                    .max(Comparator.comparingLong(variant ->
                            pairs(variant).stream().filter(missing::contains).count()))
                    .orElseThrow();
            chosen.add(next);
            pairs(next).forEach(missing::remove);
        }
        return all.stream().filter(chosen::contains).toList();
    }

    /** The others. */
    public static List<Variant> remaining(List<Variant> all) {
        List<Variant> remaining = new ArrayList<>(all);
        remaining.removeAll(of(all));
        return remaining;
    }

    private static Set<List<Object>> pairs(Variant variant) {
        List<Object> values =
                List.of(variant.layout(), variant.partitions(), variant.indexes(), variant.hint(), variant.paging());
        Set<List<Object>> pairs = new HashSet<>();
        for (int one = 0; one < values.size(); one++) {
            for (int other = one + 1; other < values.size(); other++) {
                pairs.add(List.of(values.get(one), values.get(other)));
            }
        }
        return pairs;
    }
}
