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
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Stream;
import siemload.compare.CapacityResult.Trial;
import siemload.compare.Comparison.PairVerdict;
import siemload.compare.Comparison.Run;
import siemload.compare.SourceClaim.ClaimResult;
import siemload.compare.SourceClaim.ClaimResult.Outcome;
import siemload.compare.statistics.Decision;
import siemload.compare.statistics.Decision.Verdict;
import siemload.compare.statistics.Interval;
import siemload.compare.statistics.PairedRatios;
import siemload.config.Property;
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

/** What people and CI servers read of experiments, gates, capacities and histories. Stateless and thread-safe. */
public final class ComparisonReports {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String PAGE = "report.html";
    private static final String RESOURCES = "/siemload/compare/report/";
    private static final String NOT_MEASURED = "not measured yet";
    private static final String[] COLUMNS = {"search", "<variant", "ratio", "<95 % interval", "<verdict"};
    private static final List<Verdict> WEIGHTIEST_FIRST =
            List.of(Verdict.WORSE, Verdict.BETTER, Verdict.UNCLEAR, Verdict.SAME);

    private ComparisonReports() {}

    /** What a terminal shows, line by line. */
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
     * @return what was written
     */
    public static List<Path> write(Path directory, Comparison comparison) throws IOException {
        Experiment experiment = comparison.experiment();
        String page =
                page(experiment.name(), experiment.question(), report(comparison), List.of(member(comparison, "")));
        return written(directory, page, markdown(comparison));
    }

    /** What is told of a comparison. */
    public static Report report(Comparison comparison) {
        return tell(new Report(), comparison, "What is decided", 0);
    }

    static String markdown(Comparison comparison) {
        return "## siemload: " + Report.escaped(comparison.experiment().question()) + "\n\n"
                + report(comparison).markdown(Level.SUMMARY);
    }

    /** Tells a comparison in a section of its own; the page has its charts, for which it has a number. */
    private static Report tell(Report report, Comparison comparison, String title, int number) {
        Experiment experiment = comparison.experiment();
        List<Line> lines = new ArrayList<>();
        add(lines, "saturated", comparison.saturated());
        add(lines, "", comparison.sides());
        add(lines, "no verdict", comparison.withheld());
        add(lines, "not compared", comparison.gaps());
        add(lines, "disturbed", comparison.disturbed());
        comparison
                .invalidRuns()
                .forEach(run -> lines.add(new Line(
                        "run " + run.position() + " (" + run.variant() + ") does not count",
                        String.join("; ", run.invalid()))));
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
        List<PairVerdict> told = comparison.verdictsAgainstBaseline();
        List<PairVerdict> others = new ArrayList<>(comparison.verdicts());
        others.removeAll(told);
        Metric.Words words = experiment.metric().inWords();
        Table ofBaseline = verdicts(Table.titled(COLUMNS), told, PairVerdict::candidate, unused -> List.of())
                .intro(words.title() + " as a ratio to that of " + experiment.spoken(experiment.baseline()) + ", "
                        + (words.moreIsBetter() ? "above" : "below") + " 1 is better:");
        Table ofOthers = verdicts(
                Table.titled(COLUMNS),
                others,
                verdict -> verdict.candidate() + " / " + verdict.baseline(),
                unused -> List.of());
        Function<String, Block> chart = name -> new Chart(name + " " + number);
        return report.section(experiment.name(), title)
                .add(Level.SUMMARY, new Lines("", "", lines), ofBaseline, new Lines("", "", claims))
                .add(
                        Level.PAGE,
                        new Fold("Verdicts among the other variants (" + others.size() + ")", List.of(ofOthers)),
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
        // Slices of a gate write no reports: they alone say when they fail.
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

    /** @param members one for an experiment; of a suite those that were made */
    private static String page(String title, String question, Report report, List<ObjectNode> members)
            throws IOException {
        return new ChartPage("siemload: " + title)
                .style(RESOURCES + "comparison.css")
                .script(RESOURCES + "comparison-charts.js")
                .script(RESOURCES + "comparison-kinds.js")
                .script(RESOURCES + "comparison.js")
                .data(Map.of("title", title, "question", question, "sections", report.page(), "members", members))
                .html(members.size() == 1 ? "summary.md beside it says" : "the summary.md of each series say");
    }

    // ---- suites

    /**
     * Writes {@code report.html} of several experiments in one file.
     *
     * @param directory where to; made if need be
     * @param planned all experiments of the suite, also those that were not made yet
     * @param experiments directories with a {@code comparison.json}, in the order in which they are told
     * @return what was written
     */
    public static Path write(
            Path directory, String name, String question, List<Experiment> planned, List<Path> experiments)
            throws IOException {
        List<Comparison> made = new ArrayList<>();
        for (Path experiment : experiments) {
            made.add(ResultFile.COMPARISON.read(experiment));
        }
        Report report =
                new Report().section("conclusions", "Conclusions").add(Level.PAGE, conclusionsOf(planned, made));
        List<ObjectNode> members = new ArrayList<>();
        for (Comparison one : made) {
            Path relative = directory
                    .toAbsolutePath()
                    .relativize(experiments.get(members.size()).toAbsolutePath());
            Experiment experiment = one.experiment();
            tell(report, one, experiment.name() + ": " + experiment.question(), members.size());
            members.add(member(one, relative.toString().replace('\\', '/')));
        }
        Files.createDirectories(directory);
        return Files.writeString(directory.resolve(PAGE), page(name, question, report, members));
    }

    /**
     * What the studies behind a suite concluded, and how that stands, for a terminal; nothing where no experiment tests a conclusion.
     *
     * @param planned all of the suite, in its order
     * @param made what those say that were made
     */
    public static List<String> conclusions(List<Experiment> planned, List<Comparison> made) {
        return text(new Report().section("conclusions", "").add(Level.SUMMARY, conclusionsOf(planned, made)));
    }

    /** An experiment that tests a conclusion. */
    private record Test(Experiment experiment, SourceClaim source) {}

    /**
     * By study and number, each with what the experiments that test it say of it, in the order of the suite; at the end experiments that
     * test none.
     */
    private static Table conclusionsOf(List<Experiment> planned, List<Comparison> made) {
        Table table = Table.titled("conclusion", "<stands", "<figures")
                .intro("figures are ratios of the metric that decides, with their 95 % intervals:");
        Function<Experiment, Optional<Comparison>> found = experiment -> made.stream()
                .filter(one -> one.experiment().name().equals(experiment.name()))
                .findFirst();
        List<Test> tests = planned.stream()
                .flatMap(experiment -> experiment.sources().stream().map(source -> new Test(experiment, source)))
                .filter(test -> test.source.conclusion() > 0)
                .toList();
        Map<String, Map<Integer, List<Test>>> byStudy = tests.stream()
                .collect(groupingBy(
                        test -> test.source.study(),
                        LinkedHashMap::new,
                        groupingBy(test -> test.source.conclusion(), TreeMap::new, toList())));
        byStudy.forEach((study, numbers) -> numbers.forEach((number, all) -> {
            Map<Test, ClaimResult> results = new LinkedHashMap<>();
            all.forEach(test -> results.put(
                    test,
                    found.apply(test.experiment)
                            .flatMap(one -> one.claims().stream()
                                    .filter(claim -> claim.source().equals(test.source))
                                    .findFirst())
                            .orElseGet(() -> new ClaimResult(test.source, Outcome.NOT_DECIDABLE, NOT_MEASURED))));
            List<Outcome> outcomes =
                    results.values().stream().map(ClaimResult::outcome).toList();
            String says = study + " " + number + ": " + all.get(0).source.says();
            table.row(says, Outcome.ofAll(outcomes).cell(), "");
            results.forEach((test, result) ->
                    table.row("- " + test.experiment.name(), result.outcome().cell(), result.explanation()));
        }));
        for (Experiment other : tests.isEmpty() ? List.<Experiment>of() : planned) {
            if (tests.stream().noneMatch(test -> test.experiment.equals(other))) {
                String figures = found.apply(other)
                        .map(one -> one.withheld().isEmpty() ? counts(one) : "verdicts withheld")
                        .orElse(NOT_MEASURED);
                table.row("- " + other.name(), "no conclusion", figures);
            }
        }
        return table;
    }

    /** How many verdicts against the baseline there are of each kind: {@code 2 worse, 7 the same}. */
    private static String counts(Comparison comparison) {
        Map<String, Integer> counts = new LinkedHashMap<>();
        comparison
                .verdictsAgainstBaseline()
                .forEach(one -> counts.merge(one.decision().verdict().words(), 1, Integer::sum));
        return counts.entrySet().stream()
                .map(one -> one.getValue() + " " + one.getKey())
                .collect(joining(", "));
    }

    // ---- history

    /** All figures of gates and runs, from night to night, as one page that opens offline. */
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
                .html("./siemload history says");
    }

    // ---- gates

    /** As Markdown: what was decided, and why, first; it ends with a line break. */
    public static String markdown(GateResult gate) {
        String outcome = gate.outcome().name().replace('_', ' ');
        return "## siemload gate: " + Report.escaped(gate.name()) + ": " + outcome + "\n\n"
                + report(gate).markdown(Level.TEXT);
    }

    /** What is told of a gate. */
    public static Report report(GateResult gate) {
        List<Line> lines = new ArrayList<>();
        lines.add(new Line("gate " + gate.name(), gate.outcome().words()));
        add(lines, "  why", gate.reasons());
        // What both sides answered to statements, where that is no reason.
        gate.paired().answers().stream()
                .filter(held -> !held.candidate().equals(GateRules.CONTROL))
                .map(Comparison.Answers::sentence)
                .filter(sentence -> !gate.reasons().contains(sentence))
                .forEach(sentence -> lines.add(new Line("  answers", sentence)));
        gate.tolerated().forEach(change -> lines.add(new Line("  meant", change.sentence())));
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
                .intro("candidate to baseline, of times and amounts below 1 is better:");
        String unsteady = "Facts that differ between two runs of the baseline, so they say nothing";
        return new Report()
                .section("gate", "")
                .add(Level.SUMMARY, new Lines("", "", lines), table)
                .add(
                        Level.TEXT,
                        new Lines("", "", sides),
                        Lines.of(unsteady, "", gate.unsteady()),
                        Lines.of("Not compared", "", gate.leftOut()));
    }

    /** As JUnit XML: what was decided and why, and each metric, are test cases. */
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

    /** The document of a gate that ended before anything could be decided. */
    public static String brokenDown(String scenario, String startedAt, String why) {
        List<Case> cases = List.of(new Case("the runs can be made", "broke down", why));
        return new JunitSuite("siemload.gate." + scenario, startedAt, 0, Map.of(), cases).toXml();
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
     * @return what was written
     */
    public static List<Path> write(Path directory, CapacityResult result) throws IOException {
        String page = new ChartPage("siemload: capacity of " + result.question().scenario())
                .script(RESOURCES + "capacity.js")
                .data(Map.of("result", result, "sections", report(result).page()))
                .html("summary.md beside it says");
        return written(directory, page, markdown(result));
    }

    static String markdown(CapacityResult result) {
        return "## siemload capacity: " + Report.escaped(result.question().scenario()) + "\n\n"
                + report(result).markdown(Level.TEXT);
    }

    /** What is told of a capacity: the answer, what gave out first, and all runs. */
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
     * Verdicts as people look them up: a row for each, what is worse first, and below them why some say nothing.
     *
     * @param table whose columns are the search, the second one, ratio, interval, more, and the verdict
     */
    private static Table verdicts(
            Table table,
            List<PairVerdict> verdicts,
            Function<PairVerdict, String> second,
            Function<PairVerdict, List<String>> more) {
        // Of those that share a reason, the noisiest figure says what could have been seen.
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
            notes.add(
                    "with fewer than " + PairedRatios.LEAST_PAIRS + " pairs an interval is the range of what was seen");
        }
        return table.note(String.join("\n", notes));
    }
}
