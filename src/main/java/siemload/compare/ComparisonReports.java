package siemload.compare;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toList;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Stream;
import siemload.compare.CapacityResult.Trial;
import siemload.compare.CapacityResult.VariedLoad;
import siemload.compare.Comparison.PairVerdict;
import siemload.compare.Comparison.Run;
import siemload.compare.GateRules.GateResult;
import siemload.compare.SourceClaim.ClaimResult;
import siemload.compare.SourceClaim.ClaimResult.Outcome;
import siemload.compare.statistics.Decision;
import siemload.compare.statistics.Decision.Verdict;
import siemload.compare.statistics.Interval;
import siemload.compare.statistics.PairedRatios;
import siemload.config.Property;
import siemload.results.RunFile;
import siemload.results.RunResult;
import siemload.results.Validity.RunVerdict;
import siemload.results.report.Amounts;
import siemload.results.report.ChartPage;
import siemload.results.report.JunitSuite;
import siemload.results.report.JunitSuite.Case;
import siemload.results.report.Report;
import siemload.results.report.Report.Block;
import siemload.results.report.Report.Chart;
import siemload.results.report.Report.Fold;
import siemload.results.report.Report.Level;
import siemload.results.report.Report.Line;
import siemload.results.report.Report.Lines;
import siemload.results.report.Report.Prose;
import siemload.results.report.Table;

/** The reports of experiments, gates, capacities and histories for people and CI servers. Stateless and thread-safe. */
public final class ComparisonReports {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String PAGE = "report.html";
    private static final String RESOURCES = "/siemload/compare/report/";
    private static final String NOT_MEASURED = "not measured yet";
    private static final List<Verdict> WEIGHTIEST_FIRST =
            List.of(Verdict.WORSE, Verdict.BETTER, Verdict.UNCLEAR, Verdict.SAME);

    private ComparisonReports() {}

    /** Returns the lines of a report for a terminal. */
    public static List<String> text(Report report) {
        return report.text(Level.SUMMARY).lines().toList();
    }

    private static List<Path> written(Path directory, String page, String summary) throws IOException {
        return List.of(
                Files.writeString(directory.resolve(PAGE), page),
                Files.writeString(directory.resolve("summary.md"), summary));
    }

    private static void add(List<Line> lines, String label, List<String> sentences) {
        sentences.forEach(sentence -> lines.add(new Line(label, sentence)));
    }

    // ---- experiments

    /**
     * Writes {@code report.html} and {@code summary.md} of a comparison into the directory that holds its {@code comparison.json}.
     *
     * @return the written files
     */
    public static List<Path> write(Path directory, Comparison comparison) throws IOException {
        Experiment experiment = comparison.experiment();
        String page =
                page(experiment.name(), experiment.question(), report(comparison), List.of(member(comparison, "")));
        return written(directory, page, markdown(comparison));
    }

    /** The report of a comparison. */
    public static Report report(Comparison comparison) {
        return tell(new Report(), comparison, "Verdicts", 0);
    }

    static String markdown(Comparison comparison) {
        return "## siemload: " + Report.escaped(comparison.experiment().question()) + "\n\n"
                + report(comparison).markdown(Level.SUMMARY);
    }

    /** Adds the section of one comparison to a report; on the page, the number identifies the charts of the comparison. */
    private static Report tell(Report report, Comparison comparison, String title, int number) {
        Experiment experiment = comparison.experiment();
        List<Line> lines = new ArrayList<>();
        add(lines, "saturated", comparison.saturated());
        add(lines, "", comparison.sides());
        add(lines, "no verdict", comparison.withheld());
        add(lines, "not compared", comparison.gaps());
        add(lines, "disturbed", comparison.disturbed());
        for (Run run : comparison.invalidRuns()) {
            String which = "run " + run.position() + " (" + run.variant() + ") does not count";
            lines.add(new Line(which, String.join("; ", run.invalid())));
        }
        long made = comparison.runs().stream().map(Run::position).distinct().count();
        if (made < experiment.runs()) {
            lines.add(new Line("missing", (experiment.runs() - made) + " of " + experiment.runs() + " runs"));
        }
        if (comparison.withheld().isEmpty()) {
            comparison.differences().forEach(found -> lines.add(new Line("accepted", found.sentence())));
        }
        List<Line> claims = new ArrayList<>();
        for (ClaimResult claim : comparison.claims()) {
            claims.add(
                    new Line(claim.source().spoken() + " says", claim.source().says()));
            claims.add(new Line("that is " + claim.outcome().words(), claim.explanation()));
        }
        Metric.Words words = experiment.metric().inWords();
        Table verdicts = verdicts(
                        Table.titled("search", "<variant", "ratio", "<95 % interval", "<verdict"),
                        comparison.verdicts(),
                        PairVerdict::candidate,
                        unused -> List.of())
                .intro(words.title() + " as a ratio to that of " + experiment.spoken(experiment.baseline()) + ", "
                        + (words.moreIsBetter() ? "above" : "below") + " 1 is better:");
        Function<String, Block> chart = name -> new Chart(name + " " + number);
        return report.section(experiment.name(), title)
                .add(Level.SUMMARY, new Lines("", "", lines), verdicts, new Lines("", "", claims))
                .add(
                        Level.PAGE,
                        chart.apply("kind"),
                        chart.apply("variants"),
                        new Fold("Every run", List.of(chart.apply("runs"))),
                        new Fold("Plans", List.of(chart.apply("plans"))),
                        new Fold("How it was measured", List.of(chart.apply("measured"))));
    }

    private static ObjectNode member(Comparison comparison, String path) {
        Experiment experiment = comparison.experiment();
        ObjectNode member = JSON.valueToTree(comparison);
        member.put("path", path);
        member.put("axis", experiment.axisLabel());
        // Slices of a gate write no reports. Only slices have failOn in the settings of their experiment; a gate's
        // other runs lack it.
        member.put(
                "reports",
                !(GateRules.isGate(experiment) && experiment.settings().containsKey(Property.FAIL_ON.name())));
        ObjectNode metrics = member.putObject("metrics");
        Stream<Metric> measured = comparison.figures().stream().map(series -> new Metric(series.metric()));
        Stream.of(Stream.of(experiment.metric()), experiment.alsoShow().stream(), measured)
                .flatMap(some -> some)
                .forEach(metric -> metrics.putPOJO(metric.name(), metric.inWords()));
        return member;
    }

    /** @param members the experiment, or all experiments of a suite that were made */
    private static String page(String title, String question, Report report, List<ObjectNode> members)
            throws IOException {
        return new ChartPage("siemload: " + title)
                .style(RESOURCES + "comparison.css")
                .script(RESOURCES + "comparison-charts.js")
                .script(RESOURCES + "comparison-kinds.js")
                .script(RESOURCES + "comparison.js")
                .data(Map.of("title", title, "question", question, "sections", report.page(), "members", members))
                .html(members.size() == 1 ? "summary.md in this directory says" : "summary.md of each series says");
    }

    // ---- suites

    /**
     * Writes one {@code report.html} about several experiments.
     *
     * @param directory the directory of the file; created if it is missing
     * @param planned all experiments of the suite, also those that were not made yet
     * @param made the comparisons by their directories, in the order of the report
     * @return the written file
     */
    public static Path write(
            Path directory, String name, String question, List<Experiment> planned, Map<Path, Comparison> made)
            throws IOException {
        Report report = new Report()
                .section("conclusions", "Conclusions")
                .add(Level.PAGE, conclusionsOf(planned, made.values()));
        List<ObjectNode> members = new ArrayList<>();
        made.forEach((place, one) -> {
            Path relative = directory.toAbsolutePath().relativize(place.toAbsolutePath());
            Experiment experiment = one.experiment();
            tell(report, one, experiment.name() + ": " + experiment.question(), members.size());
            members.add(member(one, relative.toString().replace('\\', '/')));
        });
        Files.createDirectories(directory);
        return Files.writeString(directory.resolve(PAGE), page(name, question, report, members));
    }

    /**
     * Returns for a terminal whether the conclusions of the studies behind a suite hold; empty if no experiment tests a conclusion.
     *
     * @param planned all experiments of the suite, in its order
     * @param made the comparisons made so far
     */
    public static List<String> conclusions(List<Experiment> planned, Collection<Comparison> made) {
        return text(new Report().section("conclusions", "").add(Level.SUMMARY, conclusionsOf(planned, made)));
    }

    /** An experiment that tests a conclusion of a study, with the result. */
    private record Test(Experiment experiment, ClaimResult result) {}

    /**
     * A table of the conclusions by study and number, each with the results of the experiments that test it, in the order of the suite.
     * Experiments that test no conclusion come last.
     */
    private static Table conclusionsOf(List<Experiment> planned, Collection<Comparison> made) {
        Table table = Table.titled("conclusion", "<outcome", "<figures")
                .intro("figures are ratios of the metric that decides, with their 95 % intervals:");
        Map<String, Comparison> byName = new LinkedHashMap<>();
        made.forEach(one -> byName.put(one.experiment().name(), one));
        List<Test> tests = new ArrayList<>();
        for (Experiment experiment : planned) {
            for (SourceClaim source : experiment.sources()) {
                Comparison found = byName.get(experiment.name());
                tests.add(new Test(
                        experiment,
                        Stream.ofNullable(found)
                                .flatMap(one -> one.claims().stream())
                                .filter(claim -> claim.source().equals(source))
                                .findFirst()
                                .orElseGet(() -> new ClaimResult(source, Outcome.NOT_DECIDABLE, NOT_MEASURED))));
            }
        }
        tests.removeIf(test -> test.result.source().conclusion() == 0);
        Map<String, Map<Integer, List<Test>>> byStudy = tests.stream()
                .collect(groupingBy(
                        test -> test.result.source().study(),
                        LinkedHashMap::new,
                        groupingBy(test -> test.result.source().conclusion(), TreeMap::new, toList())));
        byStudy.forEach((study, numbers) -> numbers.forEach((number, all) -> {
            Outcome outcome = Outcome.ofAll(
                    all.stream().map(test -> test.result.outcome()).toList());
            table.row(study + " " + number + ": " + all.get(0).result.source().says(), outcome.cell(), "");
            all.forEach(test -> table.row(
                    "- " + test.experiment.name(), test.result.outcome().cell(), test.result.explanation()));
        }));
        for (Experiment other : tests.isEmpty() ? List.<Experiment>of() : planned) {
            if (tests.stream().noneMatch(test -> test.experiment.equals(other))) {
                Comparison found = byName.get(other.name());
                String figures =
                        found == null ? NOT_MEASURED : found.withheld().isEmpty() ? counts(found) : "verdicts withheld";
                table.row("- " + other.name(), "no conclusion", figures);
            }
        }
        return table;
    }

    /** Returns how many verdicts of each kind there are: {@code 2 worse, 7 the same}. */
    private static String counts(Comparison comparison) {
        Map<String, Integer> counts = new LinkedHashMap<>();
        comparison
                .verdicts()
                .forEach(one -> counts.merge(one.decision().verdict().words(), 1, Integer::sum));
        return counts.keySet().stream().map(one -> counts.get(one) + " " + one).collect(joining(", "));
    }

    // ---- history

    /**
     * The figures of a gate or a run. Immutable.
     *
     * @param at the start, as in RFC 3339
     * @param name the name of the scenario: only equal names are compared
     * @param label the name of the directory, for people
     * @param outcome {@code passed}, {@code host too noisy} or another outcome of a gate; {@code invalid}, {@code disturbed} or {@code
     *     saturated} for a run; else empty
     * @param figures the figures by subject and metric, {@code HAWAT1 p95}
     */
    public record HistoryEntry(String at, String name, String label, String outcome, Map<String, Double> figures) {
        /**
         * Reads the entry of a gate's directory, for which {@code gate.json} is enough, or of a run's directory.
         *
         * @throws IOException if the directory holds no results, or broken results
         */
        public static HistoryEntry read(Path directory) throws IOException {
            String label = String.valueOf(directory.toAbsolutePath().normalize().getFileName());
            Map<String, Double> figures = new TreeMap<>();
            if (ResultFile.GATE.isIn(directory)) {
                GateResult gate = ResultFile.GATE.read(directory);
                // The history has the candidate's medians, since the candidate is what will be released.
                gate.paired().figures().stream()
                        .filter(series -> series.variant().equals(GateRules.CANDIDATE))
                        .filter(series -> gate.verdicts().stream()
                                .anyMatch(verdict -> verdict.isOf(series.subject(), series.metric())))
                        .forEach(series -> figures.put(series.subject() + " " + series.metric(), series.median()));
                return new HistoryEntry(
                        gate.startedAt(), gate.name(), label, gate.outcome().words(), figures);
            }
            if (!Files.exists(RunFile.RUN.in(directory))) {
                throw new IOException(directory + " holds no results of a gate or a run");
            }
            RunResult run = RunResult.read(RunFile.RUN.in(directory));
            RunFigures measured = RunFigures.of(run, directory);
            measured.figures()
                    .forEach((subject, values) -> values.keySet().stream()
                            .map(Metric::new)
                            .filter(metric -> !metric.isOtherTime())
                            .forEach(metric -> measured.figure(subject, metric)
                                    .ifPresent(value -> figures.put(subject + " " + metric.name(), value))));
            RunVerdict verdict = run.validity().verdict();
            boolean saturated = run.validity().saturation().seen();
            String outcome = verdict == RunVerdict.NOT_VALID
                    ? "invalid"
                    : saturated ? "saturated" : verdict == RunVerdict.DISTURBED ? "disturbed" : "";
            return new HistoryEntry(
                    run.identity().startedAt().toString(), run.identity().scenario(), label, outcome, figures);
        }
    }

    /** Returns one page that opens offline, with all figures of gates and runs from night to night. */
    public static String history(List<HistoryEntry> entries) throws IOException {
        List<HistoryEntry> inTime =
                entries.stream().sorted(Comparator.comparing(HistoryEntry::at)).toList();
        Map<String, Metric.Words> words = new TreeMap<>();
        inTime.stream()
                .flatMap(entry -> entry.figures().keySet().stream())
                .forEach(figure ->
                        words.put(figure, new Metric(figure.substring(figure.lastIndexOf(' ') + 1)).inWords()));
        return new ChartPage("siemload: history")
                .script(RESOURCES + "history.js")
                .data(Map.of("entries", inTime, "words", words))
                .html("the output of ./siemload history says");
    }

    // ---- gates

    /** The result of a gate as Markdown, with the decision and its reasons first; ends with a line feed. */
    public static String markdown(GateResult gate) {
        String outcome = gate.outcome().name().replace('_', ' ');
        return "## siemload gate: " + Report.escaped(gate.name()) + ": " + outcome + "\n\n"
                + report(gate).markdown(Level.TEXT);
    }

    /** The report of a gate. */
    public static Report report(GateResult gate) {
        List<Line> lines = new ArrayList<>();
        lines.add(new Line("gate " + gate.name(), gate.outcome().words()));
        add(lines, "  why", gate.reasons());
        // Shows how both sides answered statements, unless a reason already says so.
        gate.paired().answers().stream()
                .filter(held -> !held.candidate().equals(GateRules.CONTROL))
                .map(Comparison.Answers::sentence)
                .filter(sentence -> !gate.reasons().contains(sentence))
                .forEach(sentence -> lines.add(new Line("  answers", sentence)));
        gate.tolerated().forEach(change -> lines.add(new Line("  tolerated", change.sentence())));
        List<Line> sides = new ArrayList<>();
        properties(gate).forEach((name, words) -> sides.add(new Line(name, words)));
        Table table = verdicts(
                        Table.titled("search", "<metric", "ratio", "<95 % interval", "<baseline to itself", "<verdict"),
                        gate.verdicts(),
                        verdict -> new Metric(verdict.metric()).words(),
                        verdict -> List.of(gate.control().stream()
                                .filter(control -> control.isOf(verdict.subject(), verdict.metric()))
                                .map(PairVerdict::decision)
                                .map(decision -> decision.ratio().bounds()
                                        + (decision.verdict().isDifference() ? " differs" : ""))
                                .findFirst()
                                .orElse("")))
                .intro("ratio of candidate to baseline; below 1 is better for times and amounts:");
        String unsteady = "Facts that differ between two runs of the baseline, so they prove nothing";
        return new Report()
                .section("gate", "")
                .add(Level.SUMMARY, new Lines("", "", lines), table)
                .add(
                        Level.TEXT,
                        new Lines("", "", sides),
                        Lines.of(unsteady, "", gate.unsteady()),
                        Lines.of("Not compared", "", gate.leftOut()));
    }

    /** The result of a gate as JUnit XML; the decision with its reasons is a test case, and so is each metric. */
    public static String junit(GateResult gate) {
        GateResult.Outcome outcome = gate.outcome();
        List<Case> cases = new ArrayList<>();
        boolean passed = outcome == GateResult.Outcome.PASSED;
        cases.add(Case.of("the candidate may pass", passed, outcome.words(), String.join("\n", gate.reasons())));
        for (PairVerdict verdict : gate.verdicts()) {
            boolean worse = outcome == GateResult.Outcome.REGRESSION
                    && verdict.decision().verdict() == Verdict.WORSE;
            cases.add(Case.of(verdict.subject() + " " + verdict.metric(), !worse, "worse", verdict.sentence()));
        }
        double seconds = gate.paired().runs().stream().mapToDouble(Run::seconds).sum();
        return new JunitSuite("siemload.gate." + gate.name(), gate.startedAt(), seconds, properties(gate), cases)
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

    // ---- capacities

    /**
     * Writes {@code report.html} and {@code summary.md} into the directory that holds {@code capacity.json}.
     *
     * @return the written files
     */
    public static List<Path> write(Path directory, CapacityResult result) throws IOException {
        String page = new ChartPage("siemload: capacity of " + result.question().scenario())
                .script(RESOURCES + "capacity.js")
                .data(Map.of("result", result, "sections", report(result).page()))
                .html("summary.md in the same directory says");
        return written(directory, page, markdown(result));
    }

    static String markdown(CapacityResult result) {
        return "## siemload capacity: " + Report.escaped(result.question().scenario()) + "\n\n"
                + report(result).markdown(Level.TEXT);
    }

    /** The report of a capacity search: the answer, the first bottleneck, and all runs. */
    public static Report report(CapacityResult result) {
        List<Line> lines = new ArrayList<>(List.of(new Line("", "  " + result.sentence())));
        result.firstMissed()
                .ifPresent(trial -> lines.add(new Line(
                        "",
                        trial.gaveOut().isEmpty()
                                ? "    no watched resource was exhausted; first missed: "
                                        + String.join("; ", trial.why())
                                : "    bottleneck: " + String.join("; ", trial.gaveOut()))));
        Table runs = Table.titled(
                result.question().range().varied().unit, "p50, ms", "p95, ms", "p99, ms", "answers/s", "<outcome");
        for (Trial trial : result.trials()) {
            runs.row(
                    VariedLoad.number(trial.load()),
                    Amounts.millis(trial.p50Micros()),
                    Amounts.millis(trial.p95Micros()),
                    Amounts.millis(trial.p99Micros()),
                    Amounts.significant(trial.searchesPerSecond()),
                    trial.words());
        }
        String asked = String.join(", ", result.question().objectives());
        return new Report()
                .section("capacity", "The largest load")
                .add(Level.SUMMARY, new Prose("the largest load that meets " + asked + ":"), new Lines("", "", lines))
                .add(Level.PAGE, new Chart("loads"))
                .add(Level.TEXT, runs);
    }

    // ---- verdicts

    /**
     * A table of verdicts, the worst first; notes below it say why some verdicts are not decided.
     *
     * @param table the empty table, with a column for the search, a second column, ratio, interval, more columns, and verdict
     */
    private static Table verdicts(
            Table table,
            List<PairVerdict> verdicts,
            Function<PairVerdict, String> second,
            Function<PairVerdict, List<String>> more) {
        // Figures with the same reason share a note, which is about the noisiest of them.
        Map<String, Decision> noisiest = new LinkedHashMap<>();
        List<PairVerdict> sorted = new ArrayList<>(verdicts);
        sorted.sort(Comparator.comparing(
                verdict -> WEIGHTIEST_FIRST.indexOf(verdict.decision().verdict())));
        for (PairVerdict verdict : sorted) {
            Decision decision = verdict.decision();
            Verdict kind = decision.verdict();
            String words = kind.words() + (kind.isDifference() ? ", " + decision.brief() : "");
            if (kind == Verdict.UNCLEAR) {
                String reason = decision.reason();
                noisiest.merge(reason, decision, (one, other) -> one.spread() >= other.spread() ? one : other);
                words += " [" + (List.copyOf(noisiest.keySet()).indexOf(reason) + 1) + "]";
            }
            table.row(
                    verdict.subject(),
                    second.apply(verdict),
                    Interval.ratio(decision.ratio().estimate()),
                    decision.ratio().bounds(),
                    more.apply(verdict),
                    new Table.Cell(words, "", kind == Verdict.WORSE ? "bad" : kind == Verdict.BETTER ? "good" : ""));
        }
        List<String> notes = new ArrayList<>();
        noisiest.values().forEach(one -> notes.add("[" + (notes.size() + 1) + "] " + one.why()));
        if (verdicts.stream().anyMatch(one -> one.decision().pairs() < PairedRatios.LEAST_PAIRS)) {
            notes.add("with fewer than " + PairedRatios.LEAST_PAIRS + " pairs an interval is the range of all ratios");
        }
        return table.note(String.join("\n", notes));
    }
}
