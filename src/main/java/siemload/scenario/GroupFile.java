package siemload.scenario;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import siemload.config.YamlNode;
import siemload.config.YamlRecords;
import siemload.config.YamlRecords.Inline;
import siemload.config.YamlRecords.Key;
import siemload.config.YamlRecords.Misfit;
import siemload.query.Field;
import siemload.query.SearchName;
import siemload.scenario.AnalystGroup.Investigation;
import siemload.scenario.AnalystGroup.Searched;
import siemload.scenario.LoadModel.Scheduled;

/** Reads groups of a scenario, also those that have other keys than {@link AnalystGroup}, the users who search for events. Stateless. */
final class GroupFile {
    private GroupFile() {}

    /**
     * The group of this mapping; empty if it is not all good, which is noted.
     *
     * @param statements all that the scenario has; none where it searches for events
     */
    static Optional<AnalystGroup> read(YamlRecords records, YamlNode node, List<SearchName> statements) {
        boolean isScheduled = load(node).equals("scheduled");
        if (!statements.isEmpty()) {
            return isScheduled
                    ? records.record(node, AskingTasks.class).map(read -> read.group(statements))
                    : records.record(node, Asking.class).map(read -> read.group(statements));
        }
        if (!isScheduled) {
            return records.record(node, AnalystGroup.class);
        }
        return node.peek("trend").isPresent()
                ? records.record(node, Trends.class).map(Trends::group)
                : records.record(node, Tasks.class).map(Tasks::group);
    }

    /** As it is written. */
    static String load(YamlNode group) {
        return group.peek("load").map(YamlNode::written).orElse("closed");
    }

    static void requireDifferent(List<AnalystGroup> groups) {
        List<String> names = groups.stream().map(AnalystGroup::name).toList();
        for (int i = 0; i < names.size(); i++) {
            if (names.indexOf(names.get(i)) < i) {
                throw new Misfit(
                        "analysts." + i + ".name", "'" + names.get(i) + "' is the name of another group already");
            }
        }
    }

    /** They search for events by the clock. */
    record Tasks(
            @Key(allowed = "name") String name,
            @Inline LoadModel load,
            @Inline Searched searched,
            ResultReading page) {
        Tasks {
            searched.requireOrder(page);
            if (page instanceof ResultReading.Paged paged && paged.deeperRatio() + paged.lastPageRatio() > 0) {
                throw new Misfit(
                        "page", "has deeper or lastPage, but tasks read the first page alone (leave them out)");
            }
        }

        AnalystGroup group() {
            return AnalystGroup.ofTasks(name, load, searched, page);
        }
    }

    /** They have the database store a trend, of the same each time; none of them leave the group out. */
    record Trends(
            @Key(allowed = "name") String name,
            String load,
            @Key(allowed = "0 to 1000") int tasks,
            @Key(allowed = "1ms to 30d") Duration every,
            @Key(allowed = "0s to 1d", standard = "0s") Duration offset,
            @Key(standard = "together") Scheduled.Spread spread,
            Field trend,
            @Key(standard = "{1h: 1}") Weights<WindowLength> window) {
        AnalystGroup group() {
            LoadModel ticks = new Scheduled(tasks, every, offset, spread, Scheduled.Criteria.FIXED);
            return AnalystGroup.ofTasks(name, ticks, Searched.ofTrend(trend, window), new ResultReading.Whole());
        }
    }

    /** Users who ask one statement after the other, with a think time before each, unless more is said; all alike unless there is a mix. */
    record Asking(
            @Key(allowed = "name") String name,
            @Inline LoadModel load,
            Optional<Weights<SearchName>> mix,
            Optional<Investigation.Actions> actions,
            Distribution thinkTime,
            Optional<Distribution> pause,

            @Key(allowed = AnalystGroup.PATIENCE, standard = "10s")
            Duration patience,

            @Key(allowed = "1 to 1000", standard = "7") int maxRunning) {
        AnalystGroup group(List<SearchName> statements) {
            return new AnalystGroup(
                    name,
                    load,
                    new Investigation(
                            actions.orElse(new Investigation.Actions(1, 1)), thinkTime, pause.orElse(thinkTime)),
                    asked(mix, statements),
                    new ResultReading.Whole(),
                    0,
                    patience,
                    maxRunning);
        }
    }

    /** They ask statements by the clock. */
    record AskingTasks(
            @Key(allowed = "name") String name, @Inline LoadModel load, Optional<Weights<SearchName>> mix) {
        AnalystGroup group(List<SearchName> statements) {
            return AnalystGroup.ofTasks(name, load, asked(mix, statements), new ResultReading.Whole());
        }
    }

    private static Searched asked(Optional<Weights<SearchName>> mix, List<SearchName> statements) {
        Map<SearchName, Double> alike = new LinkedHashMap<>();
        statements.forEach(statement -> alike.put(statement, 1.0));
        return Searched.ofStatements(mix.orElseGet(() -> new Weights<>(alike)));
    }
}
