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
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import siemload.database.Counters.Io;
import siemload.database.Target.Transport;
import siemload.database.TargetPlugin;
import siemload.results.FeederResult;
import siemload.results.ResultValue;
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
import siemload.results.report.Report.Block;
import siemload.results.report.Report.Line;
import siemload.results.report.Report.Lines;
import siemload.results.statistics.Median;
import siemload.results.statistics.PercentileIntervals;

/** What is told of a run, in the words of {@code run.yaml}. Immutable, but for what is made of it. */
final class RunReport {
    private static final YAMLMapper YAML = new YAMLMapper();
    private static final double P95 = 0.95;

    private final JsonNode form;
    private final JsonNode data;
    private final Map<String, Block> own;

    RunReport(RunResult run) {
        Words words = Words.of(run);
        String searches = words.searches();
        try {
            this.form = YAML.readTree(ChartPage.text("/siemload/results/report/run.yaml")
                    .replace("$Searches", searches.substring(0, 1).toUpperCase(Locale.ROOT) + searches.substring(1))
                    .replace("$searches", searches)
                    .replace("$search", words.search())
                    .replace("$due", words.due()));
        } catch (IOException broken) {
            throw new UncheckedIOException("run.yaml", broken);
        }
        this.data = data(run);
        this.own = Map.of(
                "stepMedians", StepSections.medians(run.steps()),
                "eachStep", StepSections.each(run.steps()),
                "circumstances", head("circumstances"));
    }

    /** All sections behind the head. */
    Report sections() {
        return new Report().tell(form.get("sections"), data, own);
    }

    /** A part of what stands above them: {@code circumstances}, {@code verdict}, {@code objectives} or {@code notes}. */
    Block head(String part) {
        return Report.block(form.get("head").get(part), data, Map.of());
    }

    /** Its lines. */
    List<Line> lines(String part) {
        return head(part) instanceof Lines lines ? lines.lines() : List.of();
    }

    /** What was run, in one sentence. */
    String sentence() {
        return lines("sentence").get(0).text();
    }

    /** What the numbers are worth, in a few words: {@code disturbed, SATURATED, but few}. */
    String verdict() {
        return data.get("verdict").asText();
    }

    // ---- what run.yaml needs

    /** run.json, and what is told beside it. */
    private static JsonNode data(RunResult run) {
        Measurement measured = run.measured();
        ObjectNode data = (ObjectNode) ResultValue.tree(run);
        double seconds = run.identity().measuredSeconds();
        data.set(
                "rows",
                ResultValue.tree(
                        measured.rows().stream().map(one -> row(one, seconds)).toList()));
        data.set(
                "searches",
                ResultValue.tree(measured.searches().stream()
                        .map(one -> row(one, seconds))
                        .toList()));
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
        boolean unseen = feeder.lost() < 0;
        String found = feeder.lost() + " lost, " + feeder.duplicated() + " twice";
        data.put("lookedFor", unseen ? "the events could not be looked for" : found);
        data.set(
                "busiest",
                ResultValue.tree(measured.database().relations().stream()
                        .sorted(Comparator.comparingLong(one -> -one.blocksRead() - one.blocksHit()))
                        .toList()));
        ArrayNode counters = data.putArray("counters");
        measured.database()
                .counters()
                .forEach((name, value) -> counters.addObject().put("name", name).put("value", value));
        // Of one that never answered a note tells.
        data.set(
                "seenHosts",
                ResultValue.tree(measured.hosts().stream()
                        .filter(one -> one.failedLooks() < one.looks())
                        .toList()));
        ioOfEach(run, data.putArray("ioOfEach"));
        data.put("ioUntold", data.get("ioOfEach").isEmpty() && !run.plans().isEmpty());
        head(data, run);
        return data;
    }

    private static void head(ObjectNode data, RunResult run) {
        DatasetRecord dataset = run.identity().dataset();
        TargetRecord target = run.identity().target();
        boolean isOfSteps = run.hasStepsOnly();
        boolean isOfOthers = dataset.wasThereBefore();
        double seconds = run.identity().measuredSeconds();
        // Of one that is not on this class path the results know the id alone.
        String name = TargetPlugin.find(target.id()).map(TargetPlugin::name).orElse(target.id());
        // Where siemload started the server itself, it goes without saying that there is no TLS.
        boolean ownServer = !target.provision().equals("external");
        Transport connection = target.connection();
        boolean isUntold = ownServer && connection.security() == Transport.Security.NONE;
        data.put("stepsOnly", isOfSteps)
                .put("wasThereBefore", isOfOthers)
                .put("isOfDataSet", !isOfSteps && !isOfOthers)
                .put("isOfStatements", !isOfSteps && isOfOthers && dataset.events() == 0)
                .put("isOfOthers", !isOfSteps && isOfOthers && dataset.events() > 0)
                .put("who", who(run))
                .put("stepCount", Amounts.count(run.steps().size(), "step"))
                .put("database", name + " " + target.version())
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
        verdict(data, run);
    }

    private static void verdict(ObjectNode data, RunResult run) {
        Words words = Words.of(run);
        long count = run.measured().searches().stream()
                .mapToLong(SearchResult::count)
                .sum();
        long fewest = PercentileIntervals.fewest(P95);
        boolean isFew = count < fewest && !run.hasStepsOnly();
        long undecided =
                run.objectives().stream().filter(ObjectiveResult::hasTooFew).count();
        List<String> reservations = new ArrayList<>();
        if (isFew || undecided > 0) {
            reservations.add("few");
        }
        if (!run.identity().dataset().leftOut().isEmpty()) {
            reservations.add("lines of the recording were left out");
        }
        String but = reservations.isEmpty() ? "" : ", but " + String.join(", and ", reservations);
        Validity validity = run.validity();
        boolean isSound = validity.verdict() == RunVerdict.VALID;
        boolean isDisturbed = validity.verdict() == RunVerdict.DISTURBED;
        String saturated = validity.saturation().seen() ? ", SATURATED" : "";
        data.put("isSound", isSound && but.isEmpty())
                .put("isSoundBut", isSound && !but.isEmpty())
                .put("but", but)
                .put(
                        "verdict",
                        validity.valid() ? validity.verdict().label() + saturated + but : "NOT VALID" + saturated)
                .put("disturbance", isDisturbed ? validity.disturbance().sentence() : "")
                .put(
                        "fewInAll",
                        isFew ? count + " " + (count == 1 ? words.search() : words.searches()) + " in all" : "")
                .put("fewest", fewest)
                .put("undecided", undecided)
                .set("faults", ResultValue.tree(validity.faults()));
    }

    private static JsonNode row(SearchResult one, double seconds) {
        ObjectNode row = (ObjectNode) ResultValue.tree(one);
        boolean isTotal = one.kind().equals(SearchKind.ALL) || one.kind().equals(SearchKind.COUNTS);
        return row.put("label", one.kind().label())
                .put("perSecond", one.count() / seconds)
                .put("weight", one.count() + 1e9 * one.ko())
                .put("total", isTotal);
    }

    /** What the database read and wrote for one report, by purpose: the mean of equal steps, or one search alone before the load. */
    private static void ioOfEach(RunResult run, ArrayNode rows) {
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

    /**
     * What users do in a run: they search events, or execute statements of a scenario.
     *
     * @param due what a user was to do when its response time began
     */
    record Words(String search, String searches, String due) {
        static Words of(RunResult run) {
            if (run.asksStatements()) {
                return new Words("statement", "statements", "the user was due to send the statement");
            }
            return new Words("search", "searches", "the " + user(run) + " was due to search");
        }
    }

    private static String user(RunResult run) {
        return run.identity().dataset().wasThereBefore() ? "user" : "analyst";
    }

    /** Closed groups have users; of open ones only the arrivals are known. */
    private static String who(RunResult run) {
        String user = user(run);
        long users = run.identity().settings().stream()
                .filter(setting -> setting.path().matches("analysts\\[.*]\\.users")
                        && setting.value().matches("\\d{1,9}"))
                .mapToLong(setting -> Long.parseLong(setting.value()))
                .sum();
        return users == 0
                ? user.substring(0, 1).toUpperCase(Locale.ROOT) + user.substring(1) + "s"
                : Amounts.count(users, user);
    }

    /** The variant under test. */
    static String variant(RunResult run) {
        TargetRecord target = run.identity().target();
        String variant = target.variant().label();
        return target.provision()
                + (run.identity().dataset().wasThereBefore() ? ", read-only" : "")
                + (variant.isEmpty() ? "" : ", " + variant);
    }

    private static String format(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }

    /** What is told of the steps of a procedure, whatever they did. Stateless. */
    static final class StepSections {
        private static final String MICROS = "Micros";
        /** More kinds of steps no chart has room for. */
        private static final int MOST_CHARTED = 20;

        private StepSections() {}

        private static Map<String, List<StepRecord>> byName(List<StepRecord> steps) {
            return steps.stream()
                    .collect(Collectors.groupingBy(StepRecord::name, LinkedHashMap::new, Collectors.toList()));
        }

        private static List<Double> values(Collection<StepRecord> steps, String figure) {
            return steps.stream()
                    .filter(step -> step.figures().containsKey(figure))
                    .map(step -> step.figures().getOrDefault(figure, 0.0) / (figure.endsWith(MICROS) ? 1000 : 1))
                    .toList();
        }

        private static OptionalDouble median(List<StepRecord> steps, String figure) {
            List<Double> values = values(steps, figure);
            return values.isEmpty() ? OptionalDouble.empty() : OptionalDouble.of(Median.of(values));
        }

        /** The names of all figures of some steps, times first. */
        private static List<String> figures(List<StepRecord> steps) {
            return steps.stream()
                    .flatMap(step -> step.figures().keySet().stream())
                    .distinct()
                    .sorted(Comparator.comparing(figure -> !figure.endsWith(MICROS) && !figure.equals("seconds")))
                    .toList();
        }

        /** How a figure is called: {@code last event ms}, {@code rows}. */
        private static String title(String figure) {
            return figure.replaceFirst(MICROS + "$", "Ms")
                    .replaceAll("[A-Z]", " $0")
                    .toLowerCase(Locale.ROOT);
        }

        /** The medians of equal steps, or what one of them has; empty texts where there are none. */
        private static List<String> amounts(List<String> figures, List<StepRecord> same) {
            return figures.stream()
                    .map(figure -> {
                        OptionalDouble median = median(same, figure);
                        double number = median.orElse(0);
                        boolean whole = number == Math.rint(number) && !figure.endsWith(MICROS);
                        int digits = whole || Math.abs(number) >= 1000 ? 0 : Math.abs(number) >= 100 ? 1 : 2;
                        return median.isPresent() ? Amounts.digits(digits, number) : "";
                    })
                    .toList();
        }

        /** A row for equal steps, with the medians of their figures. */
        static Table medians(List<StepRecord> steps) {
            List<String> figures = figures(steps);
            Table table = table(Stream.of("step", "done", "failed"), figures)
                    .of("steps")
                    .note("medians over equal steps");
            byName(steps).forEach((name, same) -> {
                long failed = same.stream().filter(StepRecord::failed).count();
                table.row(name, same.size() - failed, failed, amounts(figures, same));
            });
            return table;
        }

        /** A row for each, with its facts. */
        static Table each(List<StepRecord> steps) {
            List<String> facts = steps.stream()
                    .flatMap(step -> step.facts().keySet().stream())
                    .distinct()
                    .toList();
            List<String> figures = figures(steps);
            Table table = table(Stream.concat(Stream.of("step"), facts.stream().map(fact -> "<" + fact)), figures);
            steps.forEach(step -> table.row(
                    step.name(),
                    facts.stream()
                            .map(fact -> step.facts().getOrDefault(fact, ""))
                            .toList(),
                    amounts(figures, List.of(step))));
            return table;
        }

        private static Table table(Stream<String> titles, List<String> figures) {
            return Table.titled(Stream.concat(titles, figures.stream().map(StepSections::title))
                    .toArray(String[]::new));
        }

        /** Figures of steps as a chart of the page takes them: name, title and the values of each kind of step. */
        static List<Map<String, Object>> charted(List<StepRecord> steps) {
            return figures(steps).stream()
                    .map(figure -> Map.<String, Object>of(
                            "figure", figure, "title", title(figure), "rows", rows(steps, figure)))
                    .toList();
        }

        private static List<Object> rows(List<StepRecord> steps, String figure) {
            List<Object> rows = new ArrayList<>();
            byName(steps).entrySet().stream().limit(MOST_CHARTED).forEach(kind -> {
                double median = median(kind.getValue(), figure).orElse(0);
                rows.add(Map.of("name", kind.getKey(), "values", values(kind.getValue(), figure), "median", median));
            });
            return rows;
        }
    }
}
