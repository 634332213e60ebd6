package siemload.database;

import java.util.HashMap;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * What a server has counted of its checkpoints and of blocks written meanwhile, since its start. What it does not tell is empty.
 * Immutable.
 *
 * @param completed how many checkpoints
 * @param seconds how long they took together
 * @param byCheckpoints blocks that were written by checkpoints
 * @param byWriter blocks that the server wrote ahead of those who need room
 * @param bySessions blocks that sessions had to write themselves
 */
public record CheckpointReading(
        long completed,
        OptionalDouble seconds,
        OptionalLong byCheckpoints,
        OptionalLong byWriter,
        OptionalLong bySessions) {

    /** Whether the server has counted anew since: something is less than it was. */
    public boolean isAnewSince(CheckpointReading before) {
        return completed < before.completed
                || isLess(byCheckpoints, before.byCheckpoints)
                || isLess(byWriter, before.byWriter)
                || isLess(bySessions, before.bySessions);
    }

    private static boolean isLess(OptionalLong now, OptionalLong before) {
        return now.isPresent() && before.isPresent() && now.getAsLong() < before.getAsLong();
    }

    /** The same as {@link CounterReading#counters} has it, under names that all databases share. */
    public Map<String, Long> counters() {
        Map<String, Long> counters = new HashMap<>();
        counters.put("checkpoints.completed", completed);
        seconds.ifPresent(taken -> counters.put("checkpoints.millis", Math.round(taken * 1000)));
        byCheckpoints.ifPresent(blocks -> counters.put("checkpoints.blocks", blocks));
        byWriter.ifPresent(blocks -> counters.put("checkpoints.blocksByWriter", blocks));
        bySessions.ifPresent(blocks -> counters.put("checkpoints.blocksBySessions", blocks));
        return counters;
    }
}
