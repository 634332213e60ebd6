package siemload.scenario;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import siemload.config.Durations;
import siemload.config.Problems;
import siemload.config.Property;
import siemload.config.Setting;
import siemload.config.Settings;
import siemload.query.SearchName;
import siemload.scenario.rate.ConstantRate;

/**
 * Applies settings to the groups of a scenario.
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
record GroupOverrides(Settings settings, ValueLog log, Problems problems) {
    private static final int LARGEST_PAGE = 100_000;

    List<AnalystGroup> apply(List<AnalystGroup> written) {
        if (written.isEmpty()) {
            return written;
        }
        List<AnalystGroup> groups = withoutUnwantedTrends(written);
        List<LoadModel> loads = loads(groups);
        checkPages(groups);
        List<SearchName> kept = SearchNames.kept(allSearches(groups), settings, problems);
        List<AnalystGroup> changed = new ArrayList<>();
        for (int i = 0; i < groups.size(); i++) {
            AnalystGroup group = groups.get(i);
            changed.add(new AnalystGroup(
                    group.name(),
                    loads.get(i),
                    investigation(group),
                    searched(group, kept),
                    reading(group),
                    group.followUpRatio(),
                    group.patience(),
                    group.maxRunning()));
        }
        return changed;
    }

    /** All groups, but for those with a trend that no task stores; a scenario of trends alone cannot do without. */
    private List<AnalystGroup> withoutUnwantedTrends(List<AnalystGroup> groups) {
        List<AnalystGroup> wanted = groups.stream()
                .filter(group -> !(group.load() instanceof LoadModel.Scheduled scheduled && scheduled.tasks() == 0))
                .toList();
        if (wanted.isEmpty()) {
            String path = "analysts[" + groups.get(0).name() + "].tasks";
            problems.add(log.origin(path), path + ": nothing is left to do without this group (allowed: 1 or more)");
            return groups;
        }
        return wanted;
    }

    private AnalystGroup.Investigation investigation(AnalystGroup group) {
        AnalystGroup.Investigation written = group.investigation();
        if (group.load() instanceof LoadModel.Scheduled || group.load() instanceof LoadModel.Replayed) {
            return written;
        }
        return new AnalystGroup.Investigation(
                written.minActions(), written.maxActions(), thinkTime(group), written.pause());
    }

    private AnalystGroup.Searched searched(AnalystGroup group, List<SearchName> kept) {
        AnalystGroup.Searched written = group.searched();
        if (group.storesTrend()) {
            return written;
        }
        return new AnalystGroup.Searched(
                written.windows(), mix(group, kept), written.values(), written.orders(), written.listLength());
    }

    private List<LoadModel> loads(List<AnalystGroup> groups) {
        List<LoadModel> loads =
                new ArrayList<>(groups.stream().map(AnalystGroup::load).toList());
        spread(
                Property.USERS,
                "users",
                "a number of users (none has load: closed)",
                groups,
                loads,
                GroupOverrides::users);
        spread(
                Property.TASKS,
                "tasks",
                "tasks that search (none has load: scheduled and a mix)",
                groups,
                loads,
                GroupOverrides::tasks);
        arrive(groups, loads);
        return loads;
    }

    private void arrive(List<AnalystGroup> groups, List<LoadModel> loads) {
        Optional<Setting> given = settings.setting(Property.ARRIVALS);
        if (given.isEmpty()) {
            return;
        }
        Map<Integer, ConstantRate> arrivals = new LinkedHashMap<>();
        for (int i = 0; i < loads.size(); i++) {
            if (loads.get(i) instanceof LoadModel.Open open && open.arrivals() instanceof ConstantRate constant) {
                arrivals.put(i, constant);
            } else if (loads.get(i) instanceof LoadModel.Open) {
                problems.add(
                        given.get().origin(),
                        "users of group " + groups.get(i).name()
                                + " arrive at a rate that changes with time (write a constant one, for example 2/s)");
                return;
            }
        }
        if (arrivals.isEmpty()) {
            problems.add(given.get().origin(), "no group of this scenario has arrivals (none has load: open)");
            return;
        }
        double factor = settings.value(Property.ARRIVALS)
                / arrivals.values().stream()
                        .mapToDouble(ConstantRate::perSecond)
                        .sum();
        arrivals.forEach((group, written) -> {
            ConstantRate rate = new ConstantRate(written.perSecond() * factor);
            loads.set(group, new LoadModel.Open(rate));
            put(groups.get(group), Property.ARRIVALS.name(), rate.toString(), Property.ARRIVALS);
        });
    }

    /** A number of a group, and how the group's load model would be with another one. */
    private record Counted(int number, IntFunction<LoadModel> with) {}

    private static Optional<Counted> users(AnalystGroup group) {
        return group.load() instanceof LoadModel.Closed closed
                ? Optional.of(new Counted(closed.users(), LoadModel.Closed::new))
                : Optional.empty();
    }

    private static Optional<Counted> tasks(AnalystGroup group) {
        return group.storesTrend() ? Optional.empty() : scheduled(group);
    }

    private static Optional<Counted> scheduled(AnalystGroup group) {
        return group.load() instanceof LoadModel.Scheduled scheduled
                ? Optional.of(new Counted(scheduled.tasks(), scheduled::with))
                : Optional.empty();
    }

    private void spread(
            Property<Integer> property,
            String key,
            String what,
            List<AnalystGroup> groups,
            List<LoadModel> loads,
            Function<AnalystGroup, Optional<Counted>> counting) {
        Map<Integer, Counted> counted = new LinkedHashMap<>();
        for (int i = 0; i < loads.size(); i++) {
            int group = i;
            counting.apply(groups.get(i)).ifPresent(number -> counted.put(group, number));
        }
        Optional<Integer> total = settings.find(property);
        if (total.isEmpty() || !canSpread(property, what, total.get(), counted.size())) {
            return;
        }
        List<Integer> spread = UserSpread.of(
                total.get(), counted.values().stream().map(Counted::number).toList());
        int next = 0;
        for (Map.Entry<Integer, Counted> group : counted.entrySet()) {
            int number = spread.get(next++);
            loads.set(group.getKey(), group.getValue().with().apply(number));
            put(groups.get(group.getKey()), key, Integer.toString(number), property);
        }
    }

    private boolean canSpread(Property<Integer> property, String what, int total, int groups) {
        Setting given = settings.setting(property).orElseThrow();
        if (groups == 0) {
            problems.add(given.origin(), "no group of this scenario has " + what);
        } else if (total < groups) {
            problems.add(
                    given.origin(), total + " is too small for " + groups + " groups (allowed: one a group or more)");
        }
        return groups > 0 && total >= groups;
    }

    private void checkPages(List<AnalystGroup> groups) {
        boolean anyPaged = groups.stream().anyMatch(group -> group.reading() instanceof ResultReading.Paged);
        settings.setting(Property.PAGE)
                .filter(page -> !anyPaged)
                .ifPresent(page -> problems.add(page.origin(), "no group of this scenario reads pages (leave it out)"));
        settings.find(Property.PAGE)
                .filter(size -> anyPaged && size > LARGEST_PAGE)
                .ifPresent(size -> problems.add(
                        settings.origin(Property.PAGE), size + " is too large for analysts (allowed: 1 to 100000)"));
    }

    private static List<SearchName> allSearches(List<AnalystGroup> groups) {
        return groups.stream()
                .filter(group -> !group.storesTrend())
                .flatMap(group -> group.searched().mix().possible().stream())
                .distinct()
                .sorted()
                .toList();
    }

    private Weights<SearchName> mix(AnalystGroup group, List<SearchName> kept) {
        if (settings.find(Property.SEARCHES).isEmpty()) {
            return group.searched().mix();
        }
        Map<SearchName, Double> left = new LinkedHashMap<>();
        group.searched().mix().weights().forEach((search, weight) -> {
            if (kept.contains(search)) {
                left.put(search, weight);
            } else {
                put(group, "mix." + search, "0", Property.SEARCHES);
            }
        });
        if (left.values().stream().noneMatch(weight -> weight > 0)) {
            problems.add(
                    settings.origin(Property.SEARCHES),
                    "leaves nothing to group " + group.name() + " (allowed: "
                            + names(group.searched().mix().possible()) + ")");
            return group.searched().mix();
        }
        return new Weights<>(left);
    }

    private static String names(List<SearchName> searches) {
        return searches.stream().map(SearchName::name).collect(Collectors.joining(", "));
    }

    private ResultReading reading(AnalystGroup group) {
        Optional<Integer> size = settings.find(Property.PAGE);
        if (size.isPresent() && group.reading() instanceof ResultReading.Paged paged) {
            put(group, "page.size", Integer.toString(size.get()), Property.PAGE);
            return new ResultReading.Paged(size.get(), paged.deeperRatio(), paged.maximum(), paged.lastPageRatio());
        }
        return group.reading();
    }

    private Distribution thinkTime(AnalystGroup group) {
        return settings.find(Property.THINK_TIME)
                .map(mean -> withMean(group, mean))
                .orElse(group.investigation().thinkTime());
    }

    private Distribution withMean(AnalystGroup group, Duration mean) {
        if (group.investigation().thinkTime() instanceof Distribution.Exponential) {
            putWait(group, "mean", mean);
            return new Distribution.Exponential(mean);
        }
        if (group.investigation().thinkTime() instanceof Distribution.Uniform uniform
                && !uniform.max().isZero()) {
            Duration sum = uniform.min().plus(uniform.max());
            double factor = 2.0 * mean.toNanos() / sum.toNanos();
            Duration min = Duration.ofNanos(Math.round(uniform.min().toNanos() * factor));
            Duration max = Duration.ofNanos(Math.round(uniform.max().toNanos() * factor));
            putWait(group, "min", min);
            putWait(group, "max", max);
            return new Distribution.Uniform(min, max);
        }
        putWait(group, "value", mean);
        return new Distribution.Constant(mean);
    }

    private void putWait(AnalystGroup group, String key, Duration wait) {
        put(group, "thinkTime." + key, Durations.format(wait), Property.THINK_TIME);
    }

    private void put(AnalystGroup group, String key, String value, Property<?> property) {
        settings.setting(property)
                .ifPresent(setting -> log.put("analysts[" + group.name() + "]." + key, value, setting.origin()));
    }
}
