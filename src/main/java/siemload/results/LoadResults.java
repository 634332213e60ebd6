package siemload.results;

import java.util.List;

/**
 * What is measured of kinds of load that not every scenario has. A list is empty where the run had nothing of its kind. Immutable.
 *
 * @param followUps of searches that followed one before them
 * @param schedules of tasks that search by the clock
 * @param retention of the oldest day, where it was removed meanwhile
 * @param replays of a query recording
 * @param learnt statements of a scenario that was learnt from a log, then and now, the most frequent first
 */
public record LoadResults(
        List<FollowUpTimes> followUps,
        List<ScheduleResult> schedules,
        List<RetentionResult> retention,
        List<ReplayResult> replays,
        List<ReplayedStatement> learnt) {
    /** Nothing of any kind. */
    public static final LoadResults NONE = new LoadResults(List.of(), List.of(), List.of(), List.of(), List.of());

    public LoadResults {
        followUps = List.copyOf(followUps);
        schedules = List.copyOf(schedules);
        retention = List.copyOf(retention);
        replays = List.copyOf(replays);
        learnt = List.copyOf(learnt);
    }
}
