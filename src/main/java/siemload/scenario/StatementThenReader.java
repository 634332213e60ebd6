package siemload.scenario;

import java.util.ArrayList;
import java.util.List;
import siemload.config.YamlNode;
import siemload.scenario.replay.RecordedPlan;

/** Reads what stands under {@code then} of a statement. Stateless. */
final class StatementThenReader {
    private static final long MOST_MICROS = Long.MAX_VALUE / 1_000_000;

    private StatementThenReader() {}

    static StatementThen read(YamlNode node) {
        return new StatementThen(
                logged(node.required("micros")),
                node.optional("plans").map(StatementThenReader::plans).orElse(List.of()));
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
