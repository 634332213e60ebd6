package siemload.scenario;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.function.BiFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import siemload.config.Choices;
import siemload.config.Origin;
import siemload.config.Problems;
import siemload.config.Property;
import siemload.config.Setting;
import siemload.config.Settings;
import siemload.config.ValueType;
import siemload.config.YamlNode;
import siemload.query.SearchName;
import siemload.scenario.rate.Rate;

/**
 * Puts settings into the place of what a scenario of analysts says, before it is read.
 *
 * <ul>
 *   <li>{@code users} is the total over all closed groups, spread in proportion to the numbers in the file: each group
 *       gets its share rounded down, what is left goes to the largest fractions, then to the first; a group left with
 *       none gets one from the largest. Open groups keep their arrivals.
 *   <li>{@code arrivals} is likewise the total over all open groups, whose arrivals must be constant.
 *   <li>{@code searches} takes the weight of all others in every mix; each group must have one left. Users who narrow a search
 *       may still come to others.
 * </ul>
 */
record Overrides(YamlNode top, Settings settings, Problems problems) {

    /** Those of values by their path. The feeder of analysts that they, or {@code eps}, speak of need not be there. */
    void byPath() {
        if (top.peek("analysts").isPresent()
                && Stream.of("feeder", "procedure", "replay", "statements")
                        .allMatch(key -> top.peek(key).isEmpty())) {
            top.set(new Setting("feeder", "{eps: 0}", new Origin.Default()));
        }
        settings.ofScenario().forEach(top::set);
    }

    /** Those of groups, phases and the feeder. */
    void ofAnalysts() {
        put("feeder", "eps", Property.EPS);
        put("phases", "warmup", Property.WARMUP);
        put("phases", "measurement", Property.DURATION);
        settings.find(Property.USERS)
                .ifPresent(total -> share(
                        Property.USERS,
                        "closed",
                        "a number of users",
                        Property.USERS.type(),
                        (groups, of) -> spread(total, of)));
        settings.find(Property.ARRIVALS)
                .ifPresent(total -> share(
                        Property.ARRIVALS,
                        "open",
                        "arrivals",
                        ScenarioReader.ARRIVALS,
                        (groups, of) -> arrivals(total, groups, of)));
        settings.setting(Property.SEARCHES).ifPresent(given -> groups().forEach(group -> keep(group, given)));
    }

    private void put(String parent, String key, Property<?> property) {
        settings.setting(property)
                .ifPresent(setting -> top.peek(parent)
                        .filter(YamlNode::isMapping)
                        .ifPresent(mapping -> mapping.put(key, setting.value(), setting.origin())));
    }

    private Stream<YamlNode> groups() {
        return top.peek("analysts").filter(YamlNode::isList).map(YamlNode::elements).stream()
                .flatMap(List::stream);
    }

    /** How a group's load is written. */
    static String load(YamlNode group) {
        return group.peek("load").map(YamlNode::written).orElse("closed");
    }

    /** @param shares of groups, by what is written; of none where that is wrong, which is told when it is read */
    private <T> void share(
            Property<?> property,
            String load,
            String what,
            ValueType<T> type,
            BiFunction<List<YamlNode>, List<T>, List<?>> shares) {
        Origin origin = settings.origin(property);
        List<YamlNode> groups =
                groups().filter(group -> load(group).equals(load)).toList();
        List<T> written = groups.stream()
                .flatMap(group -> type.tryParse(written(group, property.name())).stream())
                .toList();
        if (groups.isEmpty()) {
            problems.add(origin, "no group of this scenario has " + what + " (none has load: " + load + ")");
        } else if (written.size() == groups.size()) {
            problems.collect(origin, () -> shares.apply(groups, written)).ifPresent(each -> {
                for (int i = 0; i < each.size(); i++) {
                    groups.get(i).put(property.name(), each.get(i).toString(), origin);
                }
            });
        }
    }

    private static List<Rate> arrivals(double total, List<YamlNode> groups, List<Rate> written) {
        for (Rate rate : written) {
            if (!rate.isConstant()) {
                String name = written(groups.get(written.indexOf(rate)), "name");
                throw new IllegalArgumentException(
                        "users of group " + name + " arrive at a rate that changes with time, " + rate
                                + " (write a constant one, for example 2/s)");
            }
        }
        double factor =
                total / written.stream().mapToDouble(rate -> rate.mean(0, 1)).sum();
        return written.stream()
                .map(rate -> Rate.constant(rate.mean(0, 1) * factor))
                .toList();
    }

    private static String written(YamlNode group, String key) {
        return group.peek(key).map(YamlNode::written).orElse("");
    }

    /**
     * A total spread in proportion to these numbers, by largest remainders: in their order, each at least 1.
     *
     * @param written at least one, each 1 or more
     * @throws IllegalArgumentException if there are more numbers than the total
     */
    static List<Integer> spread(int total, List<Integer> written) {
        if (total < written.size()) {
            throw new IllegalArgumentException(
                    total + " is too small for " + written.size() + " groups (allowed: one a group or more)");
        }
        long sum = written.stream().mapToLong(Integer::longValue).sum();
        List<Integer> spread = new ArrayList<>();
        written.forEach(users -> spread.add((int) ((long) total * users / sum)));
        int left = total - spread.stream().mapToInt(Integer::intValue).sum();
        IntStream.range(0, written.size())
                .boxed()
                .sorted(Comparator.comparing(group -> -((long) total * written.get(group) % sum)))
                .limit(left)
                .forEach(group -> spread.set(group, spread.get(group) + 1));
        for (int empty = spread.indexOf(0); empty >= 0; empty = spread.indexOf(0)) {
            int largest = spread.indexOf(Collections.max(spread));
            spread.set(largest, spread.get(largest) - 1);
            spread.set(empty, 1);
        }
        return spread;
    }

    private void keep(YamlNode group, Setting given) {
        group.peek("mix").filter(YamlNode::isMapping).ifPresent(mix -> {
            List<String> all = List.copyOf(mix.entries().keySet());
            // A wrong weight is told when it is read, and so is that there is none above 0.
            List<String> names = all.stream()
                    .filter(name ->
                            ScenarioReader.WEIGHT.tryParse(written(mix, name)).orElse(1.0) > 0)
                    .toList();
            if (!names.isEmpty() && names.stream().allMatch(this::isLeftOut)) {
                String help = Choices.names(names).help(given.value());
                problems.add(given.origin(), "leaves nothing to group " + written(group, "name") + " (" + help + ")");
            } else {
                all.stream().filter(this::isLeftOut).forEach(left -> mix.put(left, "0", given.origin()));
            }
        });
    }

    /** Those that {@code searches} keeps; all of them unless it is given. What it names that is none of them is noted. */
    List<SearchName> kept(List<SearchName> all) {
        Choices<SearchName> known = SearchName.choices(all);
        settings.setting(Property.SEARCHES)
                .ifPresent(given -> names(given.value())
                        .filter(name -> known.find(name).isEmpty())
                        .forEach(name -> problems.add(
                                given.origin(),
                                "'" + name + "' is not a search of this scenario (" + known.help(name)
                                        + ", separated by commas)")));
        List<SearchName> kept =
                all.stream().filter(search -> !isLeftOut(search.name())).toList();
        return kept.isEmpty() ? all : kept;
    }

    /** Whether {@code searches} is given and does not keep what has this name. */
    boolean isLeftOut(String name) {
        return settings.find(Property.SEARCHES)
                .filter(kept -> names(kept).noneMatch(name::equals))
                .isPresent();
    }

    private static Stream<String> names(String kept) {
        return Stream.of(kept.split(",", -1)).map(String::strip);
    }
}
