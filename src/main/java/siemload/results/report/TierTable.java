package siemload.results.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import siemload.results.StepRecord;
import siemload.results.report.Table.Side;

/** What tiers of deployment ask of servers, and which of them was reached. Stateless and thread-safe. */
final class TierTable {
    private static final String TIER = "tier";
    private static final List<String> TITLES = List.of(
            TIER, "GB/day", "KB/s", "EPS", "KB/s peak", "EPS peak", "days", "disk GB", "servers", "needed", "reached");
    /** What the titles say, in two lines. */
    static final List<String> LEGEND = List.of(
            "KB/s, EPS: asked of all servers together, on average and at the peak; disk: tables and indexes of all days that are kept",
            "servers: those of the tier; needed for the peak: servers like the slowest one here, at the rate of this short run");

    private TierTable() {}

    /** Those of these steps that tell of no tier. */
    static List<StepRecord> others(List<StepRecord> steps) {
        return steps.stream().filter(step -> !isTier(step)).toList();
    }

    private static boolean isTier(StepRecord step) {
        return step.facts().containsKey(TIER);
    }

    /** The titles, and then a row for each tier; empty where none is told of. */
    static List<List<String>> rows(List<StepRecord> steps) {
        List<List<String>> rows = new ArrayList<>(
                steps.stream().filter(TierTable::isTier).map(TierTable::row).toList());
        if (!rows.isEmpty()) {
            rows.add(0, TITLES);
        }
        return rows;
    }

    private static List<String> row(StepRecord step) {
        Map<String, String> facts = step.facts();
        return List.of(
                facts.getOrDefault(TIER, ""),
                shown(step, "gigabytesPerDay"),
                shown(step, "averageKilobytesPerSecond"),
                shown(step, "averageEventsPerSecond"),
                shown(step, "peakKilobytesPerSecond"),
                shown(step, "peakEventsPerSecond"),
                shown(step, "retainedDays"),
                shown(step, "diskGigabytes"),
                facts.getOrDefault("tierServers", ""),
                shown(step, "serversNeeded"),
                facts.getOrDefault("reached", ""));
    }

    private static String shown(StepRecord step, String figure) {
        Double value = step.figures().get(figure);
        return value == null ? ServerTable.MISSING : String.format(Locale.ROOT, "%,.0f", value);
    }

    /** The table for a terminal; empty without tiers. */
    static String text(List<StepRecord> steps) {
        return Table.text(rows(steps), Side.LEFT, LEGEND);
    }
}
