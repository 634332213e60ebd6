package siemload.database;

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
        OptionalLong bySessions) {}
