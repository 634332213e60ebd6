package siemload.database.server;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;

/** The ids that a store is asked for, cut so that no question has too many of them. Stateless. */
public final class IdPortions {
    private IdPortions() {}

    /**
     * Each id once, in their order.
     *
     * @param ids as the server stores them
     * @param size ids of a portion at most, 1 or more
     */
    public static List<List<String>> of(Collection<String> ids, int size) {
        List<String> distinct = new ArrayList<>(new LinkedHashSet<>(ids));
        List<List<String>> portions = new ArrayList<>();
        for (int from = 0; from < distinct.size(); from += size) {
            portions.add(distinct.subList(from, Math.min(from + size, distinct.size())));
        }
        return portions;
    }
}
