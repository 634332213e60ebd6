package siemload.compare.report;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import siemload.compare.capacity.CapacityResult;
import siemload.compare.capacity.CapacityResult.Trial;
import siemload.compare.capacity.VariedLoad;
import siemload.compare.experiment.Comparison;
import siemload.compare.experiment.Comparison.PairVerdict;
import siemload.compare.experiment.Comparison.Series;
import siemload.compare.experiment.Experiment;
import siemload.compare.experiment.GateResult;
import siemload.compare.experiment.GateRules;
import siemload.compare.experiment.History;
import siemload.compare.experiment.Metric;
import siemload.compare.experiment.ResultFile;
import siemload.compare.experiment.SourceClaim;
import siemload.compare.experiment.SourceClaim.ClaimResult;
import siemload.compare.experiment.SourceClaim.ClaimResult.Outcome;
import siemload.compare.statistics.Decision;
import siemload.compare.statistics.Decision.Verdict;
import siemload.compare.statistics.DecisionText;
import siemload.compare.statistics.PairedRatios;
import siemload.results.report.Amounts;
import siemload.results.report.ChartPage;
import siemload.results.report.JunitSuite;
import siemload.results.report.JunitSuite.Case;
import siemload.results.report.Report;
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
    private static final int MOST_FIGURES = 2;

    private ComparisonReports() {}

    // ---- experiments

    /**
     * Writes {@code report.html} and {@code summary.md} of a comparison into the directory that holds its {@code comparison.json}.
     *
     * @return what was written
     */
    public static List<Path> write(Path directory, Comparison comparison) throws IOException {
        Experiment experiment = comparison.experiment();
        String page = page(experiment.name(), experiment.question(), List.of(), List.of(member(comparison, "")));
        return written(directory, page, markdown(comparison));
    }

    private static List<Path> written(Path directory, String page, String summary) throws IOException {
        return List.of(
                Files.writeString(directory.resolve(PAGE), page),
                Files.writeString(directory.resolve("summary.md"), summary));
    }

    /** What a terminal shows of a comparison, line by line. */
    public static List<String> text(Comparison comparison) {
        return lines(report(comparison));
    }

    private static List<String> lines(Report report) {
        return report.text(Level.SUMMARY).lines().toList();
    }

    static String markdown(Comparison comparison) {
        return "## siemload: " + Report.escaped(comparison.experiment().question()) + "\n\n"
                + report(comparison).markdown(Level.SUMMARY);
    }

    private static Report report(Comparison comparison) {
        Experiment experiment = comparison.experiment();
        List<Line> lines = new ArrayList<>();
        add(lines, "saturated", comparison.saturated());
        add(lines, "", comparison.sides());
        add(lines, "no verdict", comparison.withheld());
        add(lines, "not compared", comparison.gaps());
        add(lines, "disturbed", comparison.disturbed());
        for (Comparison.Run run : comparison.invalidRuns()) {
            String label = "run " + run.position() + " (" + run.variant() + ") does not count";
            add(lines, label, List.of(String.join("; ", run.invalid())));
        }
        long made = comparison.runs().stream()
                .map(Comparison.Run::position)
                .distinct()
                .count();
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
        VerdictTable verdicts = VerdictTable.of(comparison.verdictsAgainstBaseline());
        Table table = Table.titled("search", "<variant", "ratio", "<95 % interval", "<verdict")
                .intro(ratios(comparison) + ":")
                .note(verdicts.footnotes());
        verdicts.rows().forEach(row -> table.row(row.subject, row.candidate, row.ratio, row.interval, row.numbered()));
        return new Report()
                .section("comparison", "")
                .add(Level.SUMMARY, new Lines("", "", lines), table, new Lines("", "", claims));
    }

    private static void add(List<Line> lines, String label, List<String> sentences) {
        sentences.forEach(sentence -> lines.add(new Line(label, sentence)));
    }

    /** What the ratios say: {@code response time p95 as a ratio to that of none, below 1 is better}. */
    private static String ratios(Comparison comparison) {
        Experiment experiment = comparison.experiment();
        Metric.Words words = experiment.metric().inWords();
        return words.title() + " as a ratio to that of "
                + experiment.spoken(experiment.judged().baseline()) + ", "
                + (words.moreIsBetter() ? "above" : "below") + " 1 is better";
    }

    private static ObjectNode member(Comparison comparison, String path) {
        Experiment experiment = comparison.experiment();
        ObjectNode member = JSON.valueToTree(comparison);
        member.put("path", path);
        member.put("axis", experiment.axisLabel());
        member.put("reports", !experiment.isOfSlices());
        for (int i = 0; i < comparison.claims().size(); i++) {
            ((ObjectNode) member.path("claims").get(i))
                    .put("spoken", comparison.claims().get(i).source().spoken());
        }
        List<PairVerdict> told = comparison.verdictsAgainstBaseline();
        List<PairVerdict> others = new ArrayList<>(comparison.verdicts());
        others.removeAll(told);
        member.putPOJO("told", VerdictTable.of(told));
        member.putPOJO("others", VerdictTable.of(others));
        member.putPOJO("saturated", comparison.saturated());
        member.put("ratios", ratios(comparison));
        Stream<String> shown = Stream.concat(Stream.of(experiment.metric()), experiment.judged().alsoShow().stream())
                .map(Metric::name);
        ObjectNode metrics = member.putObject("metrics");
        Stream.concat(comparison.figures().stream().map(Series::metric), shown)
                .distinct()
                .sorted()
                .forEach(name -> metrics.putPOJO(name, new Metric(name).inWords()));
        return member;
    }

    /** @param members one for an experiment; of a suite those that were made */
    private static String page(String title, String question, List<ConclusionRow> conclusions, List<ObjectNode> members)
            throws IOException {
        return new ChartPage("siemload: " + title)
                .style(RESOURCES + "comparison.css")
                .script(RESOURCES + "comparison-charts.js")
                .script(RESOURCES + "comparison-kinds.js")
                .script(RESOURCES + "comparison.js")
                .data(Map.of("title", title, "question", question, "conclusions", conclusions, "members", members))
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
        List<ObjectNode> members = new ArrayList<>();
        for (Path experiment : experiments) {
            Path relative = directory.toAbsolutePath().relativize(experiment.toAbsolutePath());
            made.add(ResultFile.COMPARISON.read(experiment));
            members.add(member(made.get(made.size() - 1), relative.toString().replace('\\', '/')));
        }
        Files.createDirectories(directory);
        return Files.writeString(directory.resolve(PAGE), page(name, question, conclusionsOf(planned, made), members));
    }

    /**
     * What the studies behind a suite concluded, and how that stands, for a terminal; nothing where no experiment tests a conclusion.
     *
     * @param planned all of the suite, in its order
     * @param made what those say that were made
     */
    public static List<String> conclusions(List<Experiment> planned, List<Comparison> made) {
        Table table = Table.titled("conclusion", "<stands", "<figures")
                .intro("figures are ratios of the metric that decides, with their 95 % intervals:");
        conclusionsOf(planned, made)
                .forEach(row -> table.row(row.whole ? row.title : "- " + row.title, row.stands, row.figures));
        return lines(new Report().section("conclusions", "").add(Level.SUMMARY, table));
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
            return new ConclusionRow(title, whole, outcome.name(), outcome.words(), figures);
        }
    }

    /** By study and number, each with what the experiments that test it say of it, in the order of the suite. */
    private static List<ConclusionRow> conclusionsOf(List<Experiment> planned, List<Comparison> made) {
        Map<String, Comparison> byName = new LinkedHashMap<>();
        made.forEach(one -> byName.putIfAbsent(one.experiment().name(), one));
        Map<String, Map<Integer, Map<Experiment, SourceClaim>>> byStudy = new LinkedHashMap<>();
        Set<Experiment> others = new LinkedHashSet<>(planned);
        for (Experiment experiment : planned) {
            for (SourceClaim source : experiment.sources()) {
                if (source.conclusion() > 0) {
                    others.remove(experiment);
                    byStudy.computeIfAbsent(source.study(), unused -> new TreeMap<>())
                            .computeIfAbsent(source.conclusion(), unused -> new LinkedHashMap<>())
                            .put(experiment, source);
                }
            }
        }
        List<ConclusionRow> rows = new ArrayList<>();
        byStudy.forEach((study, numbers) -> numbers.forEach((number, parts) -> {
            List<ConclusionRow> tested = new ArrayList<>();
            List<Outcome> outcomes = new ArrayList<>();
            parts.forEach((experiment, source) -> {
                Optional<ClaimResult> result = Optional.ofNullable(byName.get(experiment.name()))
                        .flatMap(one -> one.claims().stream()
                                .filter(claim -> claim.source().isSameConclusion(source))
                                .findFirst());
                outcomes.add(result.map(ClaimResult::outcome).orElse(Outcome.NOT_DECIDABLE));
                tested.add(ConclusionRow.of(
                        experiment.name(),
                        false,
                        outcomes.get(outcomes.size() - 1),
                        result.map(ComparisonReports::figures).orElse(NOT_MEASURED)));
            });
            String says = parts.values().iterator().next().says();
            rows.add(ConclusionRow.of(study + " " + number + ": " + says, true, Outcome.ofAll(outcomes), ""));
            rows.addAll(tested);
        }));
        for (Experiment other : rows.isEmpty() ? Set.<Experiment>of() : others) {
            String figures = Optional.ofNullable(byName.get(other.name()))
                    .map(one -> one.withheld().isEmpty() ? counts(one) : "verdicts withheld")
                    .orElse(NOT_MEASURED);
            rows.add(new ConclusionRow(other.name(), false, "", "no conclusion", figures));
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
                        + DecisionText.ratio(tested.ratio().estimate()) + " (" + DecisionText.bounds(tested.ratio())
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
                .forEach(verdict -> counts.merge(verdict.decision().verdict().words(), 1, Integer::sum));
        return counts.entrySet().stream()
                .map(one -> one.getValue() + " " + one.getKey())
                .collect(Collectors.joining(", "));
    }

    // ---- history

    /** The courses of all figures of a history as one page that opens offline. */
    public static String history(History history) throws IOException {
        Map<String, Metric.Words> words = new TreeMap<>();
        history.courses()
                .values()
                .forEach(figures -> figures.keySet()
                        .forEach(figure ->
                                words.put(figure, Metric.ofFigure(figure).inWords())));
        return new ChartPage("siemload: history")
                .script(RESOURCES + "history.js")
                .data(Map.of("entries", history.entries(), "words", words))
                .html("./siemload history says");
    }

    // ---- gates

    /** What a terminal shows, line by line. */
    public static List<String> text(GateResult gate) {
        return lines(report(gate, new Lines("", "", List.of(new Line("gate " + gate.name(), headline(gate))))));
    }

    /** As Markdown: what was decided, and why, first; it ends with a line break. */
    public static String markdown(GateResult gate) {
        return "## siemload gate: " + Report.escaped(gate.name()) + ": " + headline(gate) + "\n\n"
                + report(gate, new Prose("")).markdown(Level.TEXT);
    }

    private static Report report(GateResult gate, Report.Block head) {
        List<Line> lines = new ArrayList<>();
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
        VerdictTable verdicts = VerdictTable.of(gate.verdicts());
        Table table = Table.titled("search", "<metric", "ratio", "<95 % interval", "<baseline to itself", "<verdict")
                .intro("candidate to baseline, of times and amounts below 1 is better:")
                .note(verdicts.footnotes());
        for (VerdictTable.Row row : verdicts.rows()) {
            String itself = gate.control().stream()
                    .filter(control -> control.subject().equals(row.subject)
                            && new Metric(control.metric()).words().equals(row.metric))
                    .map(PairVerdict::decision)
                    .map(decision -> DecisionText.bounds(decision.ratio())
                            + (decision.verdict().isDifference() ? " differs" : ""))
                    .findFirst()
                    .orElse("");
            table.row(row.subject, row.metric, row.ratio, row.interval, itself, row.numbered());
        }
        String unsteady = "Facts that differ between two runs of the baseline, so that they say nothing";
        return new Report()
                .section("gate", "")
                .add(Level.SUMMARY, head, new Lines("", "", lines), table)
                .add(
                        Level.TEXT,
                        new Lines("", "", sides),
                        Lines.of(unsteady, "", gate.unsteady()),
                        Lines.of("Not compared", "", gate.leftOut()));
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
        boolean noisy = gate.outcome() == GateResult.Outcome.HOST_TOO_NOISY
                || gate.control().stream()
                        .anyMatch(verdict -> verdict.decision().verdict().isDifference());
        boolean trusted = !invalid && !noisy;
        cases.add(Case.of("the runs can be trusted", !invalid, "INVALID", why));
        cases.add(Case.of("the baseline is the same as itself", !noisy, "HOST TOO NOISY", why));
        // Those of certificates; of statements, which have none, what both sides answered.
        boolean certified = gate.paired().answers().isEmpty();
        List<String> changes = certified
                ? gate.exact().stream().map(GateResult.ExactChange::sentence).toList()
                : gate.paired().answers().stream()
                        .map(Comparison.Answers::sentence)
                        .filter(gate.reasons()::contains)
                        .toList();
        cases.add(Case.of(
                certified ? "facts without noise are unchanged" : "both sides answered alike",
                changes.isEmpty(),
                "CHANGED",
                String.join("\n", changes)));
        String saturated = gate.reasons().stream()
                .filter(reason -> reason.startsWith(GateRules.SATURATED))
                .collect(Collectors.joining("\n"));
        cases.add(Case.of(
                "the candidate keeps up where the baseline does",
                saturated.isEmpty() || !trusted,
                "SATURATED",
                saturated));
        for (PairVerdict verdict : gate.verdicts()) {
            boolean worse = trusted && verdict.decision().verdict() == Verdict.WORSE;
            cases.add(Case.of(verdict.subject() + " " + verdict.metric(), !worse, "REGRESSION", verdict.sentence()));
        }
        double seconds = gate.paired().runs().stream()
                .mapToDouble(Comparison.Run::seconds)
                .sum();
        return new JunitSuite("siemload.gate." + gate.name(), gate.startedAt(), seconds, properties(gate), cases)
                .toXml();
    }

    /** The document of a gate that ended before anything could be decided. */
    public static String brokenDown(String scenario, String startedAt, String why) {
        List<Case> cases = List.of(new Case("the runs can be made", "BROKE DOWN", why));
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
                .data(result)
                .html("summary.md beside it says");
        return written(directory, page, markdown(result));
    }

    /** What a terminal shows, line by line: the answer, and what gave out first. */
    public static List<String> text(CapacityResult result) {
        return lines(report(result));
    }

    static String markdown(CapacityResult result) {
        return "## siemload capacity: " + Report.escaped(result.question().scenario()) + "\n\n"
                + report(result).markdown(Level.TEXT);
    }

    private static Report report(CapacityResult result) {
        List<Line> lines = new ArrayList<>(List.of(new Line("", "  " + result.sentence())));
        result.firstMissed()
                .ifPresent(trial -> lines.add(new Line(
                        "",
                        trial.gaveOut().isEmpty()
                                ? "    nothing that was watched was used up; first missed: "
                                        + String.join("; ", trial.why())
                                : "    gave out first: " + String.join("; ", trial.gaveOut()))));
        Table runs = Table.titled(
                result.question().range().varied().unit(), "p50, ms", "p95, ms", "p99, ms", "answers/s", "<outcome");
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
                .section("capacity", "")
                .add(Level.SUMMARY, new Prose("the largest load that meets " + asked + ":"), new Lines("", "", lines))
                .add(Level.TEXT, runs);
    }

    // ---- verdicts

    /**
     * Verdicts as people look them up: a row for each, what is worse first, and below them why some say nothing. Immutable.
     *
     * @param reasons each once, however many rows share it
     * @param notes what holds of all rows
     */
    private record VerdictTable(List<Row> rows, List<String> reasons, List<String> notes) {
        private static final List<Verdict> WEIGHTIEST_FIRST =
                List.of(Verdict.WORSE, Verdict.BETTER, Verdict.UNCLEAR, Verdict.SAME);

        /**
         * One verdict.
         *
         * @param metric in words: {@code last event}
         * @param ratio candidate / baseline
         * @param interval {@code 0.97-1.03}
         * @param words for the verdict: {@code worse, 7 % slower}
         * @param reason which one of the reasons holds, 1 for the first; 0 where something was decided
         */
        record Row(
                String subject,
                String metric,
                String candidate,
                String baseline,
                String ratio,
                String interval,
                Verdict kind,
                String words,
                int reason) {

            /** The verdict with the number of its reason: {@code not decided [1]}. */
            String numbered() {
                return reason == 0 ? words : words + " [" + reason + "]";
            }
        }

        static VerdictTable of(List<PairVerdict> verdicts) {
            // Of those that share a reason, the noisiest figure says what could have been seen.
            Map<String, Decision> noisiest = new LinkedHashMap<>();
            List<PairVerdict> sorted = new ArrayList<>(verdicts);
            sorted.sort(Comparator.comparing(
                    verdict -> WEIGHTIEST_FIRST.indexOf(verdict.decision().verdict())));
            List<Row> rows = new ArrayList<>();
            for (PairVerdict verdict : sorted) {
                Decision decision = verdict.decision();
                Verdict kind = decision.verdict();
                int number = 0;
                if (kind == Verdict.UNCLEAR) {
                    String reason = DecisionText.reason(decision);
                    noisiest.merge(reason, decision, (one, other) -> one.spread() >= other.spread() ? one : other);
                    number = List.copyOf(noisiest.keySet()).indexOf(reason) + 1;
                }
                rows.add(new Row(
                        verdict.subject(),
                        new Metric(verdict.metric()).words(),
                        verdict.candidate(),
                        verdict.baseline(),
                        DecisionText.ratio(decision.ratio().estimate()),
                        DecisionText.bounds(decision.ratio()),
                        kind,
                        kind.words() + (kind.isDifference() ? ", " + DecisionText.brief(decision) : ""),
                        number));
            }
            boolean few = verdicts.stream().anyMatch(one -> one.decision().pairs() < PairedRatios.LEAST_PAIRS);
            String note =
                    "with fewer than " + PairedRatios.LEAST_PAIRS + " pairs an interval is the range of what was seen";
            return new VerdictTable(
                    rows, noisiest.values().stream().map(DecisionText::why).toList(), few ? List.of(note) : List.of());
        }

        /** The reasons with their numbers, and the notes, a line each. */
        String footnotes() {
            Stream<String> numbered =
                    IntStream.range(0, reasons.size()).mapToObj(i -> "[" + (i + 1) + "] " + reasons.get(i));
            return Stream.concat(numbered, notes.stream()).collect(Collectors.joining("\n"));
        }
    }
}
