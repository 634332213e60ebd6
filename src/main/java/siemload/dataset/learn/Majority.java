package siemload.dataset.learn;

import java.util.Optional;

/**
 * The value that more than half of all have, if one does (Boyer and Moore: MJRTY, 1991); otherwise one of them. Not
 * thread-safe.
 */
final class Majority<T> {
    private Optional<T> candidate = Optional.empty();
    private long lead;

    void add(T value) {
        if (lead == 0) {
            candidate = Optional.of(value);
            lead = 1;
        } else {
            lead += candidate.filter(value::equals).isPresent() ? 1 : -1;
        }
    }

    Optional<T> value() {
        return candidate;
    }
}
