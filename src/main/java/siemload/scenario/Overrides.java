package siemload.scenario;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
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

    /** Those of groups, phases and objectives. */
    void ofAnalysts() {
        put(top.peek("phases"), "warmup", Property.WARMUP);
        put(top.peek("phases"), "measurement", Property.DURATION);
        settings.setting(Property.OBJECTIVES)
                .ifPresent(given -> top.put(
                        "objectives",
                        Stream.of(given.value().split(",", -1))
                                .map(String::strip)
                                .toList(),
                        given.origin()));
        spread(Property.USERS, groups("closed"), "a number of users (none has load: closed)");
        spread(
                Property.TASKS,
                groups("scheduled").stream()
                        .filter(group -> group.peek("trend").isEmpty())
                        .toList(),
                "tasks that search (none has load: scheduled and a mix)");
        arrive(groups("open"));
        List<YamlNode> pages = groups("").stream()
                .flatMap(group -> group.peek("page").filter(YamlNode::isMapping).stream())
                .toList();
        refuseWithout(Property.PAGE, pages, "no group of this scenario reads pages (leave it out)");
        pages.forEach(page -> put(Optional.of(page), "size", Property.PAGE));
        Stream.of("closed", "open")
                .flatMap(load -> groups(load).stream())
                .forEach(group -> group.peek("thinkTime").ifPresent(this::thinkTime));
    }

    /** Of the feeder, which need not be there. */
    void ofFeeder() {
        boolean isGiven = Stream.of(Property.EPS, Property.BATCH)
                .anyMatch(property -> settings.setting(property).isPresent());
        if (isGiven && top.peek("feeder").isEmpty()) {
            top.set(new Setting("feeder", "{eps: 0}", new Origin.Default()));
        }
        put(top.peek("feeder"), "batch", Property.BATCH);
        put(top.peek("feeder"), "eps", Property.EPS);
    }

    /** The data set that is asked. */
    void ofDataset() {
        put(Optional.of(top), "dataset", Property.DATASET);
    }

    /** Those with such a load; all of them where it is empty. */
    private List<YamlNode> groups(String load) {
        return top.peek("analysts").filter(YamlNode::isList).map(YamlNode::elements).orElse(List.of()).stream()
                .filter(group -> load.isEmpty() || GroupFile.load(group).equals(load))
                .toList();
    }

    private void put(Optional<YamlNode> parent, String key, Property<?> property) {
        settings.setting(property)
                .ifPresent(setting -> parent.filter(YamlNode::isMapping)
                        .ifPresent(mapping -> mapping.put(key, setting.value(), setting.origin())));
    }

    private void refuseWithout(Property<?> property, List<YamlNode> groups, String why) {
        settings.setting(property)
                .filter(given -> groups.isEmpty())
                .ifPresent(given -> problems.add(given.origin(), why));
    }

    private void spread(Property<Integer> property, List<YamlNode> groups, String what) {
        refuseWithout(property, groups, "no group of this scenario has " + what);
        int total = settings.find(property).orElse(0);
        if (total == 0 || groups.isEmpty()) {
            return;
        }
        Origin origin = settings.origin(property);
        if (total < groups.size()) {
            problems.add(
                    origin, total + " is too small for " + groups.size() + " groups (allowed: one a group or more)");
            return;
        }
        List<Integer> written = new ArrayList<>();
        groups.forEach(
                group -> parsed(group.peek(property.name()), property.type()).ifPresent(written::add));
        List<Integer> spread = written.size() < groups.size() ? List.of() : UserSpread.of(total, written);
        for (int i = 0; i < spread.size(); i++) {
            groups.get(i).put(property.name(), spread.get(i).toString(), origin);
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
        refuseWithout(Property.ARRIVALS, groups, "no group of this scenario has arrivals (none has load: open)");
        settings.find(Property.ARRIVALS).ifPresent(total -> {
            Origin origin = settings.origin(Property.ARRIVALS);
            Map<YamlNode, Double> arrivals = new LinkedHashMap<>();
            for (YamlNode group : groups) {
                Optional<Rate> rate = parsed(group.peek("arrivals"), ScenarioReader.ARRIVALS);
                if (rate.isPresent() && !(rate.get() instanceof ConstantRate)) {
                    problems.add(
                            origin,
                            "users of group "
                                    + group.peek("name").map(YamlNode::written).orElse("")
                                    + " arrive at a rate that changes with time (write a constant one, for example 2/s)");
                    return;
                }
                rate.ifPresent(constant -> arrivals.put(group, ((ConstantRate) constant).perSecond()));
            }
            double factor = total
                    / arrivals.values().stream()
                            .mapToDouble(Double::doubleValue)
                            .sum();
            arrivals.forEach((group, perSecond) ->
                    group.put("arrivals", new ConstantRate(perSecond * factor).toString(), origin));
        });
    }

    private void thinkTime(YamlNode wait) {
        String shape = wait.peek("distribution").map(YamlNode::written).orElse("");
        settings.find(Property.THINK_TIME).filter(mean -> !shape.isEmpty()).ifPresent(mean -> {
            Origin origin = settings.origin(Property.THINK_TIME);
            long min = nanos(wait.peek("min"));
            long max = nanos(wait.peek("max"));
            if (shape.equals("uniform") && max > 0) {
                double factor = 2.0 * mean.toNanos() / (min + max);
                wait.put("min", Durations.format(Duration.ofNanos(Math.round(min * factor))), origin);
                wait.put("max", Durations.format(Duration.ofNanos(Math.round(max * factor))), origin);
            } else {
                put(Optional.of(wait), shape.equals("exponential") ? "mean" : "value", Property.THINK_TIME);
            }
        });
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
        if (groups.isEmpty()) {
            String path = "analysts[" + written.get(0).name() + "].tasks";
            problems.add(log.origin(path), path + ": nothing is left to do without this group (allowed: 1 or more)");
        }
        List<SearchName> all = groups.stream()
                .filter(group -> !group.storesTrend())
                .flatMap(group -> group.searched().mix().possible().stream())
                .distinct()
                .sorted()
                .toList();
        SearchNames.check(all, settings, problems);
        return groups.stream()
                .map(group -> group.storesTrend() ? group : group.with(mix(group, log)))
                .toList();
    }

    private Weights<SearchName> mix(AnalystGroup group, ValueLog log) {
        Weights<SearchName> mix = group.searched().mix();
        Origin origin = settings.origin(Property.SEARCHES);
        Map<SearchName, Double> left = new LinkedHashMap<>(mix.weights());
        mix.weights().keySet().stream()
                .filter(search -> SearchNames.isLeftOut(search.name(), settings))
                .forEach(search -> {
                    left.remove(search);
                    log.put("analysts[" + group.name() + "].mix." + search, "0", origin);
                });
        if (left.values().stream().anyMatch(weight -> weight > 0)) {
            return new Weights<>(left);
        }
        problems.add(
                origin,
                "leaves nothing to group " + group.name() + " (allowed: "
                        + mix.possible().stream().map(SearchName::name).collect(Collectors.joining(", ")) + ")");
        return mix;
    }
}
