package siemload.run.answers;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import siemload.event.AddressRange;

/**
 * Who looks for which addresses: ranges that overlap are put together into groups, and the groups do not overlap, so that
 * few of them need be looked at for an address. Built once; then read by one thread.
 */
final class AddressGroups {
    private final List<Interest> interests = new ArrayList<>();
    private final NavigableMap<AddressRange, Group> groups = new TreeMap<>();

    private record Interest(AddressRange range, Expectation expectation) {}

    private record Group(AddressRange hull, List<Expectation> expectations) {}

    void add(AddressRange range, Expectation expectation) {
        interests.add(new Interest(range, expectation));
    }

    /** Puts the ranges together; to be called once all were added. */
    void build() {
        interests.sort(Comparator.comparing(Interest::range));
        List<Expectation> together = new ArrayList<>();
        for (int i = 0; i < interests.size(); i++) {
            AddressRange hull = interests.get(i).range();
            together.add(interests.get(i).expectation());
            while (i + 1 < interests.size()
                    && hull.overlaps(interests.get(i + 1).range())) {
                i++;
                hull = hull.hull(interests.get(i).range());
                together.add(interests.get(i).expectation());
            }
            groups.put(hull, new Group(hull, List.copyOf(together)));
            together.clear();
        }
    }

    /** Hands over at least those who look for an address of this range. */
    void forEach(AddressRange range, Consumer<Expectation> taker) {
        if (groups.isEmpty()) {
            return;
        }
        // Groups do not overlap, so of those that start before the range only the last one can reach into it.
        var before = groups.lowerEntry(range);
        if (before != null && before.getValue().hull().overlaps(range)) {
            before.getValue().expectations().forEach(taker);
        }
        for (Group group : groups.tailMap(range, true).values()) {
            if (!group.hull().overlaps(range)) {
                return;
            }
            group.expectations().forEach(taker);
        }
    }
}
