package siemload.scenario;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import siemload.config.YamlNode;
import siemload.scenario.replay.RecordedPlan;

/** Reads what stands under {@code then} of a statement. Stateless. */
final class StatementThenReader {
    private static final long MOST_MICROS = Long.MAX_VALUE / 1_000_000;

    private StatementThenReader() {}

    static StatementThen read(YamlNode node) {
        Optional<YamlNode> counted = node.optional("counted");
        Optional<YamlNode> plans = node.optional("plans");
        if (counted.isEmpty()) {
            return new StatementThen(
                    logged(node.required("micros")),
                    plans.map(StatementThenReader::plans).orElse(List.of()));
        }
        plans.ifPresent(given -> given.problem("stands beside 'counted' (leave it out: counts have no plans)"));
        node.optional("micros")
                .ifPresent(given ->
                        given.problem("stands beside 'counted' (leave one of them out: times are those of a log,"
                                + " or of counts)"));
        return new StatementThen(counted(counted.get()), List.of());
    }

    private static StatementThen.Counted counted(YamlNode times) {
        return new StatementThen.Counted(
                times.required("calls").wholeNumber(1L, Long.MAX_VALUE),
                times.required("mean").number(0, MOST_MICROS),
                ifKnown(times, "stddev"),
                ifKnown(times, "min"),
                ifKnown(times, "max"));
    }

    private static OptionalDouble ifKnown(YamlNode times, String figure) {
        Optional<YamlNode> known = times.optional(figure);
        return known.isPresent() ? OptionalDouble.of(known.get().number(0, MOST_MICROS)) : OptionalDouble.empty();
    }

    private static StatementThen.Logged logged(YamlNode times) {
        return new StatementThen.Logged(
                micros(times, "min"),
                times.required("mean").number(0, MOST_MICROS),
                micros(times, "p50"),
                micros(times, "p90"),
                micros(times, "p95"),
                micros(times, "p99"),
                micros(times, "p999"),
                micros(times, "max"));
    }

    private static long micros(YamlNode times, String figure) {
        return times.required(figure).wholeNumber(0L, MOST_MICROS);
    }

    private static List<RecordedPlan> plans(YamlNode node) {
        List<RecordedPlan> plans = new ArrayList<>();
        for (YamlNode plan : node.elements()) {
            plans.add(new RecordedPlan(
                    plan.required("shape").text(), plan.required("count").wholeNumber(1L, Long.MAX_VALUE), ""));
        }
        if (plans.size() > RecordedPlan.MOST) {
            node.problem("has " + plans.size() + " plans (allowed: at most " + RecordedPlan.MOST + ")");
        }
        return plans;
    }
}
