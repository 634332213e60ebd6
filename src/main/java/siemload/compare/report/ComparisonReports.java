package siemload.compare.report;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import siemload.compare.experiment.Comparison;
import siemload.compare.experiment.Comparison.PairVerdict;
import siemload.compare.experiment.Comparison.Series;
import siemload.compare.experiment.Experiment;
import siemload.compare.experiment.History;
import siemload.compare.experiment.Metric;
import siemload.compare.experiment.ResultFile;
import siemload.compare.experiment.SourceClaim.ClaimResult;
import siemload.compare.experiment.SourceClaim.ClaimResult.Outcome;
import siemload.compare.experiment.SourceClaim.Conclusion;
import siemload.compare.statistics.Growth;
import siemload.compare.statistics.Interval;
import siemload.results.report.ChartPage;
import siemload.results.report.Report;
import siemload.results.report.Report.Level;
import siemload.results.report.Report.Line;
import siemload.results.report.Report.Lines;
import siemload.results.report.Report.Prose;
import siemload.results.report.Table;

/** The reports of an experiment, or of several that belong together, for people. Stateless and thread-safe. */
public final class ComparisonReports {
    static final String PAGE = "report.html";
    static final String SUMMARY = "summary.md";
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String RESOURCES = "/siemload/compare/report/";
    private static final String NOT_MEASURED = "not measured yet";
    private static final int MOST_FIGURES = 2;

    private ComparisonReports() {}

    /**
     * Writes {@code report.html} and {@code summary.md} of a comparison into the directory that holds its {@code comparison.json}.
     *
     * @return what was written
     */
    public static List<Path> write(Path directory, Comparison comparison) throws IOException {
        Experiment experiment = comparison.experiment();
        return List.of(
                Files.writeString(
                        directory.resolve(PAGE),
                        page(experiment.name(), experiment.question(), List.of(), List.of(member(comparison, "")))),
                Files.writeString(directory.resolve(SUMMARY), markdown(comparison)));
    }

    /** What a terminal shows of a comparison, line by line. */
    public static List<String> text(Comparison comparison) {
        return report(comparison).text(Level.SUMMARY).lines().toList();
    }

    static String markdown(Comparison comparison) {
        return "## siemload: " + Report.escaped(comparison.experiment().question()) + "\n\n"
                + report(comparison).add(Level.TEXT, measured(comparison)).markdown(Level.TEXT);
    }

    private static Report report(Comparison comparison) {
        Experiment experiment = comparison.experiment();
        List<Line> lines = new ArrayList<>();
        add(lines, "saturated", comparison.saturated());
        add(lines, "", sides(comparison));
        add(lines, "no verdict", comparison.withheld());
        add(lines, "not compared", comparison.gaps());
        add(lines, "disturbed", comparison.disturbed());
        comparison
                .invalidRuns()
                .forEach(run -> lines.add(new Line(
                        "run " + run.position() + " (" + run.variant() + ") does not count",
                        String.join("; ", run.invalid()))));
        long missing = experiment.runs() - runs(comparison);
        if (missing > 0) {
            lines.add(new Line("missing", missing + " of " + experiment.runs() + " runs"));
        }
        if (comparison.withheld().isEmpty()) {
            comparison.differences().forEach(found -> lines.add(new Line("accepted", found.sentence())));
        }
        List<Line> claims = new ArrayList<>();
        comparison.claims().forEach(claim -> {
            claims.add(
                    new Line(claim.source().spoken() + " says", claim.source().says()));
            claims.add(new Line("that is " + VerdictTable.words(claim.outcome()), claim.explanation()));
        });
        return new Report()
                .section("comparison", "")
                .add(Level.SUMMARY, new Lines("", "", lines), verdicts(comparison), new Lines("", "", claims))
                .add(Level.TEXT, medians(comparison), growth(comparison), plans(comparison));
    }

    private static void add(List<Line> lines, String label, List<String> sentences) {
        sentences.forEach(sentence -> lines.add(new Line(label, sentence)));
    }

    /** What named variants ran on, and which gave the same rows to the same statements. */
    private static List<String> sides(Comparison comparison) {
        return Stream.concat(comparison.sides().stream(), comparison.equalAnswers().stream())
                .toList();
    }

    private static Table verdicts(Comparison comparison) {
        VerdictTable verdicts = VerdictTable.of(comparison.verdictsAgainstBaseline());
        Table table = Table.titled("search", "<variant", "ratio", "<95 % interval", "<verdict")
                .intro(MetricWords.ratios(comparison) + ":")
                .note(verdicts.footnotes());
        verdicts.rows()
                .forEach(row -> table.row(row.subject(), row.candidate(), row.ratio(), row.interval(), row.numbered()));
        return table;
    }

    private static long runs(Comparison comparison) {
        return comparison.runs().stream()
                .map(Comparison.Run::position)
                .distinct()
                .count();
    }

    private static Table medians(Comparison comparison) {
        Experiment experiment = comparison.experiment();
        MetricWords words = MetricWords.of(experiment.judged().metric());
        Map<String, Map<String, String>> bySubject = new LinkedHashMap<>();
        comparison.figures().stream()
                .filter(series ->
                        series.metric().equals(experiment.judged().metric().name())
                                && experiment.judged().asksFor(series.subject()))
                .forEach(series -> bySubject
                        .computeIfAbsent(series.subject(), unused -> new HashMap<>())
                        .put(series.variant(), words.shown(series.median())));
        Table table = Table.titled(words.title());
        experiment.labels().forEach(table::column);
        bySubject.forEach((subject, medians) -> table.row(
                subject,
                experiment.labels().stream()
                        .map(label -> medians.getOrDefault(label, ""))
                        .toList()));
        return table;
    }

    private static Lines growth(Comparison comparison) {
        List<Line> lines = new ArrayList<>();
        for (Growth growth : comparison.growth()) {
            List<Growth.Point> points = growth.points();
            Growth.Point last = points.get(points.size() - 1);
            Interval exponent = growth.exponent();
            lines.add(new Line(
                    growth.subject() + " against " + comparison.experiment().axisLabel(),
                    "at " + plain(last.n()) + " it is " + plain(last.factor()) + " times that of "
                            + plain(points.get(0).n())
                            + (growth.exponentKnown()
                                    ? "; growth exponent " + plain(exponent.estimate()) + " (" + plain(exponent.low())
                                            + " to " + plain(exponent.high()) + ")"
                                    : "")));
        }
        return new Lines("", "", lines);
    }

    private static Lines plans(Comparison comparison) {
        List<Line> lines = new ArrayList<>();
        for (Comparison.PlanShapes plan : comparison.plans()) {
            for (String cell : plan.differ() ? comparison.experiment().labels() : List.<String>of()) {
                List<String> shapes = plan.shapes().getOrDefault(cell, List.of("not known, since no run counts"));
                lines.add(new Line("plan of " + plan.search() + ", " + cell, String.join(" or ", shapes)));
            }
        }
        return new Lines("", "", lines);
    }

    private static Prose measured(Comparison comparison) {
        Experiment experiment = comparison.experiment();
        return new Prose(runs(comparison) + " runs, interleaved, " + experiment.repeats() + " of each of "
                + experiment.variants().size() + " variants (" + experiment.axisLabel() + "), seed "
                + experiment.seed() + "; decided by "
                + MetricWords.of(experiment.judged().metric()).title() + ", what matters: "
                + plain(100 * experiment.judged().smallest())
                + " %. Ratios are medians over pairs of runs with 95 % intervals (BCa bootstrap); decided: interval on"
                + " one side of 1, sign-flip p below 0.05 after Holm, and at least what matters.");
    }

    private static String plain(double value) {
        return new MetricWords("", "", 1, false).shown(value);
    }

    /**
     * Writes {@code report.html} and {@code summary.md} of several experiments in one file.
     *
     * @param directory where to; made if need be
     * @param planned all experiments of the suite, also those that were not made yet
     * @param experiments directories with a {@code comparison.json}, in the order in which they are told
     * @return what was written
     */
    public static List<Path> write(
            Path directory, String name, String question, List<Experiment> planned, List<Path> experiments)
            throws IOException {
        List<Comparison> made = new ArrayList<>();
        List<ObjectNode> members = new ArrayList<>();
        for (Path experiment : experiments) {
            Path relative = directory.toAbsolutePath().relativize(experiment.toAbsolutePath());
            Comparison comparison = ResultFile.COMPARISON.read(experiment);
            made.add(comparison);
            members.add(member(comparison, relative.toString().replace('\\', '/')));
        }
        Files.createDirectories(directory);
        return List.of(
                Files.writeString(
                        directory.resolve(PAGE), page(name, question, conclusionsOf(planned, made), members)),
                Files.writeString(directory.resolve(SUMMARY), markdown(question, planned, made)));
    }

    /**
     * What the studies behind a suite concluded, and how that stands, for a terminal; nothing where no experiment tests a conclusion.
     *
     * @param planned all of the suite, in its order
     * @param made what those say that were made
     */
    public static List<String> conclusions(List<Experiment> planned, List<Comparison> made) {
        return new Report()
                .section("conclusions", "")
                .add(Level.SUMMARY, conclusionTable(conclusionsOf(planned, made)))
                .text(Level.SUMMARY)
                .lines()
                .toList();
    }

    /** The conclusions, an overview, then each series. */
    static String markdown(String question, List<Experiment> planned, List<Comparison> made) {
        Table overview = Table.titled("series", "<question", "<verdicts", "<the source's conclusion");
        made.forEach(one -> overview.row(
                one.experiment().name(),
                one.experiment().question(),
                one.withheld().isEmpty() ? counts(one) : "withheld",
                one.claims().stream()
                        .map(claim -> claim.source().spoken() + ": " + VerdictTable.words(claim.outcome()))
                        .collect(Collectors.joining("; "))));
        StringBuilder text = new StringBuilder("## siemload: " + Report.escaped(question) + "\n\n");
        text.append(new Report()
                .section("suite", "")
                .add(Level.SUMMARY, conclusionTable(conclusionsOf(planned, made)), overview)
                .markdown(Level.SUMMARY));
        made.forEach(one -> text.append("\n### ")
                .append(Report.escaped(
                        one.experiment().name() + ": " + one.experiment().question()))
                .append("\n\n")
                .append(report(one).markdown(Level.TEXT)));
        return text.toString();
    }

    /**
     * A conclusion, or below it one of the experiments that test it, or at the end one that tests none.
     *
     * @param title a conclusion with its number, or the name of an experiment
     * @param whole whether it is a conclusion, and not one of its experiments
     * @param outcome as in comparison.json; empty for an experiment without a conclusion
     * @param stands in words
     * @param figures ratios with their intervals, or why there are none
     */
    private record ConclusionRow(String title, boolean whole, String outcome, String stands, String figures) {
        static ConclusionRow of(String title, boolean whole, Outcome outcome, String figures) {
            return new ConclusionRow(title, whole, outcome.name(), VerdictTable.words(outcome), figures);
        }
    }

    private static Table conclusionTable(List<ConclusionRow> rows) {
        Table table = Table.titled("conclusion", "<stands", "<figures")
                .intro("figures are ratios of the metric that decides, with their 95 % intervals:");
        rows.forEach(row -> table.row(row.whole ? row.title : "- " + row.title, row.stands, row.figures));
        return table;
    }

    private static List<ConclusionRow> conclusionsOf(List<Experiment> planned, List<Comparison> made) {
        List<ConclusionRow> rows = new ArrayList<>();
        Set<String> others = new LinkedHashSet<>();
        planned.forEach(experiment -> others.add(experiment.name()));
        for (Conclusion conclusion : Conclusion.of(planned, made)) {
            String title = conclusion.study() + " " + conclusion.number() + ": " + conclusion.says();
            rows.add(ConclusionRow.of(title, true, conclusion.outcome(), ""));
            conclusion.parts().forEach((experiment, result) -> {
                others.remove(experiment);
                String figures = result.map(ComparisonReports::figures).orElse(NOT_MEASURED);
                rows.add(ConclusionRow.of(experiment, false, Conclusion.outcome(result), figures));
            });
        }
        for (String name : rows.isEmpty() ? Set.<String>of() : others) {
            String figures = made.stream()
                    .filter(one -> one.experiment().name().equals(name))
                    .findFirst()
                    .map(one -> one.withheld().isEmpty() ? counts(one) : "verdicts withheld")
                    .orElse(NOT_MEASURED);
            rows.add(new ConclusionRow(name, false, "", "no conclusion", figures));
        }
        return rows;
    }

    /** The ratios that decided it, or those that are open; why, where there are none. */
    private static String figures(ClaimResult result) {
        long confirming = result.tested().stream()
                .filter(tested -> tested.outcome() == Outcome.CONFIRMED)
                .count();
        List<String> telling = result.tested().stream()
                .filter(tested -> tested.outcome() == result.outcome())
                .map(tested -> tested.what() + ": "
                        + VerdictTable.digits(tested.ratio().estimate()) + " (" + VerdictTable.bounds(tested.ratio())
                        + ")")
                .toList();
        return telling.isEmpty()
                ? result.explanation()
                : confirming + " of " + result.tested().size() + " as said; "
                        + telling.stream().limit(MOST_FIGURES).collect(Collectors.joining("; "))
                        + (telling.size() > MOST_FIGURES ? "; ..." : "");
    }

    /** How many verdicts against the baseline there are of each kind: {@code 2 worse, 7 the same}. */
    private static String counts(Comparison comparison) {
        Map<String, Integer> counts = new LinkedHashMap<>();
        comparison
                .verdictsAgainstBaseline()
                .forEach(verdict -> counts.merge(VerdictTable.words(verdict), 1, Integer::sum));
        return counts.entrySet().stream()
                .map(one -> one.getValue() + " " + one.getKey())
                .collect(Collectors.joining(", "));
    }

    private static ObjectNode member(Comparison comparison, String path) {
        ObjectNode member = JSON.valueToTree(comparison);
        member.put("path", path);
        member.put("axis", comparison.experiment().axisLabel());
        for (int i = 0; i < comparison.claims().size(); i++) {
            ((ObjectNode) member.path("claims").get(i))
                    .put("spoken", comparison.claims().get(i).source().spoken());
        }
        List<PairVerdict> told = comparison.verdictsAgainstBaseline();
        List<PairVerdict> others = new ArrayList<>(comparison.verdicts());
        others.removeAll(told);
        member.putPOJO("told", VerdictTable.of(told));
        member.putPOJO("others", VerdictTable.of(others));
        member.putPOJO("sides", sides(comparison));
        member.putPOJO("saturated", comparison.saturated());
        member.put("ratios", MetricWords.ratios(comparison));
        Set<String> names =
                new TreeSet<>(comparison.figures().stream().map(Series::metric).toList());
        names.add(comparison.experiment().judged().metric().name());
        comparison.experiment().judged().alsoShow().forEach(metric -> names.add(metric.name()));
        ObjectNode metrics = member.putObject("metrics");
        names.forEach(name -> metrics.putPOJO(name, MetricWords.of(new Metric(name))));
        return member;
    }

    /** @param members one for an experiment; of a suite those that were made */
    private static String page(
            String title, String question, List<ConclusionRow> conclusions, List<ObjectNode> members)
            throws IOException {
        return new ChartPage("siemload: " + title)
                .style(RESOURCES + "comparison.css")
                .elements()
                .script(RESOURCES + "comparison-charts.js")
                .script(RESOURCES + "comparison-kinds.js")
                .script(RESOURCES + "comparison.js")
                .data(Map.of("title", title, "question", question, "conclusions", conclusions, "members", members))
                .with(RESOURCES + "comparison.html");
    }

    /** The courses of all figures of a history as one page that opens offline. */
    public static String history(History history) throws IOException {
        Map<String, MetricWords> words = new TreeMap<>();
        history.entries()
                .forEach(entry -> entry.figures()
                        .keySet()
                        .forEach(figure -> words.put(figure, MetricWords.ofFigure(figure))));
        return new ChartPage("siemload: history")
                .elements()
                .script(RESOURCES + "history.js")
                .data(Map.of("entries", history.entries(), "words", words))
                .with(RESOURCES + "history.html");
    }
}
