package siemload.compare.experiment;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;

/**
 * The order of the runs: interleaved, so that what the host does meanwhile happens to all variants, and balanced, so that a
 * drift does not favour those that come first. Each block runs every cell once, in an order drawn by seed; every second
 * block turns the order of the one before it around (A B, B A). More repeats only add blocks at the end. Immutable.
 *
 * @param slots all runs in their order
 */
public record Schedule(List<Slot> slots) {

    public Schedule {
        slots = List.copyOf(slots);
    }

    /**
     * One run.
     *
     * @param position 0 for the first run
     * @param block 0 for the first block; runs of one block are compared with each other
     */
    public record Slot(int position, int block, ComparedVariant variant) {}

    /** The order of an experiment. */
    public static Schedule of(Experiment experiment) {
        return of(experiment.runCells(), experiment.repeats(), experiment.seed());
    }

    static Schedule of(List<ComparedVariant> cells, int blocks, long seed) {
        List<Slot> slots = new ArrayList<>();
        for (int block = 0; block < blocks; block++) {
            List<ComparedVariant> order = shuffled(cells, seed + block / 2);
            if (block % 2 == 1) {
                Collections.reverse(order);
            }
            for (ComparedVariant cell : order) {
                slots.add(new Slot(slots.size(), block, cell));
            }
        }
        return new Schedule(slots);
    }

    private static List<ComparedVariant> shuffled(List<ComparedVariant> cells, long seed) {
        List<ComparedVariant> order = new ArrayList<>(cells);
        SplittableRandom random = new SplittableRandom(seed);
        for (int i = order.size() - 1; i > 0; i--) {
            Collections.swap(order, i, random.nextInt(i + 1));
        }
        return order;
    }
}
