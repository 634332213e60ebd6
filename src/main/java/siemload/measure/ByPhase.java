package siemload.measure;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * What is recorded by key: of the measured phase, and apart from it of the others. Both know a key from its first use on, in
 * whatever phase that is: compiled code that has never seen an unknown key is thrown away at the first one, and with it all that
 * a search goes through, so that the searches of a measured phase's first seconds would be interpreted. Thread-safe; what is
 * known is found without a lock.
 *
 * @param <K> the key
 * @param <V> what is recorded, which is thread-safe itself
 */
final class ByPhase<K, V> {
    private final Map<K, V> measured = new ConcurrentHashMap<>();
    private final Map<K, V> others = new ConcurrentHashMap<>();
    private final Supplier<V> making;

    /** @param making makes an empty one */
    ByPhase(Supplier<V> making) {
        this.making = making;
    }

    /** What is recorded of this key in the measured phase, or else in the others. */
    V of(boolean inMeasured, K key) {
        V known = (inMeasured ? measured : others).get(key);
        return known != null ? known : madeKnown(inMeasured, key);
    }

    private V madeKnown(boolean inMeasured, K key) {
        V ofMeasured = measured.computeIfAbsent(key, unused -> making.get());
        V ofOthers = others.computeIfAbsent(key, unused -> making.get());
        return inMeasured ? ofMeasured : ofOthers;
    }

    /** That of the measured phase; of a key that was used in other phases alone there is an empty one. Grows while others record. */
    Map<K, V> measured() {
        return measured;
    }

    /** That of all other phases, in the same way. */
    Map<K, V> others() {
        return others;
    }
}
