package siemload.load;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import siemload.measure.LatencyRecorder;
import siemload.scenario.AnalystGroup;

/** The quotas of those groups that have one, in front of the workers. Thread-safe. */
final class GroupQuotas implements AutoCloseable {
    private final Map<String, GroupQuota> quotas = new LinkedHashMap<>();

    GroupQuotas(List<AnalystGroup> groups, LatencyRecorder recorder) {
        for (AnalystGroup group : groups) {
            int atOnce = group.quota().group();
            if (group.quota().isShared()) {
                recorder.quotas().expect(group.name(), atOnce);
                quotas.put(
                        group.name(),
                        new GroupQuota(atOnce, recorder, recorder.quotas().of(group.name()), System::nanoTime));
            }
        }
    }

    /** The way of a group's searches to these workers: straight, where it has no quota. */
    Admission admission(AnalystGroup group, Admission workers) {
        GroupQuota quota = quotas.get(group.name());
        return quota == null ? workers : quota.before(workers);
    }

    /** Whether no group has one. */
    boolean isEmpty() {
        return quotas.isEmpty();
    }

    /** How many searches wait for one. */
    int waiting() {
        return quotas.values().stream().mapToInt(GroupQuota::waiting).sum();
    }

    /** Nobody waits any more: see {@link GroupQuota#close}. */
    @Override
    public void close() {
        quotas.values().forEach(GroupQuota::close);
    }
}
