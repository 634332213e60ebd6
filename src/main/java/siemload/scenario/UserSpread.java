package siemload.scenario;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/** Spreads a total over groups in proportion to the numbers they have, by largest remainders. Stateless. */
final class UserSpread {
    private UserSpread() {}

    /**
     * The new numbers, in the same order; they add up to the total and each is at least 1.
     *
     * @param total at least the number of groups
     * @param written at least one, each 1 or more
     */
    static List<Integer> of(int total, List<Integer> written) {
        long sum = written.stream().mapToLong(Integer::longValue).sum();
        List<Integer> spread = new ArrayList<>();
        for (int users : written) {
            spread.add((int) ((long) total * users / sum));
        }
        int left = total - spread.stream().mapToInt(Integer::intValue).sum();
        IntStream.range(0, written.size())
                .boxed()
                .sorted(Comparator.comparing(group -> -((long) total * written.get(group) % sum)))
                .limit(left)
                .forEach(group -> spread.set(group, spread.get(group) + 1));
        for (int empty = spread.indexOf(0); empty >= 0; empty = spread.indexOf(0)) {
            int largest = spread.indexOf(Collections.max(spread));
            spread.set(largest, spread.get(largest) - 1);
            spread.set(empty, 1);
        }
        return spread;
    }
}
