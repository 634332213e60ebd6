package siemload.compare.experiment;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToLongFunction;
import org.HdrHistogram.Histogram;
import siemload.compare.statistics.Median;
import siemload.measure.environment.EnvironmentFile;
import siemload.measure.environment.EnvironmentRecord;
import siemload.measure.environment.Section;
import siemload.results.FeederResult.VisibilityResult;
import siemload.results.LoggedInterval;
import siemload.results.LoggedInterval.LatencyLogReader;
import siemload.results.MicrosSummary;
import siemload.results.Outcome;
import siemload.results.RunFile;
import siemload.results.RunResult;
import siemload.results.RunResult.Measurement;
import siemload.results.RunResultFile;
import siemload.results.SearchKind;
import siemload.results.SearchResult;
import siemload.results.StepRecord;
import siemload.results.TimeMetric;

/**
 * Reads what runs are compared by from the files of one. Percentiles are nearest rank over the merged histograms of all page
 * classes and orders of a search, never means of percentiles. Stateless.
 */
public final class RunFiguresReader {
    static final int SIGNIFICANT_DIGITS = 3;
    private static final String COUNT_CLASS = "count";

    private RunFiguresReader() {}

    /**
     * Reads a run's directory.
     *
     * @throws IOException if a file is missing or broken; the message names it
     */
    public static RunFigures read(Path directory) throws IOException {
        RunResult run = RunResultFile.read(RunFile.RUN.in(directory));
        return read(directory, run, run.steps());
    }

    /**
     * Reads those steps of a run of which a fact has this value; where the names of steps say it, what remains is about all.
     */
    static RunFigures read(Path directory, String fact, String value) throws IOException {
        RunResult run = RunResultFile.read(RunFile.RUN.in(directory));
        List<StepRecord> steps = run.steps().stream()
                .filter(step -> fact.equals(Axis.STEP)
                        ? step.name().equals(value)
                        : step.facts().getOrDefault(fact, "").equals(value.replace("_", "")))
                .map(step -> Axis.isInName(fact) ? new StepRecord(RunFigures.ALL, step.facts(), step.figures()) : step)
                .toList();
        return read(directory, run, steps);
    }

    private static RunFigures read(Path directory, RunResult run, List<StepRecord> own) throws IOException {
        Map<String, Map<String, Double>> figures = new TreeMap<>();
        Map<String, Long> searches = new TreeMap<>();
        List<String> invalid = new ArrayList<>(run.validity().faults());
        long answered = run.measured().searches().stream()
                .mapToLong(RunFiguresReader::timed)
                .sum();
        Path log = RunFile.RESPONSE_TIME.in(directory);
        if (answered > 0 || Files.exists(log)) {
            try {
                times(directory, TimeMetric.RESPONSE_TIME).forEach((subject, times) -> {
                    figures.put(subject, statistics(times));
                    of(figures, subject)
                            .put(
                                    "throughput",
                                    sum(run, subject, SearchResult::ok)
                                            / run.identity().measuredSeconds());
                    searches.put(subject, times.getTotalCount());
                });
                long logged = searches.entrySet().stream()
                        .filter(search -> !search.getKey().equals(RunFigures.ALL))
                        .mapToLong(Map.Entry::getValue)
                        .sum();
                if (logged != answered) {
                    invalid.add(log.getFileName() + " holds " + logged + " of " + answered
                            + " searches that were answered or given up");
                }
            } catch (IOException unreadable) {
                invalid.add(log.getFileName() + " cannot be read: " + unreadable.getMessage());
            }
        }
        if (run.measured().generator().cpuMicrosPerSearch() > 0) {
            of(figures, RunFigures.ALL)
                    .put("cpuMicrosPerSearch", run.measured().generator().cpuMicrosPerSearch());
        }
        if (run.measured().feeder().eventsPerSecond() > 0) {
            of(figures, RunFigures.FEEDER)
                    .put("achievedEventsPerSecond", run.measured().feeder().achievedEventsPerSecond());
        }
        OtherTimes.read(directory, run.measured(), invalid)
                .forEach((name, values) -> of(figures, name).putAll(values));
        steps(own).forEach((name, values) -> of(figures, name).putAll(values));
        if (run.identity().interrupted()) {
            invalid.add("somebody stopped the run");
        }
        if (figures.isEmpty()) {
            invalid.add("nothing was measured");
        }
        return new RunFigures(
                run.identity().runId(),
                figures,
                searches,
                plans(run, own),
                environment(directory),
                RunAnswers.of(run, own),
                overload(run),
                invalid);
    }

    private static Map<String, Double> of(Map<String, Map<String, Double>> figures, String subject) {
        return figures.computeIfAbsent(subject, unused -> new TreeMap<>());
    }

    /** A time of searches, by search and of all together, among which exact counts are not: they are not in objectives, either. */
    static Map<String, Histogram> times(Path directory, TimeMetric time) throws IOException {
        Map<String, Histogram> bySubject = new TreeMap<>();
        LatencyLogReader.read(directory, time, interval -> add(interval, bySubject));
        return bySubject;
    }

    private static void add(LoggedInterval interval, Map<String, Histogram> bySubject) {
        boolean counts = interval.tag().contains("-" + COUNT_CLASS + "-");
        String search = subject(interval.search(), counts);
        for (String subject : counts ? List.of(search) : List.of(search, RunFigures.ALL)) {
            bySubject
                    .computeIfAbsent(subject, unused -> new Histogram(SIGNIFICANT_DIGITS))
                    .add(interval.times());
        }
    }

    /** The searches that have a response time: those that were answered, and those that were given up. */
    private static long timed(SearchResult search) {
        return search.ok()
                + search.errors().entrySet().stream()
                        .filter(error -> Outcome.isOfGivenUp(error.getKey()))
                        .mapToLong(Map.Entry::getValue)
                        .sum();
    }

    /** A count over all page classes and orders of a search, or of all searches but exact counts. */
    private static double sum(RunResult run, String subject, ToLongFunction<SearchResult> count) {
        return run.measured().searches().stream()
                .filter(search -> subject.equals(RunFigures.ALL)
                        ? !counts(search.kind())
                        : subject.equals(subject(search.kind())))
                .mapToLong(count)
                .sum();
    }

    private static String subject(SearchKind kind) {
        return subject(kind.name(), counts(kind));
    }

    private static boolean counts(SearchKind kind) {
        return kind.page().equals(COUNT_CLASS);
    }

    /** Counting is another thing than listing, whatever it counts. */
    private static String subject(String search, boolean counts) {
        return counts ? search + " count" : search;
    }

    private static RunOverload overload(RunResult run) {
        Map<String, Double> unanswered = new TreeMap<>();
        run.measured().searches().forEach(search -> unanswered.put(subject(search.kind()), 0.0));
        unanswered.put(RunFigures.ALL, 0.0);
        unanswered.replaceAll((subject, unused) -> {
            double count = sum(run, subject, SearchResult::count);
            return count == 0 ? 0 : sum(run, subject, SearchResult::ko) / count;
        });
        return new RunOverload(run.validity().saturation().gaveOut(), unanswered);
    }

    private static Map<String, Double> statistics(Histogram times) {
        Map<String, Double> statistics = new TreeMap<>();
        statistics.put("p50", (double) times.getValueAtPercentile(50));
        statistics.put("p95", (double) times.getValueAtPercentile(95));
        statistics.put("p99", (double) times.getValueAtPercentile(99));
        statistics.put("mean", times.getMean());
        return statistics;
    }

    /** Steps of the same name are passes of the same thing: their median counts. */
    private static Map<String, Map<String, Double>> steps(List<StepRecord> steps) {
        Map<String, Map<String, List<Double>>> all = new TreeMap<>();
        for (StepRecord step : steps) {
            step.figures()
                    .forEach((figure, value) -> all.computeIfAbsent(step.name(), unused -> new TreeMap<>())
                            .computeIfAbsent(figure, unused -> new ArrayList<>())
                            .add(value));
        }
        Map<String, Map<String, Double>> medians = new TreeMap<>();
        all.forEach((name, figures) ->
                figures.forEach((figure, values) -> of(medians, name).put(figure, Median.of(values))));
        return medians;
    }

    /** The order is named only where a run had several, so that runs of one order each stand side by side. */
    private static Map<String, String> plans(RunResult run, List<StepRecord> steps) {
        Map<String, List<RunResult.PlanRecord>> byPage = new TreeMap<>();
        run.plans().stream()
                .filter(plan -> plan.failure().isEmpty())
                .forEach(plan -> byPage.computeIfAbsent(
                                plan.kind().name() + " " + plan.kind().page(), unused -> new ArrayList<>())
                        .add(plan));
        Map<String, String> plans = new TreeMap<>();
        byPage.forEach((page, records) -> records.forEach(
                plan -> plans.put(records.size() == 1 ? page : plan.kind().label(), plan.shape())));
        steps.forEach(step -> {
            String shape = step.facts().getOrDefault("planShape", "");
            if (!shape.isEmpty()) {
                plans.put(step.name(), shape);
            }
        });
        return plans;
    }

    /** Runs of programs of another kind may have none: then nothing can be said about what differed. */
    private static Map<String, Map<String, String>> environment(Path directory) throws IOException {
        EnvironmentRecord record = EnvironmentFile.read(RunFile.ENVIRONMENT.in(directory));
        Map<String, Map<String, String>> values = new TreeMap<>();
        for (Map.Entry<String, Section> section : record.sections().entrySet()) {
            values.put(section.getKey(), section.getValue().values());
        }
        return values;
    }

    /**
     * What runs are compared by beside response times: times to the first and to the last event of each search, how late batches
     * of the feeder were, and how long fed events took to be found. All in microseconds; a percentile only where enough values stand
     * behind it. Stateless.
     */
    private static final class OtherTimes {
        private static final Map<TimeMetric, String> OF_SEARCHES =
                Map.of(TimeMetric.FIRST_EVENT, Metric.FIRST_EVENT, TimeMetric.SERVICE_TIME, Metric.LAST_EVENT);

        private OtherTimes() {}

        /**
         * Those of a run, by subject and metric.
         *
         * @param invalid hears which log cannot be read
         */
        static Map<String, Map<String, Double>> read(Path directory, Measurement measured, List<String> invalid) {
            Map<String, Map<String, Double>> figures = new TreeMap<>();
            OF_SEARCHES.forEach((time, name) -> read(
                    directory,
                    time,
                    invalid,
                    () -> RunFiguresReader.times(directory, time)
                            .forEach((subject, times) -> add(figures, subject, name, times))));
            read(directory, TimeMetric.FEEDER_LATENESS, invalid, () -> {
                Histogram all = new Histogram(RunFiguresReader.SIGNIFICANT_DIGITS);
                LatencyLogReader.read(directory, TimeMetric.FEEDER_LATENESS, interval -> all.add(interval.times()));
                add(figures, RunFigures.FEEDER, Metric.LATENESS, all);
            });
            VisibilityResult visibility = measured.probes().visibility();
            percentiles(figures, RunFigures.FEEDER, Metric.VISIBLE, visibility.seen(), visibility.visibleMicros());
            return figures;
        }

        private interface Reading {
            void read() throws IOException;
        }

        /** A run whose log is missing has no such times. */
        private static void read(Path directory, TimeMetric time, List<String> invalid, Reading reading) {
            if (Files.exists(time.file().in(directory))) {
                try {
                    reading.read();
                } catch (IOException unreadable) {
                    invalid.add(time.file().fileName() + " cannot be read: " + unreadable.getMessage());
                }
            }
        }

        private static void add(
                Map<String, Map<String, Double>> figures, String subject, String name, Histogram times) {
            percentiles(figures, subject, name, times.getTotalCount(), MicrosSummary.of(times));
        }

        private static void percentiles(
                Map<String, Map<String, Double>> figures,
                String subject,
                String name,
                long count,
                MicrosSummary times) {
            Map<String, Long> percentiles = Map.of("P50", times.p50(), "P95", times.p95(), "P99", times.p99());
            percentiles.forEach((percentile, micros) -> {
                Metric metric = new Metric(name + percentile);
                if (count >= metric.searchesNeeded()) {
                    figures.computeIfAbsent(subject, unused -> new TreeMap<>()).put(metric.name(), (double) micros);
                }
            });
        }
    }
}
