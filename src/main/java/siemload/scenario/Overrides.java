package siemload.scenario;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import siemload.config.Durations;
import siemload.config.Origin;
import siemload.config.Problems;
import siemload.config.Property;
import siemload.config.Setting;
import siemload.config.Settings;
import siemload.config.ValueType;
import siemload.config.YamlNode;
import siemload.query.SearchName;
import siemload.scenario.rate.ConstantRate;
import siemload.scenario.rate.Rate;

/**
 * Puts settings into the place of what a scenario of analysts says, before it is read.
 *
 * <ul>
 *   <li>{@code users} is the total over all closed groups, spread in proportion to the numbers in the file: each group
 *       gets its share rounded down, what is left goes to the largest fractions, then to the first; a group left with
 *       none gets one from the largest. Open groups keep their arrivals.
 *   <li>{@code tasks} is likewise the total over all groups that search by the clock.
 *   <li>{@code arrivals} is likewise the total over all open groups, whose arrivals must be constant.
 *   <li>{@code page} is the page size of every group that reads pages.
 *   <li>{@code thinkTime} is the mean of every group's think time; the distribution keeps its shape. Tasks have none.
 *   <li>{@code searches} takes all others out of every mix; each group must have one left. Users who narrow a search may
 *       still come to others.
 * </ul>
 */
record Overrides(YamlNode top, Settings settings, Problems problems) {
    private static final String FEEDER = "feeder";
    private static final String RATE = "rate";
    private static final String EPS = "eps";

    /** Those of groups, phases and objectives. */
    void ofAnalysts() {
        put(top.peek("phases"), "warmup", Property.WARMUP);
        put(top.peek("phases"), "measurement", Property.DURATION);
        settings.setting(Property.OBJECTIVES)
                .ifPresent(given -> top.put(
                        "objectives",
                        List.of(given.value().split(",", -1)).stream()
                                .map(String::strip)
                                .toList(),
                        given.origin()));
        List<YamlNode> groups = top.peek("analysts")
                .filter(YamlNode::isList)
                .map(YamlNode::elements)
                .orElse(List.of());
        spread(
                Property.USERS,
                groups,
                group -> GroupReader.load(group).equals("closed"),
                "a number of users (none has load: closed)");
        spread(
                Property.TASKS,
                groups,
                group -> GroupReader.load(group).equals("scheduled")
                        && group.peek("trend").isEmpty(),
                "tasks that search (none has load: scheduled and a mix)");
        arrive(groups);
        page(groups);
        groups.stream()
                .filter(group -> !GroupReader.load(group).equals("scheduled"))
                .forEach(group -> group.peek("thinkTime").ifPresent(this::thinkTime));
    }

    /** The feeder's rate is written as {@code eps} or as {@code rate}; the properties of these names take the place of both. */
    void ofFeeder() {
        Optional<Setting> constant = settings.setting(Property.EPS);
        Optional<Setting> changing = settings.setting(Property.RATE);
        if (constant.or(() -> changing)
                        .or(() -> settings.setting(Property.BATCH))
                        .isPresent()
                && top.peek(FEEDER).isEmpty()) {
            top.putStandard(FEEDER, "{eps: 0}");
        }
        put(top.peek(FEEDER), "batch", Property.BATCH);
        if (constant.isPresent() && changing.isPresent()) {
            problems.add(
                    constant.get().origin(),
                    "says the feeder's rate a second time, beside rate (leave one of them out)");
        } else if (constant.or(() -> changing).isPresent()) {
            top.peek(FEEDER).ifPresent(feeder -> feeder.remove(constant.isPresent() ? RATE : EPS));
            put(top.peek(FEEDER), EPS, Property.EPS);
            put(top.peek(FEEDER), RATE, Property.RATE);
        }
    }

    /** The data set that is asked. */
    void ofDataset() {
        put(Optional.of(top), "dataset", Property.DATASET);
    }

    private void put(Optional<YamlNode> parent, String key, Property<?> property) {
        settings.setting(property)
                .ifPresent(setting -> parent.filter(YamlNode::isMapping)
                        .ifPresent(mapping -> mapping.put(key, setting.value(), setting.origin())));
    }

    private void spread(Property<Integer> property, List<YamlNode> groups, Predicate<YamlNode> counted, String what) {
        Optional<Setting> given = settings.setting(property);
        if (given.isEmpty()) {
            return;
        }
        List<YamlNode> counting = groups.stream().filter(counted).toList();
        int total = settings.value(property);
        Origin origin = given.get().origin();
        if (counting.isEmpty()) {
            problems.add(origin, "no group of this scenario has " + what);
        } else if (total < counting.size()) {
            problems.add(
                    origin, total + " is too small for " + counting.size() + " groups (allowed: one a group or more)");
        } else {
            List<Integer> written = new ArrayList<>();
            counting.forEach(group ->
                    parsed(group.peek(property.name()), property.type()).ifPresent(written::add));
            List<Integer> spread = written.size() < counting.size() ? List.of() : UserSpread.of(total, written);
            for (int i = 0; i < spread.size(); i++) {
                counting.get(i).put(property.name(), spread.get(i).toString(), origin);
            }
        }
    }

    /** What is written wrong is told when it is read. */
    static <T> Optional<T> parsed(Optional<YamlNode> node, ValueType<T> type) {
        try {
            return node.map(value -> type.parse(value.written()));
        } catch (IllegalArgumentException toldLater) {
            return Optional.empty();
        }
    }

    private void arrive(List<YamlNode> groups) {
        Optional<Setting> given = settings.setting(Property.ARRIVALS);
        if (given.isEmpty()) {
            return;
        }
        Origin origin = given.get().origin();
        Map<YamlNode, Double> arrivals = new LinkedHashMap<>();
        for (YamlNode group : groups) {
            Optional<Rate> rate = GroupReader.load(group).equals("open")
                    ? parsed(group.peek("arrivals"), ScenarioReader.ARRIVALS)
                    : Optional.empty();
            if (rate.isPresent() && !(rate.get() instanceof ConstantRate)) {
                String name = group.peek("name").map(YamlNode::written).orElse("");
                problems.add(
                        origin,
                        "users of group " + name
                                + " arrive at a rate that changes with time (write a constant one, for example 2/s)");
                return;
            }
            rate.ifPresent(constant -> arrivals.put(group, ((ConstantRate) constant).perSecond()));
        }
        if (arrivals.isEmpty()) {
            problems.add(origin, "no group of this scenario has arrivals (none has load: open)");
        }
        double factor = settings.value(Property.ARRIVALS)
                / arrivals.values().stream().mapToDouble(Double::doubleValue).sum();
        arrivals.forEach(
                (group, perSecond) -> group.put("arrivals", new ConstantRate(perSecond * factor).toString(), origin));
    }

    private void page(List<YamlNode> groups) {
        List<YamlNode> pages = groups.stream()
                .flatMap(group -> group.peek("page").filter(YamlNode::isMapping).stream())
                .toList();
        pages.forEach(page -> put(Optional.of(page), "size", Property.PAGE));
        settings.setting(Property.PAGE)
                .filter(given -> pages.isEmpty())
                .ifPresent(
                        given -> problems.add(given.origin(), "no group of this scenario reads pages (leave it out)"));
    }

    private void thinkTime(YamlNode wait) {
        Optional<Setting> given = settings.setting(Property.THINK_TIME);
        String shape = wait.peek("distribution").map(YamlNode::written).orElse("");
        if (given.isEmpty() || shape.isEmpty()) {
            return;
        }
        Origin origin = given.get().origin();
        Duration mean = settings.value(Property.THINK_TIME);
        long min = nanos(wait.peek("min"));
        long max = nanos(wait.peek("max"));
        if (shape.equals("uniform") && max > 0) {
            double factor = 2.0 * mean.toNanos() / (min + max);
            wait.put("min", Durations.format(Duration.ofNanos(Math.round(min * factor))), origin);
            wait.put("max", Durations.format(Duration.ofNanos(Math.round(max * factor))), origin);
        } else {
            wait.put(shape.equals("exponential") ? "mean" : "value", given.get().value(), origin);
        }
    }

    private static long nanos(Optional<YamlNode> written) {
        return parsed(written, Property.THINK_TIME.type()).orElse(Duration.ZERO).toNanos();
    }

    /**
     * The groups that have something to do, with the searches that are kept. Groups with a trend that no task stores are left out; a
     * scenario of trends alone cannot do without.
     */
    List<AnalystGroup> kept(List<AnalystGroup> written, ValueLog log) {
        List<AnalystGroup> groups = written.stream()
                .filter(group -> !(group.load() instanceof LoadModel.Scheduled scheduled && scheduled.tasks() == 0))
                .toList();
        if (groups.isEmpty() && !written.isEmpty()) {
            String path = "analysts[" + written.get(0).name() + "].tasks";
            problems.add(log.origin(path), path + ": nothing is left to do without this group (allowed: 1 or more)");
        }
        List<SearchName> all = groups.stream()
                .filter(group -> !group.storesTrend())
                .flatMap(group -> group.searched().mix().possible().stream())
                .distinct()
                .sorted()
                .toList();
        List<SearchName> kept = SearchNames.kept(all, settings, problems);
        return groups.stream()
                .map(group ->
                        group.storesTrend() || settings.find(Property.SEARCHES).isEmpty()
                                ? group
                                : group.with(mix(group, kept, log)))
                .toList();
    }

    private Weights<SearchName> mix(AnalystGroup group, List<SearchName> kept, ValueLog log) {
        Setting given = settings.setting(Property.SEARCHES).orElseThrow();
        Map<SearchName, Double> left =
                new LinkedHashMap<>(group.searched().mix().weights());
        for (SearchName search : group.searched().mix().weights().keySet()) {
            if (!kept.contains(search)) {
                left.remove(search);
                log.put("analysts[" + group.name() + "].mix." + search, "0", given.origin());
            }
        }
        if (left.values().stream().anyMatch(weight -> weight > 0)) {
            return new Weights<>(left);
        }
        String allowed =
                group.searched().mix().possible().stream().map(SearchName::name).collect(Collectors.joining(", "));
        problems.add(given.origin(), "leaves nothing to group " + group.name() + " (allowed: " + allowed + ")");
        return group.searched().mix();
    }
}
