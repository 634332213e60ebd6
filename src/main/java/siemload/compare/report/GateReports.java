package siemload.compare.report;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import siemload.compare.experiment.Comparison;
import siemload.compare.experiment.Comparison.PairVerdict;
import siemload.compare.experiment.GateResult;
import siemload.compare.experiment.GateRules;
import siemload.compare.experiment.Metric;
import siemload.compare.statistics.Decision.Verdict;
import siemload.results.report.JunitSuite;
import siemload.results.report.JunitSuite.Case;
import siemload.results.report.Report;
import siemload.results.report.Report.Level;
import siemload.results.report.Report.Line;
import siemload.results.report.Report.Lines;
import siemload.results.report.Report.Prose;
import siemload.results.report.Table;

/** What a gate decided, and why: for a terminal, for the page of a CI job, and for its list of tests. Stateless and thread-safe. */
public final class GateReports {
    private GateReports() {}

    /** What a terminal shows, line by line. */
    public static List<String> text(GateResult gate) {
        Lines head = new Lines("", "", List.of(new Line("gate " + gate.name(), headline(gate))));
        return report(gate, head).text(Level.SUMMARY).lines().toList();
    }

    /** As Markdown: what was decided, and why, first; it ends with a line break. */
    public static String markdown(GateResult gate) {
        return "## siemload gate: " + Report.escaped(gate.name()) + ": " + headline(gate) + "\n\n"
                + report(gate, new Prose("")).markdown(Level.TEXT);
    }

    private static Report report(GateResult gate, Report.Block head) {
        List<Line> lines = new ArrayList<>();
        Set<String> inTheTable = new HashSet<>();
        Stream.concat(gate.verdicts().stream(), gate.control().stream())
                .map(PairVerdict::sentence)
                .forEach(sentence -> {
                    inTheTable.add(sentence);
                    inTheTable.add(GateResult.differsFromItself(sentence));
                });
        gate.reasons().stream()
                .filter(reason -> !inTheTable.contains(reason))
                .forEach(reason -> lines.add(new Line("", "  " + reason)));
        // What both sides answered to statements, where that is no reason.
        gate.paired().answers().stream()
                .filter(held -> !held.candidate().equals(GateRules.CONTROL))
                .map(Comparison.Answers::sentence)
                .filter(sentence -> !gate.reasons().contains(sentence))
                .forEach(sentence -> lines.add(new Line("", "  " + sentence)));
        gate.tolerated().forEach(change -> lines.add(new Line("  meant", change.sentence())));
        List<Line> sides = new ArrayList<>();
        properties(gate).forEach((name, words) -> sides.add(new Line(name, words)));
        return new Report()
                .section("gate", "")
                .add(Level.SUMMARY, head, new Lines("", "", lines), verdicts(gate))
                .add(
                        Level.TEXT,
                        new Lines("", "", sides),
                        Lines.of(
                                "Facts that differ between two runs of the baseline, so that they say nothing",
                                "",
                                gate.unsteady()),
                        Lines.of("Not compared", "", gate.leftOut()));
    }

    private static Table verdicts(GateResult gate) {
        VerdictTable verdicts = VerdictTable.of(gate.verdicts());
        Table table = Table.titled("search", "<metric", "ratio", "<95 % interval", "<baseline to itself", "<verdict")
                .intro("candidate to baseline, of times and amounts below 1 is better:")
                .note(verdicts.footnotes());
        for (VerdictTable.Row row : verdicts.rows()) {
            String itself = "";
            for (PairVerdict control : gate.control()) {
                if (control.subject().equals(row.subject())
                        && new Metric(control.metric()).words().equals(row.metric())) {
                    itself = VerdictTable.bounds(control.decision().ratio())
                            + (control.decision().verdict().isDifference() ? " differs" : "");
                }
            }
            table.row(row.subject(), row.metric(), row.ratio(), row.interval(), itself, row.numbered());
        }
        return table;
    }

    private static String headline(GateResult gate) {
        return switch (gate.outcome()) {
            case PASSED -> "passed, no regression was decided";
            case REGRESSION -> "REGRESSION";
            case HOST_TOO_NOISY -> "the host is too noisy to say";
            case INVALID -> "INVALID, nothing can be decided";
        };
    }

    /**
     * As JUnit XML: whether the night can be trusted, whether the baseline is the same as itself, whether facts are unchanged, and each
     * metric are test cases, so that a CI server says what went wrong.
     */
    public static String junit(GateResult gate) {
        List<Case> cases = new ArrayList<>();
        String why = String.join("\n", gate.reasons());
        boolean invalid = gate.outcome() == GateResult.Outcome.INVALID
                || gate.blocksValid() < gate.blocksWanted()
                || !gate.paired().differences().isEmpty();
        cases.add(Case.of("the runs can be trusted", !invalid, "INVALID", why));
        boolean noisy = gate.outcome() == GateResult.Outcome.HOST_TOO_NOISY
                || gate.control().stream()
                        .anyMatch(verdict -> verdict.decision().verdict().isDifference());
        cases.add(Case.of("the baseline is the same as itself", !noisy, "HOST TOO NOISY", why));
        cases.add(facts(gate));
        List<String> saturated = gate.reasons().stream()
                .filter(reason -> reason.startsWith(GateRules.SATURATED))
                .toList();
        cases.add(Case.of(
                "the candidate keeps up where the baseline does",
                saturated.isEmpty() || invalid || noisy,
                "SATURATED",
                String.join("\n", saturated)));
        for (PairVerdict verdict : gate.verdicts()) {
            boolean worse = verdict.decision().verdict() == Verdict.WORSE && !invalid && !noisy;
            cases.add(Case.of(verdict.subject() + " " + verdict.metric(), !worse, "REGRESSION", verdict.sentence()));
        }
        return new JunitSuite(
                        "siemload.gate." + gate.name(),
                        gate.startedAt(),
                        gate.paired().runs().stream()
                                .mapToDouble(Comparison.Run::seconds)
                                .sum(),
                        properties(gate),
                        cases)
                .toXml();
    }

    /** Those of certificates; of statements, which have none, what both sides answered. */
    private static Case facts(GateResult gate) {
        List<Comparison.Answers> held = gate.paired().answers();
        List<String> changes = held.isEmpty()
                ? gate.exact().stream().map(GateResult.ExactChange::sentence).toList()
                : held.stream()
                        .map(Comparison.Answers::sentence)
                        .filter(gate.reasons()::contains)
                        .toList();
        return Case.of(
                held.isEmpty() ? "facts without noise are unchanged" : "both sides answered alike",
                changes.isEmpty(),
                "CHANGED",
                String.join("\n", changes));
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

    private static Map<String, String> properties(GateResult gate) {
        Map<String, String> properties = new LinkedHashMap<>();
        gate.paired()
                .experiment()
                .variants()
                .forEach(cell -> properties.put(cell.label(), cell.settings().toString()));
        properties.put("pairs", gate.blocksValid() + " of " + gate.blocksWanted());
        return properties;
    }
}
