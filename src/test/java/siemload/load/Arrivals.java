package siemload.load;

import java.time.Duration;
import java.util.List;
import java.util.stream.LongStream;
import siemload.scenario.rate.Rate;

/** When users of a constant rate arrive. Stateless. */
final class Arrivals {
    private Arrivals() {}

    /** Their instants in nanoseconds from the start. */
    static List<Long> within(Duration phase, int perSecond) {
        Timetable timetable = Timetable.ofArrivals(0, Rate.constant(perSecond));
        return LongStream.range(0, phase.toSeconds() * perSecond)
                .map(timetable::dueNanos)
                .boxed()
                .toList();
    }
}
