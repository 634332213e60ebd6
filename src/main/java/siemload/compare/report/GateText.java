package siemload.compare.report;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import siemload.compare.experiment.Comparison;
import siemload.compare.experiment.Comparison.PairVerdict;
import siemload.compare.experiment.GateResult;
import siemload.compare.experiment.GateRules;
import siemload.compare.report.VerdictTable.Row;
import siemload.results.report.Table;
import siemload.results.report.Table.Side;

/** What a gate says on the terminal. Stateless and thread-safe. */
public final class GateText {
    private static final List<String> HEAD =
            List.of("search", "metric", "ratio", "95 % interval", "baseline to itself", "verdict");
    private static final List<Side> SIDES = List.of(Side.LEFT, Side.LEFT, Side.RIGHT, Side.LEFT, Side.LEFT, Side.LEFT);

    private GateText() {}

    /** What was decided, all metrics as a table with each reason once, why else, and which changes were meant. */
    public static List<String> of(GateResult gate) {
        List<String> lines = new ArrayList<>();
        lines.add("gate " + gate.name() + ": " + GateMarkdown.headline(gate.outcome()));
        otherReasons(gate).forEach(reason -> lines.add("  " + reason));
        told(gate).forEach(sentence -> lines.add("  " + sentence));
        gate.facts().tolerated().forEach(change -> lines.add("  meant: " + change.sentence()));
        VerdictTable verdicts = VerdictTable.of(gate.compared().verdicts());
        if (!verdicts.rows().isEmpty()) {
            lines.add("candidate to baseline, of times and amounts below 1 is better:");
            List<List<String>> rows = new ArrayList<>(List.of(HEAD));
            verdicts.rows().forEach(row -> rows.add(cells(row, gate.compared().control())));
            lines.add(Table.of(SIDES, rows));
            lines.addAll(verdicts.footnotes());
        }
        return List.copyOf(lines);
    }

    /** What both sides answered to statements, where that is no reason. */
    static List<String> told(GateResult gate) {
        return gate.paired().answers().stream()
                .filter(held -> !held.candidate().equals(GateRules.CONTROL))
                .map(Comparison.Answers::sentence)
                .filter(sentence -> !gate.reasons().contains(sentence))
                .toList();
    }

    private static List<String> cells(Row row, List<PairVerdict> control) {
        String itself = control.stream()
                .filter(verdict -> row.isOf(verdict))
                .findFirst()
                .map(GateText::itself)
                .orElse("");
        return List.of(row.subject(), row.metric(), row.ratio(), row.interval(), itself, row.numbered());
    }

    private static String itself(PairVerdict control) {
        String bounds = VerdictTable.bounds(control.decision().ratio());
        return control.decision().verdict().isDifference() ? bounds + " differs" : bounds;
    }

    /** The reasons that stand in no row of the table. */
    private static List<String> otherReasons(GateResult gate) {
        Set<String> told = new HashSet<>();
        Stream.concat(gate.compared().verdicts().stream(), gate.compared().control().stream())
                .map(PairVerdict::sentence)
                .forEach(sentence -> {
                    told.add(sentence);
                    told.add(GateResult.differsFromItself(sentence));
                });
        return gate.reasons().stream().filter(reason -> !told.contains(reason)).toList();
    }
}
