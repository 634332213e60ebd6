package siemload.dataset;

import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/**
 * Keeps an entry for each of very many keys, such as addresses. Up to a limit, all keys have entries. Beyond the limit, only a fair sample
 * of the keys has entries: the share of hashes with an entry is halved each time there are too many. Not thread-safe.
 */
public final class FairSample<K, V> {
    private final int most;
    private final ToLongFunction<K> hash;
    private final Map<K, V> values = new HashMap<>();
    private long mask;

    /** @param hash the hash of a key, whose lowest bits decide whether the sample has the key */
    public FairSample(int most, ToLongFunction<K> hash) {
        this.most = most;
        this.hash = hash;
    }

    /**
     * Notes a key if the sample has this key.
     *
     * @param made makes the entry of a new key
     * @param noted changes the entry of the key
     */
    public void note(K thing, Function<K, V> made, Consumer<V> noted) {
        if (isIn(thing)) {
            noted.accept(values.computeIfAbsent(thing, made));
            while (values.size() > most) {
                mask = mask << 1 | 1;
                values.keySet().removeIf(other -> !isIn(other));
            }
        }
    }

    private boolean isIn(K thing) {
        return mask == 0 || (hash.applyAsLong(thing) & mask) == 0;
    }

    /** The entries of the sample, in any order. */
    public Map<K, V> values() {
        return Collections.unmodifiableMap(values);
    }
}
