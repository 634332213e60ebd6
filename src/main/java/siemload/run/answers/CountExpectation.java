package siemload.run.answers;

import java.util.List;
import siemload.event.SecurityEvent;

/** An exact count. */
final class CountExpectation extends Expectation {
    private final long counted;
    private long must;
    private long may;

    CountExpectation(SampledAnswer sample, long counted) {
        super(sample);
        this.counted = counted;
    }

    @Override
    void take(SecurityEvent event, long micros, Visibility visibility) {
        if (visibility.isMust()) {
            must++;
        } else {
            may++;
        }
    }

    /** How many of the events so far must be in the answer. */
    long matching() {
        return must;
    }

    @Override
    List<String> faults() {
        if (must <= counted && counted <= must + may) {
            return List.of();
        }
        String expected = may == 0 ? String.valueOf(must) : must + " to " + (must + may);
        return List.of("counted " + counted + " instead of " + expected);
    }
}
