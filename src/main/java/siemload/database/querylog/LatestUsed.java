package siemload.database.querylog;

import java.util.LinkedHashMap;
import java.util.Map;

/** Remembers so many entries and no more: that which nobody has used for the longest time makes room. Not thread-safe. */
public final class LatestUsed<K, V> extends LinkedHashMap<K, V> {
    private static final long serialVersionUID = 1;

    private final int most;

    /** @param most entries that are remembered, at least 1 */
    public LatestUsed(int most) {
        super(16, 0.75f, true);
        this.most = most;
    }

    @Override
    protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
        return size() > most;
    }
}
