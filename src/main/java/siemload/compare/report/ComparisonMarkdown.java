package siemload.compare.report;

import static siemload.results.report.Markdown.escaped;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import siemload.compare.experiment.ComparedVariant;
import siemload.compare.experiment.Comparison;
import siemload.compare.experiment.Comparison.ClaimResult;
import siemload.compare.experiment.Comparison.Series;
import siemload.compare.experiment.Experiment;
import siemload.compare.experiment.Growth;
import siemload.compare.experiment.Metric;
import siemload.results.report.Markdown;
import siemload.results.report.Table.Side;

/** What an experiment says as Markdown, fit for the page of a CI job or an issue. Used by one thread. */
final class ComparisonMarkdown {
    private final Comparison comparison;
    private final Experiment experiment;
    private final StringBuilder text = new StringBuilder();

    private ComparisonMarkdown(Comparison comparison) {
        this.comparison = comparison;
        this.experiment = comparison.experiment();
    }

    /** The whole text, ending with a line break. */
    static String of(Comparison comparison) {
        ComparisonMarkdown markdown = new ComparisonMarkdown(comparison);
        markdown.line("## siemload: " + escaped(comparison.experiment().question()), "");
        markdown.body();
        markdown.measured();
        return markdown.text.toString();
    }

    /** One of several, without how it was measured. */
    static String section(Comparison comparison) {
        ComparisonMarkdown markdown = new ComparisonMarkdown(comparison);
        markdown.line(
                "### " + escaped(comparison.experiment().name()) + ": "
                        + escaped(comparison.experiment().question()),
                "");
        markdown.body();
        return markdown.text.toString();
    }

    private void body() {
        comparison.claims().forEach(this::claim);
        comparison.saturated().forEach(sentence -> line("- **saturated**: " + escaped(sentence)));
        comparison.sides().forEach(side -> line("- " + escaped(side.sentence())));
        comparison.equalAnswers().forEach(sentence -> line("- " + escaped(sentence)));
        comparison.withheld().forEach(reason -> line("- **no verdict**: " + escaped(reason)));
        comparison
                .invalidRuns()
                .forEach(run -> line("- run " + run.position() + " (" + escaped(run.variant())
                        + ") **does not count**: " + escaped(String.join("; ", run.invalid()))));
        comparison.disturbed().forEach(sentence -> line("- **disturbed**: " + escaped(sentence)));
        long missing = experiment.runs()
                - comparison.runs().stream()
                        .map(Comparison.Run::position)
                        .distinct()
                        .count();
        if (missing > 0) {
            line("- " + missing + " of " + experiment.runs() + " runs are **missing**");
        }
        if (comparison.withheld().isEmpty()) {
            comparison.found().differences().forEach(found -> line("- accepted: " + escaped(found.sentence())));
        }
        comparison.gaps().forEach(gap -> line("- **not compared**: " + escaped(gap)));
        if (!text.toString().endsWith("\n\n")) {
            line("");
        }
        verdicts();
        medians();
        growth();
        plans();
    }

    private void verdicts() {
        VerdictTable verdicts = VerdictTable.of(comparison.verdictsAgainstBaseline());
        if (verdicts.rows().isEmpty()) {
            return;
        }
        line(escaped(MetricWords.ratios(experiment)) + ":", "");
        List<List<String>> cells = verdicts.cells();
        row(cells.get(0));
        row(VerdictTable.SIDES.stream()
                .map(side -> side == Side.LEFT ? "---" : "---:")
                .toList());
        cells.stream()
                .skip(1)
                .forEach(cell -> row(cell.stream().map(Markdown::escaped).toList()));
        line("");
        verdicts.footnotes().forEach(footnote -> line("- " + escaped(footnote)));
        if (!verdicts.footnotes().isEmpty()) {
            line("");
        }
    }

    private void claim(ClaimResult claim) {
        String spoken = claim.source().spoken();
        line(
                escaped(spoken.substring(0, 1).toUpperCase(Locale.ROOT) + spoken.substring(1)) + " says: *"
                        + escaped(claim.source().says()) + "* — **" + VerdictWords.of(claim.outcome()) + "**: "
                        + escaped(claim.explanation()) + ".",
                "");
    }

    private void medians() {
        MetricWords words = MetricWords.of(experiment.judged().metric());
        List<String> cells =
                experiment.variants().stream().map(ComparedVariant::label).toList();
        List<Series> series = comparison.figures().stream()
                .filter(found ->
                        found.metric().equals(experiment.judged().metric().name()))
                .filter(found -> experiment.judged().subjects().isEmpty()
                        || experiment.judged().subjects().contains(found.subject()))
                .toList();
        Set<String> subjects =
                new LinkedHashSet<>(series.stream().map(Series::subject).toList());
        if (subjects.isEmpty()) {
            return;
        }
        row(Stream.concat(Stream.of(words.title()), cells.stream())
                .map(Markdown::escaped)
                .toList());
        line("| --- |" + " ---: |".repeat(cells.size()));
        for (String subject : subjects) {
            row(Stream.concat(
                            Stream.of(escaped(subject)),
                            cells.stream().map(cell -> median(series, words, subject, cell)))
                    .toList());
        }
        line("");
    }

    private static String median(List<Series> series, MetricWords words, String subject, String cell) {
        return series.stream()
                .filter(found ->
                        found.subject().equals(subject) && found.variant().equals(cell))
                .map(found -> words.shown(found.median()))
                .findFirst()
                .orElse("");
    }

    private void growth() {
        for (Growth growth : comparison.found().growth()) {
            Growth.Point last = growth.points().get(growth.points().size() - 1);
            List<String> parts = new ArrayList<>();
            parts.add("at " + plain(last.n()) + " it is " + plain(last.factor()) + " times that of "
                    + plain(growth.points().get(0).n()));
            if (growth.exponentKnown()) {
                parts.add("growth exponent " + plain(growth.exponent().estimate()) + " ("
                        + plain(growth.exponent().low()) + " to "
                        + plain(growth.exponent().high()) + ")");
            }
            if (growth.scalability().fitted()) {
                parts.add(
                        growth.scalability().knee() > 0
                                ? "knee at " + plain(growth.scalability().knee())
                                : "no knee up to "
                                        + plain(growth.points().stream()
                                                .mapToDouble(Growth.Point::n)
                                                .max()
                                                .orElseThrow()));
            }
            line("- " + escaped(growth.subject()) + " against " + escaped(experiment.axisLabel()) + ": "
                    + String.join("; ", parts));
        }
        if (!comparison.found().growth().isEmpty()) {
            line("");
        }
    }

    private void plans() {
        List<Comparison.PlanShapes> different = comparison.found().plans().stream()
                .filter(Comparison.PlanShapes::differ)
                .toList();
        different.forEach(plan -> experiment.variants().stream()
                .map(ComparedVariant::label)
                .forEach(cell -> line("- plan of " + escaped(plan.search()) + ", " + escaped(cell) + ": "
                        + Optional.ofNullable(plan.shapes().get(cell))
                                .map(shapes -> escaped(String.join(" or ", shapes)))
                                .orElse("not known, since no run counts"))));
        if (!different.isEmpty()) {
            line("");
        }
    }

    private void measured() {
        Metric metric = experiment.judged().metric();
        line(comparison.runs().stream()
                        .mapToInt(Comparison.Run::position)
                        .distinct()
                        .count()
                + " runs, interleaved, " + experiment.repeats() + " of each of "
                + experiment.variants().size() + " variants (" + escaped(experiment.axisLabel()) + "), seed "
                + experiment.seed() + "; decided by "
                + escaped(MetricWords.of(metric).title()) + ", what matters: "
                + plain(100 * experiment.judged().smallest())
                + " %. Ratios are medians over pairs of runs with 95 % intervals (BCa"
                + " bootstrap); decided: interval on one side of 1, sign-flip p below 0.05 after Holm, and at least what"
                + " matters.");
    }

    private static String plain(double value) {
        return new MetricWords("", "", 1, false).shown(value);
    }

    private void row(List<String> cells) {
        line("| " + String.join(" | ", cells) + " |");
    }

    private void line(String... lines) {
        for (String one : lines) {
            text.append(one).append('\n');
        }
    }
}
