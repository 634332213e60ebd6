package siemload.results.report;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.mapping;
import static java.util.stream.Collectors.toList;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import siemload.config.RegularFile;
import siemload.database.Counters.Io;
import siemload.database.Target.Transport;
import siemload.database.TargetPlugin;
import siemload.results.FeederResult;
import siemload.results.ResultText.BrokenFileException;
import siemload.results.ResultText.WholeFile;
import siemload.results.ResultValue;
import siemload.results.RunFile;
import siemload.results.RunResult;
import siemload.results.RunResult.DatasetRecord;
import siemload.results.RunResult.InjectorResult;
import siemload.results.RunResult.Measurement;
import siemload.results.RunResult.ObjectiveResult;
import siemload.results.RunResult.PlanRecord;
import siemload.results.RunResult.SearchResult;
import siemload.results.RunResult.StepRecord;
import siemload.results.RunResult.TargetRecord;
import siemload.results.SearchKey.SearchKind;
import siemload.results.Validity;
import siemload.results.Validity.RunVerdict;
import siemload.results.Validity.Saturation;
import siemload.results.report.JunitSuite.Case;
import siemload.results.report.Report.Block;
import siemload.results.report.Report.Level;
import siemload.results.report.Report.Line;
import siemload.results.report.Report.Lines;
import siemload.results.report.Report.Prose;
import siemload.results.statistics.Median;
import siemload.results.statistics.PercentileIntervals;

/**
 * The reports of a run, made with the texts of {@code run.yaml} from the files in the run's directory: {@code report.txt} and {@code
 * report.html} for people, {@code summary.md} for the page of a CI job, {@code junit.xml} for the job's list of tests, and a summary for a
 * terminal. Used by one thread.
 */
public final class RunReports {
    private static final YAMLMapper YAML = new YAMLMapper();

    private final RunResult run;
    /** The content of run.json, with further facts. */
    private final ObjectNode data;

    private final JsonNode form;
    private final Report sections;

    private RunReports(RunResult run) {
        this.run = run;
        this.data = (ObjectNode) ResultValue.tree(run);
        boolean isOfStatements = run.asksStatements();
        String user = run.identity().dataset().wasThereBefore() ? "user" : "analyst";
        String search = isOfStatements ? "statement" : "search";
        String searches = search + (isOfStatements ? "s" : "es");
        String due = isOfStatements ? "the user was due to send the statement" : "the " + user + " was due to search";
        try {
            this.form = YAML.readTree(RegularFile.resource(ChartPage.class, "/siemload/results/report/run.yaml")
                    .replace("$Searches", capital(searches))
                    .replace("$searches", searches)
                    .replace("$search", search)
                    .replace("$due", due));
        } catch (IOException broken) {
            throw new UncheckedIOException("run.yaml", broken);
        }
        addFigures();
        addHead(user);
        addVerdict(search, searches);
        Map<String, Block> own = Map.of(
                "stepMedians", StepSections.medians(run.steps()),
                "eachStep", StepSections.each(run.steps()),
                "circumstances", head("circumstances"));
        this.sections = new Report().tell(form.get("sections"), data, own);
    }

    /**
     * The reports that were written.
     *
     * @param run the run that the reports are about
     * @param directory the absolute path of the run's directory
     * @param leftOut the reasons why parts of report.html are missing although their files exist; usually empty
     */
    public record Written(RunResult run, Path directory, List<String> leftOut) {
        public Written {
            leftOut = List.copyOf(leftOut);
        }
    }

    /**
     * Writes all reports of a run, each whole or not at all.
     *
     * @param given the directory of a run, or a directory of results, whose newest run is taken
     * @throws BrokenFileException if there is no run, or its run.json is broken
     * @throws IOException if a report cannot be written
     */
    public static Written write(Path given) throws IOException {
        Path directory = find(given.toAbsolutePath().normalize());
        RunResult run = RunResult.read(RunFile.RUN.in(directory));
        RunReports told = new RunReports(run);
        ReportData.Result page = ReportData.of(directory, run);
        Map<String, Object> head = Map.of(
                "sentence", told.sentence(),
                "variant", told.variant(),
                "verdict", told.data.get("verdict"),
                "why", told.lines("verdict"),
                "objectives", told.lines("objectives"),
                "notes", run.validity().notes());
        page.json().set("head", ResultValue.tree(head));
        page.json().set("sections", ResultValue.tree(told.sections.page()));
        String title = "## siemload: " + Report.escaped(run.identity().scenario()) + " is "
                + told.data.get("verdict").asText() + "\n\n";
        String summary = title + told.head().markdown(Level.SUMMARY) + told.sections.markdown(Level.SUMMARY);
        WholeFile.write(RunFile.REPORT_TEXT.in(directory), told.text());
        WholeFile.write(
                RunFile.REPORT_PAGE.in(directory),
                new ChartPage("siemload: " + run.identity().runId())
                        .script("/siemload/results/report/page.js")
                        .data(page.json())
                        .html("summary.md and report.txt in the same directory say"));
        WholeFile.write(RunFile.SUMMARY.in(directory), summary);
        WholeFile.write(RunFile.JUNIT.in(directory), told.junit());
        return new Written(run, directory, page.broken());
    }

    private static Path find(Path given) throws IOException {
        Path latest = given.resolve("latest");
        if (Files.exists(RunFile.RUN.in(given))) {
            return given;
        } else if (Files.exists(RunFile.RUN.in(latest))) {
            return latest.toRealPath();
        }
        String neither =
                ": neither the directory of a run (with run.json) nor a directory of results (where 'latest' is a run)";
        throw new BrokenFileException(given + (Files.isDirectory(given) ? neither : ": there is no such directory"));
    }

    /** Returns the whole report as text, at most 112 columns wide; ends with a line feed. */
    public static String text(RunResult run) {
        return new RunReports(run).text();
    }

    private String text() {
        return run.identity().scenario() + ": " + head().text(Level.TEXT) + "\n" + sections.text(Level.TEXT);
    }

    /** Returns the most important part of the report, at most 40 lines, without the verdict, which {@link #ending} returns. */
    public static String summary(RunResult run) {
        RunReports told = new RunReports(run);
        return run.identity().scenario() + ": " + of(told.title()).summary() + "\n" + told.sections.summary()
                + (run.objectives().isEmpty() ? "" : "\n")
                + of(told.head("objectives")).summary();
    }

    /** Returns the verdict on the numbers for the last lines on a terminal; ends with a line feed. */
    public static String ending(RunResult run) {
        int notes = run.validity().notes().size();
        return (notes == 0 ? "" : notes + (notes == 1 ? " note is" : " notes are") + " in the report\n")
                + of(new RunReports(run).head("verdict")).summary();
    }

    /** Returns the head of the report: a sentence about the run, the verdict, objectives and notes. */
    private Report head() {
        return of(title())
                .add(Level.TEXT, head("circumstances"))
                .add(Level.SUMMARY, head("verdict"), head("objectives"), head("notes"));
    }

    private static Report of(Block block) {
        return new Report().section("", "").add(Level.SUMMARY, block);
    }

    private Prose title() {
        return new Prose(sentence() + " (" + variant() + ")");
    }

    /** Returns a description of the run in one sentence. */
    private String sentence() {
        return lines("sentence").get(0).text();
    }

    private Block head(String part) {
        return Report.block(form.get("head").get(part), data, Map.of());
    }

    private List<Line> lines(String part) {
        return head(part) instanceof Lines lines ? lines.lines() : List.of();
    }

    /** The variant under test. */
    private String variant() {
        TargetRecord target = run.identity().target();
        String variant = target.variant().label();
        return target.provision()
                + (run.identity().dataset().wasThereBefore() ? ", read-only" : "")
                + (variant.isEmpty() ? "" : ", " + variant);
    }

    /** Returns validity, saturation and each objective as test cases, which a CI server lists, counts and tracks. */
    private String junit() {
        RunResult.RunIdentity identity = run.identity();
        String target = identity.target().id() + " " + identity.target().version();
        Map<String, String> properties =
                new TreeMap<>(Map.of("run", identity.runId(), "target", target, "variant", variant()));
        List<Case> cases = new ArrayList<>();
        Validity validity = run.validity();
        Saturation saturation = validity.saturation();
        String faults = String.join("\n", validity.faults());
        cases.add(Case.of("the run is valid", validity.valid(), "NOT VALID", faults));
        String advice = "\nwhat to change first: " + saturation.advice();
        String signs = String.join("\n", saturation.sentences()) + advice;
        cases.add(Case.of("the database kept up", !saturation.seen(), "SATURATED", signs));
        for (ObjectiveResult one : run.objectives()) {
            String measured = "measured " + one.measured();
            boolean isMet = one.is(ObjectiveResult.Outcome.MET);
            cases.add(
                    one.is(ObjectiveResult.Outcome.UNDECIDED)
                            ? Case.skipped(one.text(), "undecided: " + measured + "; " + one.reason())
                            : Case.of(one.text(), isMet, "MISSED", one.text() + ": " + measured));
        }
        String started = identity.startedAt().toString();
        return new JunitSuite("siemload." + identity.scenario(), started, identity.measuredSeconds(), properties, cases)
                .toXml();
    }

    // ---- what run.yaml needs

    private void addFigures() {
        Measurement measured = run.measured();
        data.set("rows", rows(measured.rows()));
        data.set("searches", rows(measured.searches()));
        ArrayNode failures = data.putArray("failures");
        measured.searches()
                .forEach(search -> search.errors()
                        .forEach((error, count) -> failures.addObject()
                                .put("label", search.kind().label())
                                .put("error", error)
                                .put("count", count)));
        List<InjectorResult> told = measured.injectors();
        data.put("silentInjectors", measured.injectorsStarted() - told.size());
        data.put("skewMicros", InjectorResult.startSkewMicros(told));
        FeederResult feeder = measured.feeder();
        String found = feeder.lost() + " lost, " + feeder.duplicated() + " twice";
        data.put("lookedFor", feeder.lost() < 0 ? "the events could not be looked up" : found);
        data.set(
                "busiest",
                ResultValue.tree(measured.database().relations().stream()
                        .sorted(Comparator.comparingLong(one -> -one.blocksRead() - one.blocksHit()))
                        .toList()));
        ArrayNode counters = data.putArray("counters");
        measured.database()
                .counters()
                .forEach((name, value) -> counters.addObject().put("name", name).put("value", value));
        // If a host never answered, a note says so.
        data.set(
                "seenHosts",
                ResultValue.tree(measured.hosts().stream()
                        .filter(one -> one.failedLooks() < one.looks())
                        .toList()));
        addIoOfEach(data.putArray("ioOfEach"));
        data.put("ioUntold", data.get("ioOfEach").isEmpty() && !run.plans().isEmpty());
    }

    private JsonNode rows(List<SearchResult> searches) {
        ArrayNode rows = data.arrayNode();
        for (SearchResult one : searches) {
            boolean isTotal = one.kind().equals(SearchKind.ALL) || one.kind().equals(SearchKind.COUNTS);
            rows.add(((ObjectNode) ResultValue.tree(one))
                    .put("label", one.kind().label())
                    .put("perSecond", one.count() / run.identity().measuredSeconds())
                    .put("weight", one.count() + 1e9 * one.ko())
                    .put("total", isTotal));
        }
        return rows;
    }

    private void addHead(String user) {
        DatasetRecord dataset = run.identity().dataset();
        TargetRecord target = run.identity().target();
        boolean isOfSteps = run.hasStepsOnly();
        boolean isOfOthers = dataset.wasThereBefore();
        double seconds = run.identity().measuredSeconds();
        // If a target is not on the class path, only its id is known, from the results.
        String name = TargetPlugin.find(target.id()).map(TargetPlugin::name).orElse(target.id());
        // The report does not say that a server that siemload started has no TLS.
        boolean ownServer = !target.provision().equals("external");
        Transport connection = target.connection();
        boolean isUntold = ownServer && connection.security() == Transport.Security.NONE;
        // Only closed groups have a number of users; open groups have arrivals.
        long users = run.identity().settings().stream()
                .filter(setting -> setting.path().matches("analysts\\[.*]\\.users")
                        && setting.value().matches("\\d{1,9}"))
                .mapToLong(setting -> Long.parseLong(setting.value()))
                .sum();
        data.put("stepsOnly", isOfSteps)
                .put("wasThereBefore", isOfOthers)
                .put("isOfDataSet", !isOfSteps && !isOfOthers)
                .put("isOfStatements", !isOfSteps && isOfOthers && dataset.events() == 0)
                .put("isOfOthers", !isOfSteps && isOfOthers && dataset.events() > 0)
                .put("who", users == 0 ? capital(user) + "s" : Amounts.count(users, user))
                .put("stepCount", Amounts.count(run.steps().size(), "step"))
                .put("databaseName", name + " " + target.version())
                .put(
                        "took",
                        seconds < 120
                                ? format("%.1f s", seconds)
                                : format("%d min %02d s", (long) seconds / 60, (long) seconds % 60))
                .put("connection", isUntold ? "" : connection.label())
                .put("answeredBy", ownServer ? "" : connection.server());
        data.path("objectives").forEach(one -> {
            String outcome = one.get("outcome").asText();
            ((ObjectNode) one).put("label", outcome.equals("missed") ? "MISSED" : outcome);
        });
    }

    private void addVerdict(String search, String searches) {
        long count = run.measured().searches().stream()
                .mapToLong(SearchResult::count)
                .sum();
        long fewest = PercentileIntervals.fewest(0.95);
        boolean isFew = count < fewest && !run.hasStepsOnly();
        String few = isFew ? ", but few" : "";
        String leftOut = run.identity().dataset().leftOut().isEmpty() ? "" : "lines of the recording were left out";
        String but = few + (leftOut.isEmpty() ? "" : (few.isEmpty() ? ", but " : ", and ") + leftOut);
        Validity validity = run.validity();
        boolean isDisturbed = validity.verdict() == RunVerdict.DISTURBED;
        String saturated = validity.saturation().seen() ? ", SATURATED" : "";
        String verdict = validity.valid() ? validity.verdict().label() + saturated + but : "NOT VALID" + saturated;
        data.put("isSound", validity.verdict() == RunVerdict.VALID)
                .put("but", but)
                .put("verdict", verdict)
                .put("disturbance", isDisturbed ? validity.disturbance().sentence() : "")
                .put("fewInAll", isFew ? count + " " + (count == 1 ? search : searches) + " in all" : "")
                .put("fewest", fewest)
                .set("faults", ResultValue.tree(validity.faults()));
    }

    /** Adds the database's input and output by purpose: means of equal steps, or figures of one search of each kind before the load. */
    private void addIoOfEach(ArrayNode rows) {
        Map<String, List<List<Io>>> byName = run.steps().stream()
                .filter(step -> !step.failed() && !step.io().isEmpty())
                .collect(groupingBy(StepRecord::name, LinkedHashMap::new, mapping(StepRecord::io, toList())));
        if (byName.isEmpty()) {
            byName = run.plans().stream()
                    .filter(plan -> !plan.io().isEmpty())
                    .collect(groupingBy(
                            plan -> plan.kind().label(), LinkedHashMap::new, mapping(PlanRecord::io, toList())));
        }
        byName.forEach((name, all) -> Io.CATEGORIES.forEach(category -> all.stream()
                .flatMap(List::stream)
                .filter(one -> one.category().equals(category))
                .reduce(Io::plus)
                .ifPresent(sum -> rows.addObject()
                        .put("label", name)
                        .put("category", category)
                        .put("blocks", (double) (sum.hits() + sum.reads() + sum.writes()) / all.size())
                        .put("bytes", (double) (sum.readBytes() + sum.writtenBytes()) / all.size()))));
    }

    private static String capital(String word) {
        return word.substring(0, 1).toUpperCase(Locale.ROOT) + word.substring(1);
    }

    private static String format(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }

    /** The sections of the report about a procedure's steps, whatever the procedure does. Stateless. */
    static final class StepSections {
        private static final String MICROS = "Micros";
        /** The largest number of kinds of steps for which a chart has space. */
        private static final int MOST_CHARTED = 20;

        private StepSections() {}

        private static Map<String, List<StepRecord>> byName(List<StepRecord> steps) {
            return steps.stream().collect(groupingBy(StepRecord::name, LinkedHashMap::new, toList()));
        }

        private static List<Double> values(List<StepRecord> steps, String figure) {
            return steps.stream()
                    .filter(step -> step.figures().containsKey(figure))
                    .map(step -> step.figures().getOrDefault(figure, 0.0) / (figure.endsWith(MICROS) ? 1000 : 1))
                    .toList();
        }

        /** Returns the names of all figures of some steps, with times first. */
        private static List<String> figures(List<StepRecord> steps) {
            return steps.stream()
                    .flatMap(step -> step.figures().keySet().stream())
                    .distinct()
                    .sorted(Comparator.comparing(figure -> !figure.endsWith(MICROS) && !figure.equals("seconds")))
                    .toList();
        }

        /** Returns the title of a figure: {@code last event ms}, {@code rows}. */
        private static String title(String figure) {
            return figure.replaceFirst(MICROS + "$", "Ms")
                    .replaceAll("[A-Z]", " $0")
                    .toLowerCase(Locale.ROOT);
        }

        /** Returns the median of a figure over equal steps; an empty text if no step has the figure. */
        private static String amount(String figure, List<StepRecord> same) {
            List<Double> values = values(same, figure);
            double number = values.isEmpty() ? 0 : Median.of(values);
            boolean whole = number == Math.rint(number) && !figure.endsWith(MICROS);
            int digits = whole || Math.abs(number) >= 1000 ? 0 : Math.abs(number) >= 100 ? 1 : 2;
            return values.isEmpty() ? "" : Amounts.digits(digits, number);
        }

        /** Returns a table with a row for each name of steps, which has the medians over all steps of this name. */
        static Table medians(List<StepRecord> steps) {
            List<String> figures = figures(steps);
            Table table = table(Stream.of("step", "done", "failed"), figures)
                    .of("steps")
                    .note("medians over equal steps");
            byName(steps).forEach((name, same) -> {
                long failed = same.stream().filter(StepRecord::failed).count();
                List<String> amounts =
                        figures.stream().map(figure -> amount(figure, same)).toList();
                table.row(name, same.size() - failed, failed, amounts);
            });
            return table;
        }

        /** Returns a table with a row for each step, which has the step's facts and figures. */
        static Table each(List<StepRecord> steps) {
            List<String> facts = steps.stream()
                    .flatMap(step -> step.facts().keySet().stream())
                    .distinct()
                    .toList();
            List<String> figures = figures(steps);
            Table table = table(Stream.concat(Stream.of("step"), facts.stream().map(fact -> "<" + fact)), figures);
            for (StepRecord step : steps) {
                Stream<String> told = facts.stream().map(fact -> step.facts().getOrDefault(fact, ""));
                Stream<String> amounts = figures.stream().map(figure -> amount(figure, List.of(step)));
                table.row(step.name(), Stream.concat(told, amounts).toList());
            }
            return table;
        }

        private static Table table(Stream<String> titles, List<String> figures) {
            return Table.titled(Stream.concat(titles, figures.stream().map(StepSections::title))
                    .toArray(String[]::new));
        }

        /** Returns figures of steps for a chart of the page: for each figure its name, its title and the values of each kind of step. */
        static List<Map<String, Object>> charted(List<StepRecord> steps) {
            Map<String, List<StepRecord>> kinds = byName(steps);
            List<Map<String, Object>> charted = new ArrayList<>();
            for (String figure : figures(steps)) {
                List<Object> rows = new ArrayList<>();
                kinds.entrySet().stream().limit(MOST_CHARTED).forEach(kind -> {
                    List<Double> values = values(kind.getValue(), figure);
                    double median = values.isEmpty() ? 0 : Median.of(values);
                    rows.add(Map.of("name", kind.getKey(), "values", values, "median", median));
                });
                charted.add(Map.of("figure", figure, "title", title(figure), "rows", rows));
            }
            return charted;
        }
    }
}
