package siemload.compare.report;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import siemload.compare.experiment.Comparison;
import siemload.compare.experiment.Comparison.ClaimResult;
import siemload.compare.experiment.Comparison.ClaimResult.Outcome;
import siemload.compare.experiment.Comparison.ClaimResult.Tested;
import siemload.compare.experiment.Comparison.PairVerdict;
import siemload.compare.experiment.Comparison.Series;
import siemload.compare.experiment.Experiment;
import siemload.compare.experiment.Growth;
import siemload.compare.experiment.History;
import siemload.compare.experiment.Metric;
import siemload.compare.experiment.ResultFile;
import siemload.compare.experiment.SourceClaim.Conclusion;
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

    private static Table verdicts(Comparison comparison) {
        VerdictTable verdicts = VerdictTable.of(comparison.verdictsAgainstBaseline(), comparison.asked());
        Table table = Table.titled(comparison.asked().one(), "<variant", "ratio", "<95 % interval", "<verdict")
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
        Metric metric = experiment.judged().metric();
        MetricWords words = MetricWords.of(metric, comparison.asked());
        Map<String, Map<String, String>> bySubject = new LinkedHashMap<>();
        for (Series series : comparison.figures()) {
            if (series.metric().equals(metric.name()) && experiment.judged().asksFor(series.subject())) {
                bySubject
                        .computeIfAbsent(series.subject(), unused -> new HashMap<>())
                        .put(series.variant(), words.shown(series.median()));
            }
        }
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
                + MetricWords.of(experiment.judged().metric(), comparison.asked())
                        .title() + ", what matters: "
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
        Set<String> telling = new HashSet<>();
        for (Conclusion conclusion : Conclusion.of(planned, made)) {
            String title = conclusion.study() + " " + conclusion.number() + ": " + conclusion.says();
            rows.add(ConclusionRow.of(title, true, conclusion.outcome(), ""));
            for (Conclusion.Part part : conclusion.parts()) {
                telling.add(part.experiment());
                String figures = part.result().map(ComparisonReports::figures).orElse("not measured yet");
                rows.add(ConclusionRow.of(part.experiment(), false, part.outcome(), figures));
            }
        }
        for (Experiment experiment : rows.isEmpty() ? List.<Experiment>of() : planned) {
            if (!telling.contains(experiment.name())) {
                String figures = made.stream()
                        .filter(one -> one.experiment().name().equals(experiment.name()))
                        .findFirst()
                        .map(one -> one.withheld().isEmpty() ? counts(one) : "verdicts withheld")
                        .orElse("not measured yet");
                rows.add(new ConclusionRow(experiment.name(), false, "", "no conclusion", figures));
            }
        }
        return rows;
    }

    /** The ratios that decided it, or those that are open; why, where there are none. */
    private static String figures(ClaimResult result) {
        List<String> telling = new ArrayList<>();
        int confirming = 0;
        for (Tested tested : result.tested()) {
            confirming += tested.outcome() == Outcome.CONFIRMED ? 1 : 0;
            if (tested.outcome() == result.outcome()) {
                telling.add(tested.what() + ": "
                        + VerdictTable.digits(tested.ratio().estimate()) + " (" + VerdictTable.bounds(tested.ratio())
                        + ")");
            }
        }
        return telling.isEmpty()
                ? result.explanation()
                : confirming + " of " + result.tested().size() + " as said; "
                        + String.join("; ", telling.subList(0, Math.min(MOST_FIGURES, telling.size())))
                        + (telling.size() > MOST_FIGURES ? "; ..." : "");
    }

    /** How many verdicts against the baseline there are of each kind: {@code 2 worse, 7 the same}. */
    private static String counts(Comparison comparison) {
        Map<String, Integer> counts = new LinkedHashMap<>();
        comparison
                .verdictsAgainstBaseline()
                .forEach(verdict -> counts.merge(VerdictTable.words(verdict), 1, Integer::sum));
        List<String> words = new ArrayList<>();
        counts.forEach((word, count) -> words.add(count + " " + word));
        return String.join(", ", words);
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
        member.putObject("asked")
                .put("one", comparison.asked().one())
                .put("many", comparison.asked().many())
                .put("found", comparison.asked().found());
        member.put("axis", comparison.experiment().axisLabel());
        ArrayNode claims = (ArrayNode) member.get("claims");
        for (int i = 0; i < claims.size(); i++) {
            ((ObjectNode) claims.get(i))
                    .put("spoken", comparison.claims().get(i).source().spoken());
        }
        List<PairVerdict> told = comparison.verdictsAgainstBaseline();
        List<PairVerdict> others = comparison.verdicts().stream()
                .filter(verdict -> !told.contains(verdict))
                .toList();
        member.set("told", JSON.valueToTree(VerdictTable.of(told, comparison.asked())));
        member.set("others", JSON.valueToTree(VerdictTable.of(others, comparison.asked())));
        member.set(
                "sides",
                JSON.valueToTree(Stream.concat(
                                comparison.sides().stream().map(side -> side.sentence()),
                                comparison.equalAnswers().stream())
                        .toList()));
        member.set("saturated", JSON.valueToTree(comparison.saturated()));
        member.put("ratios", MetricWords.ratios(comparison));
        Set<String> names =
                new TreeSet<>(comparison.figures().stream().map(Series::metric).toList());
        names.add(comparison.experiment().judged().metric().name());
        comparison.experiment().judged().alsoShow().forEach(metric -> names.add(metric.name()));
        ObjectNode metrics = member.putObject("metrics");
        names.forEach(
                name -> metrics.set(name, JSON.valueToTree(MetricWords.of(new Metric(name), comparison.asked()))));
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

    /** The courses of all figures of a history as one page that opens offline. */
    public static String history(List<History.Course> courses) throws IOException {
        Map<String, MetricWords> words = new TreeMap<>();
        courses.forEach(course -> words.put(course.figure(), MetricWords.ofFigure(course.figure())));
        return new ChartPage("siemload: history")
                .elements()
                .script(RESOURCES + "history.js")
                .data(Map.of("courses", courses, "words", words))
                .with(RESOURCES + "history.html");
    }
}
