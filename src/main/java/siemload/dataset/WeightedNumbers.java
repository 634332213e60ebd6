package siemload.dataset;

import java.util.Map;

/** Draws one of some numbers by their weights. Immutable and thread-safe. */
final class WeightedNumbers {
    private final int[] numbers;
    private final AliasTable table;

    /** The order of the map is part of what is drawn: it must always be the same. */
    WeightedNumbers(Map<Integer, Integer> weights) {
        numbers = weights.keySet().stream().mapToInt(Integer::intValue).toArray();
        table = AliasTable.of(
                weights.values().stream().mapToDouble(Integer::doubleValue).toArray());
    }

    int draw(SeededRandom random) {
        return numbers[table.draw(random)];
    }
}
