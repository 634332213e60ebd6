package siemload.compare.report;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import siemload.compare.experiment.ComparedVariant;
import siemload.compare.experiment.Comparison;
import siemload.compare.experiment.Comparison.ClaimResult;
import siemload.compare.experiment.Comparison.ClaimResult.Outcome;
import siemload.compare.experiment.Comparison.ClaimResult.Tested;
import siemload.compare.experiment.Comparison.PairVerdict;
import siemload.compare.experiment.Comparison.Series;
import siemload.compare.experiment.Conclusion;
import siemload.compare.experiment.Experiment;
import siemload.compare.experiment.Growth;
import siemload.compare.experiment.Metric;
import siemload.compare.experiment.ResultFile;
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
    private static final int MOST_FIGURES = 2;

    private ComparisonReports() {}

    /**
     * Writes {@code report.html} and {@code summary.md} of a comparison into the directory that holds its {@code comparison.json}.
     *
     * @return what was written
     */
    public static List<Path> write(Path directory, Comparison comparison) throws IOException {
        Experiment experiment = comparison.experiment();
        ObjectNode data = data(experiment.name(), experiment.question(), List.of());
        data.withArray("members").add(member(comparison, ""));
        return List.of(
                Files.writeString(directory.resolve(PAGE), page(experiment.name(), data)),
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

    // ---- one experiment

    private static Report report(Comparison comparison) {
        Experiment experiment = comparison.experiment();
        List<Line> lines = new ArrayList<>();
        comparison.saturated().forEach(sentence -> lines.add(new Line("saturated", sentence)));
        comparison.sides().forEach(side -> lines.add(new Line("", side.sentence())));
        comparison.equalAnswers().forEach(sentence -> lines.add(new Line("", sentence)));
        comparison.withheld().forEach(reason -> lines.add(new Line("no verdict", reason)));
        comparison.gaps().forEach(gap -> lines.add(new Line("not compared", gap)));
        comparison.disturbed().forEach(sentence -> lines.add(new Line("disturbed", sentence)));
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
            comparison.found().differences().forEach(found -> lines.add(new Line("accepted", found.sentence())));
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

    private static Table verdicts(Comparison comparison) {
        VerdictTable verdicts = VerdictTable.of(comparison.verdictsAgainstBaseline());
        Table table = Table.titled("search", "<variant", "ratio", "<95 % interval", "<verdict")
                .intro(MetricWords.ratios(comparison.experiment()) + ":")
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
        List<Series> series = comparison.figures().stream()
                .filter(found ->
                        found.metric().equals(experiment.judged().metric().name()))
                .filter(found -> experiment.judged().subjects().isEmpty()
                        || experiment.judged().subjects().contains(found.subject()))
                .toList();
        Table table = Table.titled(words.title());
        List<String> cells =
                experiment.variants().stream().map(ComparedVariant::label).toList();
        cells.forEach(table::column);
        series.stream()
                .map(Series::subject)
                .distinct()
                .forEach(subject -> table.row(
                        subject,
                        cells.stream()
                                .map(cell -> series.stream()
                                        .filter(found -> found.subject().equals(subject)
                                                && found.variant().equals(cell))
                                        .map(found -> words.shown(found.median()))
                                        .findFirst()
                                        .orElse(""))
                                .toList()));
        return table;
    }

    private static Lines growth(Comparison comparison) {
        List<Line> lines = new ArrayList<>();
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
                double most = growth.points().stream()
                        .mapToDouble(Growth.Point::n)
                        .max()
                        .orElseThrow();
                double knee = growth.scalability().knee();
                parts.add(knee > 0 ? "knee at " + plain(knee) : "no knee up to " + plain(most));
            }
            lines.add(new Line(
                    growth.subject() + " against " + comparison.experiment().axisLabel(), String.join("; ", parts)));
        }
        return new Lines("", "", lines);
    }

    private static Lines plans(Comparison comparison) {
        List<Line> lines = new ArrayList<>();
        comparison.found().plans().stream()
                .filter(Comparison.PlanShapes::differ)
                .forEach(plan -> comparison.experiment().variants().stream()
                        .map(ComparedVariant::label)
                        .forEach(cell -> lines.add(new Line(
                                "plan of " + plan.search() + ", " + cell,
                                Optional.ofNullable(plan.shapes().get(cell))
                                        .map(shapes -> String.join(" or ", shapes))
                                        .orElse("not known, since no run counts")))));
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

    // ---- a suite

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
        ObjectNode data = data(name, question, conclusionsOf(planned, made));
        data.put("suite", true).withArray("members").addAll(members);
        Files.createDirectories(directory);
        return List.of(
                Files.writeString(directory.resolve(PAGE), page(name, data)),
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
        for (Comparison one : made) {
            overview.row(
                    one.experiment().name(),
                    one.experiment().question(),
                    one.withheld().isEmpty() ? counts(one) : "withheld",
                    String.join(
                            "; ",
                            one.claims().stream()
                                    .map(claim -> claim.source().spoken() + ": " + VerdictTable.words(claim.outcome()))
                                    .toList()));
        }
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
    private record ConclusionRow(String title, boolean whole, String outcome, String stands, String figures) {}

    private static Table conclusionTable(List<ConclusionRow> rows) {
        Table table = Table.titled("conclusion", "<stands", "<figures")
                .intro("figures are ratios of the metric that decides, with their 95 % intervals:");
        rows.forEach(row -> table.row(row.whole ? row.title : "- " + row.title, row.stands, row.figures));
        return table;
    }

    private static List<ConclusionRow> conclusionsOf(List<Experiment> planned, List<Comparison> made) {
        List<ConclusionRow> rows = new ArrayList<>();
        Set<String> telling = new LinkedHashSet<>();
        for (Conclusion conclusion : Conclusion.of(planned, made)) {
            rows.add(new ConclusionRow(
                    conclusion.study() + " " + conclusion.number() + ": " + conclusion.says(),
                    true,
                    conclusion.outcome().name(),
                    VerdictTable.words(conclusion.outcome()),
                    ""));
            for (Conclusion.Part part : conclusion.parts()) {
                telling.add(part.experiment());
                rows.add(new ConclusionRow(
                        part.experiment(),
                        false,
                        part.outcome().name(),
                        VerdictTable.words(part.outcome()),
                        part.result().map(ComparisonReports::figures).orElse("not measured yet")));
            }
        }
        if (!rows.isEmpty()) {
            planned.stream()
                    .map(Experiment::name)
                    .filter(name -> !telling.contains(name))
                    .forEach(name -> rows.add(new ConclusionRow(
                            name,
                            false,
                            "",
                            "no conclusion",
                            made.stream()
                                    .filter(one -> one.experiment().name().equals(name))
                                    .findFirst()
                                    .map(one -> one.withheld().isEmpty() ? counts(one) : "verdicts withheld")
                                    .orElse("not measured yet"))));
        }
        return rows;
    }

    /** The ratios that decided it, or those that are open; why, where there are none. */
    private static String figures(ClaimResult result) {
        List<Tested> telling = result.tested().stream()
                .filter(tested -> tested.outcome() == result.outcome())
                .toList();
        if (telling.isEmpty()) {
            return result.explanation();
        }
        long confirming = result.tested().stream()
                .filter(tested -> tested.outcome() == Outcome.CONFIRMED)
                .count();
        List<String> shown =
                new ArrayList<>(List.of(confirming + " of " + result.tested().size() + " as said"));
        telling.stream()
                .limit(MOST_FIGURES)
                .forEach(tested -> shown.add(tested.what() + ": "
                        + VerdictTable.digits(tested.ratio().estimate()) + " (" + VerdictTable.bounds(tested.ratio())
                        + ")"));
        return String.join("; ", shown) + (telling.size() > MOST_FIGURES ? "; ..." : "");
    }

    /** How many verdicts against the baseline there are of each kind: {@code 2 worse, 7 the same}. */
    private static String counts(Comparison comparison) {
        List<String> words = comparison.verdictsAgainstBaseline().stream()
                .map(VerdictTable::words)
                .toList();
        return String.join(
                ", ",
                words.stream()
                        .distinct()
                        .map(word -> words.stream().filter(word::equals).count() + " " + word)
                        .toList());
    }

    // ---- pages

    private static ObjectNode data(String title, String question, List<ConclusionRow> conclusions) {
        ObjectNode data = JSON.createObjectNode()
                .put("title", title)
                .put("question", question)
                .put("suite", false);
        return data.set("conclusions", JSON.valueToTree(conclusions));
    }

    private static ObjectNode member(Comparison comparison, String path) {
        ObjectNode member = JSON.valueToTree(comparison);
        member.put("path", path);
        member.put("axis", comparison.experiment().axisLabel());
        ArrayNode claims = (ArrayNode) member.get("claims");
        for (int i = 0; i < claims.size(); i++) {
            ((ObjectNode) claims.get(i))
                    .put("spoken", comparison.claims().get(i).source().spoken());
        }
        List<PairVerdict> told = comparison.verdictsAgainstBaseline();
        List<PairVerdict> others = comparison.found().verdicts().stream()
                .filter(verdict -> !told.contains(verdict))
                .toList();
        member.set("told", JSON.valueToTree(VerdictTable.of(told)));
        member.set("others", JSON.valueToTree(VerdictTable.of(others)));
        member.set(
                "sides",
                JSON.valueToTree(Stream.concat(
                                comparison.sides().stream().map(side -> side.sentence()),
                                comparison.equalAnswers().stream())
                        .toList()));
        member.set("saturated", JSON.valueToTree(comparison.saturated()));
        member.put("ratios", MetricWords.ratios(comparison.experiment()));
        Set<String> names =
                new TreeSet<>(comparison.figures().stream().map(Series::metric).toList());
        names.add(comparison.experiment().judged().metric().name());
        comparison.experiment().judged().alsoShow().forEach(metric -> names.add(metric.name()));
        ObjectNode metrics = member.putObject("metrics");
        names.forEach(name -> metrics.set(name, JSON.valueToTree(MetricWords.of(new Metric(name)))));
        return member;
    }

    private static String page(String title, ObjectNode data) throws IOException {
        return new ChartPage("siemload: " + title)
                .style(RESOURCES + "comparison.css")
                .elements()
                .script(RESOURCES + "comparison-charts.js")
                .script(RESOURCES + "comparison-kinds.js")
                .script(RESOURCES + "comparison.js")
                .data(data)
                .with(RESOURCES + "comparison.html");
    }
}
