package siemload.run;

/**
 * Which part of a load one of several processes makes. Users, and batches of the feeder, have numbers, and number {@code n}
 * belongs to shard {@code n mod count}: nothing but the number decides, so that all shards together are what one process
 * would make alone. Immutable.
 *
 * @param index from 0 to below the count
 * @param count how many shards there are, 1 or more
 */
public record Shard(int index, int count) {
    /** All of it, in one process. */
    public static final Shard WHOLE = new Shard(0, 1);

    /** @throws IllegalArgumentException if there is no such shard */
    public Shard {
        if (count < 1 || index < 0 || index >= count) {
            throw new IllegalArgumentException("no shard " + index + " of " + count);
        }
    }

    /** Whether it is all of the load. */
    public boolean isWhole() {
        return count == 1;
    }

    /** Whether a number is one of this shard; numbers below 0 belong to shards, too. */
    public boolean has(long number) {
        return Math.floorMod(number, (long) count) == index;
    }

    /** The number of the {@code nth} thing of this shard, from 0. */
    public long number(long nth) {
        return index + nth * count;
    }

    /** How many of the numbers from 0 to below a limit are of this shard. */
    public long below(long limit) {
        return Math.max(0, -Math.floorDiv(index - limit, (long) count));
    }

    /** How many of so many things this shard has. */
    public int of(int all) {
        return Math.toIntExact(below(all));
    }
}
