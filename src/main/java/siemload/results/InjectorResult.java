package siemload.results;

import java.util.List;

/**
 * What one injector of a run did, which are processes that each made a part of its load; figures are of the measured phase.
 * Immutable.
 *
 * @param injector its number, from 1
 * @param host the name of its machine
 * @param cpus that it might use there
 * @param searches that it asked
 * @param searchesRatio its share of all searches, 0 to 1
 * @param eventsAcknowledged that it fed, over the whole run
 * @param eventsRatio its share of all of them, 0 to 1
 * @param generator the CPU time of its process
 * @param clockUncertaintyMicros within which its clock is known to go with the database's, at the end of the run
 * @param startLatenessMicros how long after the agreed instant it began, by its own clock
 * @param searchLatenessMicros how late it got round to searches
 * @param eventLoopLatenessMicros how late the timers were that its users wait on
 * @param pauses of its process for its garbage collector
 * @param faults what it did wrong, so that the run means nothing; they are among those of the run
 */
public record InjectorResult(
        int injector,
        String host,
        int cpus,
        long searches,
        double searchesRatio,
        long eventsAcknowledged,
        double eventsRatio,
        RunResult.GeneratorResult generator,
        long clockUncertaintyMicros,
        long startLatenessMicros,
        MicrosSummary searchLatenessMicros,
        MicrosSummary eventLoopLatenessMicros,
        HostActivity.Pauses pauses,
        List<String> faults) {

    public InjectorResult {
        faults = List.copyOf(faults);
    }

    /** The same with these faults. */
    public InjectorResult with(List<String> others) {
        return new InjectorResult(
                injector,
                host,
                cpus,
                searches,
                searchesRatio,
                eventsAcknowledged,
                eventsRatio,
                generator,
                clockUncertaintyMicros,
                startLatenessMicros,
                searchLatenessMicros,
                eventLoopLatenessMicros,
                pauses,
                others);
    }

    /** The same with these shares of the whole. */
    public InjectorResult with(double ratioOfSearches, double ratioOfEvents) {
        return new InjectorResult(
                injector,
                host,
                cpus,
                searches,
                ratioOfSearches,
                eventsAcknowledged,
                ratioOfEvents,
                generator,
                clockUncertaintyMicros,
                startLatenessMicros,
                searchLatenessMicros,
                eventLoopLatenessMicros,
                pauses,
                faults);
    }

    /** How sentences begin that are about it. */
    public String title() {
        return "injector " + injector;
    }

    /**
     * Within which time all of them began, at most: by how late each began, and by how well each knew the database's clock; in
     * microseconds, 0 for fewer than two.
     */
    public static long startSkewMicros(List<InjectorResult> injectors) {
        if (injectors.size() < 2) {
            return 0;
        }
        long latest = injectors.stream()
                .mapToLong(one -> one.startLatenessMicros() + one.clockUncertaintyMicros())
                .max()
                .orElseThrow();
        long earliest = injectors.stream()
                .mapToLong(one -> one.startLatenessMicros() - one.clockUncertaintyMicros())
                .min()
                .orElseThrow();
        return latest - earliest;
    }
}
