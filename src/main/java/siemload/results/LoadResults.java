package siemload.results;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is measured of kinds of load that not every scenario has. A list is empty where the run had nothing of its kind, and in results
 * of versions that did not know it, which lack its key. Immutable.
 *
 * @param followUps of searches that followed one before them
 * @param schedules of tasks that search by the clock
 * @param retention of the oldest day, where it was removed meanwhile
 * @param quotas of groups whose users share one
 * @param replays of a query recording
 * @param learnt statements of a scenario that was learnt from a log, then and now, the most frequent first
 */
public record LoadResults(
        @Nullable List<FollowUpTimes> followUps,
        @Nullable List<ScheduleResult> schedules,
        @Nullable List<RetentionResult> retention,
        @Nullable List<QuotaResult> quotas,
        @Nullable List<ReplayResult> replays,
        @Nullable List<ReplayedStatement> learnt) {
    /** Nothing of any kind. */
    public static final LoadResults NONE = new LoadResults(null, null, null, null, null, null);

    public LoadResults {
        followUps = orNone(followUps);
        schedules = orNone(schedules);
        retention = orNone(retention);
        quotas = orNone(quotas);
        replays = orNone(replays);
        learnt = orNone(learnt);
    }

    private static <T> List<T> orNone(@Nullable List<T> list) {
        return list == null ? List.of() : List.copyOf(list);
    }

    @Override
    public List<FollowUpTimes> followUps() {
        return orNone(followUps);
    }

    @Override
    public List<ScheduleResult> schedules() {
        return orNone(schedules);
    }

    @Override
    public List<RetentionResult> retention() {
        return orNone(retention);
    }

    @Override
    public List<QuotaResult> quotas() {
        return orNone(quotas);
    }

    @Override
    public List<ReplayResult> replays() {
        return orNone(replays);
    }

    @Override
    public List<ReplayedStatement> learnt() {
        return orNone(learnt);
    }
}
