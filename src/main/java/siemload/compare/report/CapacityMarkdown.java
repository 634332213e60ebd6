package siemload.compare.report;

import static siemload.results.report.Markdown.escaped;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import siemload.compare.capacity.Capacity;
import siemload.compare.capacity.CapacityResult;
import siemload.compare.capacity.CapacityWords;
import siemload.compare.capacity.Trial;
import siemload.compare.capacity.TrialOutcome;
import siemload.compare.capacity.VariedLoad;

/** A capacity as Markdown, fit for the page of a CI job: the answer first, then every run. Stateless and thread-safe. */
final class CapacityMarkdown {
    private CapacityMarkdown() {}

    /** The whole text, ending with a line break. */
    static String of(CapacityResult result) {
        StringBuilder text = new StringBuilder();
        text.append("## siemload capacity: ")
                .append(escaped(result.question().scenario()))
                .append("\n\n");
        result.question()
                .objectives()
                .forEach(objective ->
                        text.append("- held to ").append(escaped(objective)).append('\n'));
        text.append('\n');
        if (result.question().hasFrontier()) {
            frontier(text, result);
        }
        for (Capacity capacity : result.capacities()) {
            text.append("**").append(escaped(capacity.sentence())).append("**\n\n");
            CapacityText.notes(capacity)
                    .forEach(note -> text.append("- ").append(escaped(note)).append('\n'));
            table(text, capacity);
        }
        return text.toString();
    }

    /** The run at the smallest load that did not meet the objectives. */
    static Optional<Trial> firstMissed(Capacity capacity) {
        return capacity.trials().stream()
                .filter(trial -> trial.outcome() == TrialOutcome.NOT_MET)
                .min(Comparator.comparingDouble(Trial::load));
    }

    private static void frontier(StringBuilder text, CapacityResult result) {
        List<List<String>> rows = FrontierTable.rows(result);
        row(text, rows.get(0));
        text.append("| ---: | ---: | --- | ---: | ---: | --- |\n");
        rows.subList(1, rows.size()).forEach(row -> row(text, row));
        text.append('\n');
    }

    private static void row(StringBuilder text, List<String> cells) {
        cells.forEach(cell -> text.append("| ").append(escaped(cell)).append(' '));
        text.append("|\n");
    }

    private static void table(StringBuilder text, Capacity capacity) {
        text.append("\n| ").append(capacity.varied().unit());
        text.append(" | p50, ms | p95, ms | p99, ms | searches/s | outcome |\n");
        text.append("| ---: | ---: | ---: | ---: | ---: | --- |\n");
        for (Trial trial : capacity.trials()) {
            text.append(String.format(
                    Locale.ROOT,
                    "| %s | %.1f | %.1f | %.1f | %.1f | %s |\n",
                    VariedLoad.number(trial.load()),
                    trial.figures().p50Micros() / 1e3,
                    trial.figures().p95Micros() / 1e3,
                    trial.figures().p99Micros() / 1e3,
                    trial.figures().searchesPerSecond(),
                    escaped(CapacityWords.outcome(trial))));
        }
        text.append('\n');
    }
}
