package siemload.results;

import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.stream.LongStream;

/**
 * What one injector of a run did, which are processes that each made a part of its load; figures are of the measured phase.
 * Immutable.
 *
 * @param injector its number, from 1
 * @param host the name of its machine
 * @param cpus that it might use there
 * @param searches that it asked
 * @param eventsAcknowledged that it fed, over the whole run
 * @param generator the CPU time of its process
 * @param clockUncertaintyMicros within which its clock is known to go with the database's, at the end of the run
 * @param startLatenessMicros how long after the instant on which all had agreed it began, by its own clock
 * @param searchLatenessMicros how late it got round to searches
 * @param pauses of its process for its garbage collector
 */
public record InjectorResult(
        int injector,
        String host,
        int cpus,
        long searches,
        long eventsAcknowledged,
        RunResult.GeneratorResult generator,
        long clockUncertaintyMicros,
        long startLatenessMicros,
        MicrosSummary searchLatenessMicros,
        HostActivity.Pauses pauses) {

    /** How sentences begin that are about it. */
    public String title() {
        return "injector " + injector;
    }

    /**
     * Within which time all of them began, at most: by how late each began, and by how well each knew the database's clock; in
     * microseconds, 0 for fewer than two.
     */
    public static long startSkewMicros(List<InjectorResult> injectors) {
        LongSummaryStatistics starts = injectors.stream()
                .flatMapToLong(one -> LongStream.of(
                        one.startLatenessMicros - one.clockUncertaintyMicros,
                        one.startLatenessMicros + one.clockUncertaintyMicros))
                .summaryStatistics();
        return injectors.size() < 2 ? 0 : starts.getMax() - starts.getMin();
    }
}
