package siemload.compare.capacity;

import java.math.BigDecimal;
import java.util.Optional;
import siemload.compare.capacity.CapacityPlan.Against;
import siemload.config.ConfigException;
import siemload.config.Origin;
import siemload.run.RunPlan;
import siemload.scenario.Feeder;
import siemload.scenario.LoadModel;
import siemload.scenario.Phases;
import siemload.scenario.rate.Rate;

/**
 * Between which loads of a scenario is searched, and where that begins. Immutable.
 *
 * @param plan the scenario as it is without the search
 */
record LoadBounds(RunPlan plan, VariedLoad varied) {
    /** Ten times doubled. */
    private static final double WIDEST = 1024;

    /** Values that were given. @throws ConfigException where one of them cannot be */
    static LoadRange between(Against against) {
        VariedLoad varied = against.varied();
        double smallest = varied == VariedLoad.EVENTS_PER_SECOND ? 0 : varied.smallest();
        for (double load : against.loads()) {
            if (!(load >= smallest && load <= varied.limit()) || varied.rounded(load) != load) {
                throw new ConfigException(
                        new Origin.Option("against"),
                        BigDecimal.valueOf(load).stripTrailingZeros().toPlainString() + " cannot be a number of "
                                + varied.unit() + " (allowed: "
                                + varied.numbers() + ", from " + VariedLoad.number(smallest) + " to "
                                + VariedLoad.number(varied.limit()) + ")");
            }
        }
        double least = against.loads().stream().min(Double::compare).orElseThrow();
        double most = against.loads().stream().max(Double::compare).orElseThrow();
        return new LoadRange(varied, least, least, most);
    }

    /** The range where nothing is said of it. */
    LoadRange range() {
        return range(Optional.empty(), Optional.empty(), Optional.empty());
    }

    /** @throws ConfigException where an end lies beyond another one, or beyond what can be run */
    LoadRange range(Optional<Double> least, Optional<Double> start, Optional<Double> most) {
        double begin = start.orElseGet(this::own);
        if (begin == 0) {
            throw new ConfigException(
                    new Origin.Option("start"),
                    "is missing: the scenario has no " + varied.unit() + " that could be doubled (give a number"
                            + (varied == VariedLoad.EVENTS_PER_SECOND ? ", for example 100)" : ", or another --vary)"));
        }
        double smallest = least.orElseGet(() -> Math.min(begin, smallest(begin)));
        double largest = most.orElseGet(() -> Math.min(varied.limit(), varied.rounded(begin * WIDEST)));
        double own = start.isPresent() ? begin : Math.min(largest, Math.max(smallest, begin));
        require("least", smallest, 0, largest);
        require("most", largest, smallest, varied.limit());
        require("start", own, smallest, largest);
        return new LoadRange(varied, smallest, own, largest);
    }

    private void require(String option, double load, double low, double high) {
        if (load <= 0 || load < low || load > high || varied.rounded(load) != load) {
            throw new ConfigException(
                    new Origin.Option(option),
                    VariedLoad.number(load) + " cannot be a number of " + varied.unit() + " here (allowed: "
                            + varied.numbers() + ", with --least <="
                            + " --start <= --most, above 0 and up to " + VariedLoad.number(varied.limit()) + ")");
        }
    }

    /** The load of the scenario; 0 where it has none. */
    private double own() {
        return switch (varied) {
            case USERS ->
                plan.scenario().analysts().stream()
                        .mapToDouble(group -> group.load() instanceof LoadModel.Closed closed ? closed.users() : 0)
                        .sum();
            case EVENTS_PER_SECOND ->
                varied.rounded(mean(plan.scenario().feeder().rate()));
            case ARRIVALS ->
                varied.rounded(plan.scenario().analysts().stream()
                        .mapToDouble(group -> group.load() instanceof LoadModel.Open open ? mean(open.arrivals()) : 0)
                        .sum());
        };
    }

    private double mean(Rate rate) {
        Phases phases = plan.scenario().phases();
        double begin = phases.warmup().toSeconds();
        return rate.isNone() ? 0 : rate.mean(begin, begin + phases.measurement().toSeconds());
    }

    /** One user a group; a batch of the feeder while measuring; of users who arrive so few that hardly any comes. */
    private double smallest(double begin) {
        return switch (varied) {
            case USERS ->
                plan.scenario().analysts().stream()
                        .filter(group -> group.load() instanceof LoadModel.Closed)
                        .count();
            case EVENTS_PER_SECOND -> {
                Feeder feeder = plan.scenario().feeder();
                yield Math.max(
                        1,
                        Math.ceil((double) feeder.batch()
                                / plan.scenario().phases().measurement().toSeconds()));
            }
            case ARRIVALS -> Math.max(0.001, varied.rounded(begin / WIDEST));
        };
    }
}
