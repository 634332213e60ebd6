package siemload.compare.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import siemload.compare.experiment.Comparison;
import siemload.compare.experiment.Comparison.PairVerdict;
import siemload.compare.experiment.GateResult;
import siemload.compare.experiment.GateRules;
import siemload.compare.statistics.Verdict;
import siemload.results.report.JunitSuite;
import siemload.results.report.JunitSuite.Case;

/**
 * A gate as JUnit XML: whether the night can be trusted, whether the baseline is the same as itself, whether facts are
 * unchanged, and each metric are test cases, so that a CI server says what went wrong. Stateless and thread-safe.
 */
public final class GateJunit {

    private GateJunit() {}

    /** The whole document, ending with a line break. */
    public static String of(GateResult gate) {
        List<Case> cases = new ArrayList<>();
        boolean invalid = gate.outcome() == GateResult.Outcome.INVALID
                || !gate.blocks().areComplete()
                || !gate.paired().found().differences().isEmpty();
        cases.add(verdict("the runs can be trusted", !invalid, "INVALID", String.join("\n", gate.reasons())));
        boolean noisy = gate.outcome() == GateResult.Outcome.HOST_TOO_NOISY
                || gate.compared().control().stream()
                        .anyMatch(verdict -> verdict.decision().verdict().isDifference());
        cases.add(verdict(
                "the baseline is the same as itself", !noisy, "HOST TOO NOISY", String.join("\n", gate.reasons())));
        cases.add(facts(gate));
        List<String> saturated = GateRules.saturationRegression(gate.paired());
        cases.add(verdict(
                "the candidate keeps up where the baseline does",
                saturated.isEmpty() || invalid || noisy,
                "SATURATED",
                String.join("\n", saturated)));
        for (PairVerdict verdict : gate.compared().verdicts()) {
            boolean worse = verdict.decision().verdict() == Verdict.WORSE && !invalid && !noisy;
            cases.add(verdict(verdict.subject() + " " + verdict.metric(), !worse, "REGRESSION", verdict.sentence()));
        }
        return new JunitSuite(
                        "siemload.gate." + gate.name(),
                        gate.startedAt(),
                        seconds(gate.paired()),
                        properties(gate),
                        cases)
                .toXml();
    }

    /** Those of certificates; of statements, which have none, what both sides answered. */
    private static Case facts(GateResult gate) {
        List<Comparison.Answers> held = gate.paired().answers();
        if (held.isEmpty()) {
            List<String> changes = gate.facts().exact().stream()
                    .map(GateResult.ExactChange::sentence)
                    .toList();
            return verdict(
                    "facts without noise are unchanged", changes.isEmpty(), "CHANGED", String.join("\n", changes));
        }
        List<String> unequal = held.stream()
                .map(Comparison.Answers::sentence)
                .filter(gate.reasons()::contains)
                .toList();
        return verdict("both sides answered alike", unequal.isEmpty(), "CHANGED", String.join("\n", unequal));
    }

    /** The document of a gate that ended before anything could be decided. */
    public static String brokenDown(String scenario, String startedAt, String why) {
        return new JunitSuite(
                        "siemload.gate." + scenario,
                        startedAt,
                        0,
                        Map.of(),
                        List.of(new Case("the runs can be made", "BROKE DOWN", why)))
                .toXml();
    }

    private static Case verdict(String name, boolean passed, String type, String text) {
        return passed ? Case.passed(name) : new Case(name, type, text);
    }

    private static Map<String, String> properties(GateResult gate) {
        Map<String, String> properties = new LinkedHashMap<>();
        gate.paired()
                .experiment()
                .variants()
                .forEach(cell -> properties.put(cell.label(), cell.settings().toString()));
        properties.put("pairs", gate.blocks().words());
        return properties;
    }

    private static double seconds(Comparison paired) {
        return paired.runs().stream().mapToDouble(Comparison.Run::seconds).sum();
    }
}
