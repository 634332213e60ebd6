package siemload.compare.report;

import static siemload.results.report.Markdown.escaped;

import java.util.List;
import java.util.Locale;
import siemload.compare.experiment.ComparedVariant;
import siemload.compare.experiment.Comparison.PairVerdict;
import siemload.compare.experiment.GateResult;
import siemload.compare.experiment.GateResult.ExactChange;
import siemload.compare.statistics.Interval;

/** A gate as Markdown, fit for the page of a CI job: what was decided, and why, first. Stateless and thread-safe. */
public final class GateMarkdown {

    private GateMarkdown() {}

    /** The whole text, ending with a line break. */
    public static String of(GateResult gate) {
        StringBuilder text = new StringBuilder();
        text.append("## siemload gate: ").append(escaped(gate.name())).append(": ");
        text.append(headline(gate.outcome())).append("\n\n");
        for (ComparedVariant cell : gate.paired().experiment().variants()) {
            text.append("- ").append(cell.label()).append(": ");
            text.append(escaped(settings(cell))).append('\n');
        }
        text.append(String.format(
                Locale.ROOT,
                "- %s pairs of valid runs, beside which the baseline was compared with itself\n\n",
                gate.blocks().words()));
        list(text, "Why", gate.reasons());
        list(text, "Answers to statements", GateText.told(gate));
        list(
                text,
                "Changes that were declared to be meant",
                gate.facts().tolerated().stream().map(ExactChange::sentence).toList());
        table(text, "The candidate against the baseline", gate.compared().verdicts());
        table(text, "Control: the baseline against itself", gate.compared().control());
        list(
                text,
                "Facts that differ between two runs of the baseline, so that they say nothing",
                gate.facts().unsteady());
        list(text, "Not compared", gate.compared().leftOut());
        return text.toString();
    }

    /** What was decided, in a few words. */
    public static String headline(GateResult.Outcome outcome) {
        return switch (outcome) {
            case PASSED -> "passed, no regression was decided";
            case REGRESSION -> "REGRESSION";
            case HOST_TOO_NOISY -> "the host is too noisy to say";
            case INVALID -> "INVALID, nothing can be decided";
        };
    }

    private static String settings(ComparedVariant cell) {
        return String.join(
                ", ",
                cell.settings().entrySet().stream()
                        .map(setting -> setting.getKey() + "=" + setting.getValue())
                        .toList());
    }

    private static void list(StringBuilder text, String title, List<String> sentences) {
        if (!sentences.isEmpty()) {
            text.append("**").append(title).append("**\n\n");
            sentences.forEach(
                    sentence -> text.append("- ").append(escaped(sentence)).append('\n'));
            text.append('\n');
        }
    }

    private static void table(StringBuilder text, String title, List<PairVerdict> verdicts) {
        if (verdicts.isEmpty()) {
            return;
        }
        text.append("**").append(title).append("**\n\n");
        text.append("| metric | ratio | 95 % interval | p, adjusted | verdict |\n| --- | ---: | ---: | ---: | --- |\n");
        for (PairVerdict verdict : verdicts) {
            Interval ratio = verdict.decision().ratio();
            text.append(String.format(
                    Locale.ROOT,
                    "| %s %s | %.3f | %.3f-%.3f | %.4f | %s |\n",
                    escaped(verdict.subject()),
                    verdict.metric(),
                    ratio.estimate(),
                    ratio.low(),
                    ratio.high(),
                    verdict.decision().pValue(),
                    verdict.decision().verdict().name().toLowerCase(Locale.ROOT)));
        }
        text.append('\n');
    }
}
