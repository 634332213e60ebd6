package siemload.scenario;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import siemload.config.Durations;
import siemload.config.Problems;
import siemload.config.Property;
import siemload.config.Setting;
import siemload.config.Settings;

/**
 * Applies settings to the groups of a scenario.
 *
 * <ul>
 *   <li>{@code users} is the total over all closed groups, spread in proportion to the numbers in the file: each group
 *       gets its share rounded down, what is left goes to the largest fractions, then to the first; a group left with
 *       none gets one from the largest. Open groups keep their arrivals.
 *   <li>{@code page} is the page size of every group that reads pages.
 *   <li>{@code thinkTime} is the mean of every group's think time; the distribution keeps its shape.
 * </ul>
 */
final class GroupOverrides {
    private final Settings settings;
    private final ValueLog log;
    private final Problems problems;

    GroupOverrides(Settings settings, ValueLog log, Problems problems) {
        this.settings = settings;
        this.log = log;
        this.problems = problems;
    }

    List<AnalystGroup> apply(List<AnalystGroup> groups) {
        if (groups.isEmpty()) {
            return groups;
        }
        List<LoadModel> loads = loads(groups);
        checkPages(groups);
        List<AnalystGroup> changed = new ArrayList<>();
        for (int i = 0; i < groups.size(); i++) {
            AnalystGroup group = groups.get(i);
            changed.add(new AnalystGroup(
                    group.name(),
                    loads.get(i),
                    group.minActions(),
                    group.maxActions(),
                    thinkTime(group),
                    group.pause(),
                    group.windows(),
                    group.mix(),
                    group.values(),
                    group.orders(),
                    group.listLength(),
                    reading(group),
                    group.followUpRatio(),
                    group.patience(),
                    group.maxRunning()));
        }
        return changed;
    }

    private List<LoadModel> loads(List<AnalystGroup> groups) {
        List<LoadModel> loads =
                new ArrayList<>(groups.stream().map(AnalystGroup::load).toList());
        Optional<Integer> total = settings.find(Property.USERS);
        List<Integer> closed = new ArrayList<>();
        List<Integer> written = new ArrayList<>();
        for (int i = 0; i < loads.size(); i++) {
            if (loads.get(i) instanceof LoadModel.Closed users) {
                closed.add(i);
                written.add(users.users());
            }
        }
        if (total.isPresent() && canSpread(total.get(), closed.size())) {
            List<Integer> spread = UserSpread.of(total.get(), written);
            for (int i = 0; i < spread.size(); i++) {
                loads.set(closed.get(i), new LoadModel.Closed(spread.get(i)));
                put(groups.get(closed.get(i)), "users", Integer.toString(spread.get(i)), Property.USERS);
            }
        }
        return loads;
    }

    private boolean canSpread(int total, int closedGroups) {
        Setting users = settings.setting(Property.USERS).orElseThrow();
        if (closedGroups == 0) {
            problems.add(users.origin(), "no group of this scenario has a number of users (all are open)");
        } else if (total < closedGroups) {
            problems.add(
                    users.origin(),
                    total + " is too small for " + closedGroups + " groups (allowed: one a group or more)");
        }
        return closedGroups > 0 && total >= closedGroups;
    }

    private void checkPages(List<AnalystGroup> groups) {
        boolean anyPaged = groups.stream().anyMatch(group -> group.reading() instanceof Reading.Paged);
        settings.setting(Property.PAGE)
                .filter(page -> !anyPaged)
                .ifPresent(page -> problems.add(page.origin(), "no group of this scenario reads pages (leave it out)"));
    }

    private Reading reading(AnalystGroup group) {
        Optional<Integer> size = settings.find(Property.PAGE);
        if (size.isPresent() && group.reading() instanceof Reading.Paged paged) {
            put(group, "page.size", Integer.toString(size.get()), Property.PAGE);
            return new Reading.Paged(size.get(), paged.deeperRatio(), paged.maximum(), paged.lastPageRatio());
        }
        return group.reading();
    }

    private Distribution thinkTime(AnalystGroup group) {
        return settings.find(Property.THINK_TIME)
                .map(mean -> withMean(group, mean))
                .orElse(group.thinkTime());
    }

    private Distribution withMean(AnalystGroup group, Duration mean) {
        if (group.thinkTime() instanceof Distribution.Exponential) {
            putWait(group, "mean", mean);
            return new Distribution.Exponential(mean);
        }
        if (group.thinkTime() instanceof Distribution.Uniform uniform
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
