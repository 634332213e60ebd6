package siemload.results;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import siemload.config.Choices;
import siemload.config.Secrets;
import siemload.database.Counters.Io;
import siemload.database.Counters.Relation;
import siemload.database.Target.Transport;
import siemload.query.PageClass;
import siemload.results.FeederResult.VisibilityResult;
import siemload.results.ResultText.BrokenFileException;
import siemload.results.ResultText.WholeFile;
import siemload.results.SearchKey.SearchKind;

/**
 * The result of one run, as {@code run.json} holds it: the keys of the file are the names of the record's components, and of the components
 * of unwrapped parts. Times are in microseconds; percentiles are nearest rank, within 0.1 %. Immutable.
 *
 * <ul>
 *   <li><b>response time</b>: from the instant the user was due to press Search to the last row;
 *   <li><b>worker wait</b>: from the instant the user was due to press Search until a worker took the search;
 *   <li><b>service time</b>: from the worker's start to the last row;
 *   <li><b>first event</b> (TFE) and <b>last event</b> (TTS): from the worker's start.
 * </ul>
 *
 * @param formatVersion the version of the file's format, 1
 * @param environment the fingerprint of each section of environment.json, by the section's name
 * @param plans the server's plan of each kind of search
 * @param steps the steps of a procedure, in order; empty if analysts searched
 * @param inFlightAtEnd the number of measured searches that were still running when the measured phase ended
 */
public record RunResult(
        int formatVersion,
        @JsonUnwrapped RunIdentity identity,
        @JsonUnwrapped Measurement measured,
        Map<String, String> environment,
        List<PlanRecord> plans,
        List<StepRecord> steps,
        long inFlightAtEnd,
        @JsonUnwrapped AnswerCounts answers,
        List<ObjectiveResult> objectives,
        Validity validity) {

    public static final int FORMAT_VERSION = 1;

    public RunResult {
        environment = Collections.unmodifiableMap(new TreeMap<>(environment));
        plans = List.copyOf(plans);
        steps = List.copyOf(steps);
        objectives = List.copyOf(objectives);
    }

    /** Writes a result file whole or not at all, with all secrets masked. */
    public static void write(Path file, RunResult result) throws IOException {
        WholeFile.write(file, ResultValue.text(masked("", ResultValue.tree(result))));
    }

    private static JsonNode masked(String key, JsonNode node) {
        if (node instanceof ObjectNode object) {
            object.properties().forEach(entry -> entry.setValue(masked(entry.getKey(), entry.getValue())));
        } else if (node instanceof ArrayNode array) {
            for (int i = 0; i < array.size(); i++) {
                array.set(i, masked(key, array.get(i)));
            }
        } else if (node.isTextual()) {
            return TextNode.valueOf(Secrets.masked(key, node.textValue()));
        }
        return node;
    }

    /**
     * Reads the file; unknown keys are ignored.
     *
     * @throws BrokenFileException if the file is not a result of a known format version
     * @throws IOException if the file cannot be read
     */
    public static RunResult read(Path file) throws IOException {
        RunResult result = ResultValue.read(file, FORMAT_VERSION, RunResult.class);
        if (!(result.identity().measuredSeconds() >= 0
                && result.identity().measuredSeconds() <= LoggedInterval.MOST_SECONDS)) {
            throw new BrokenFileException(
                    file + ": 'measuredSeconds' is " + result.identity().measuredSeconds() + ", which is not possible");
        }
        return result;
    }

    /** Returns whether the run was a procedure, which has steps and no searches. */
    public boolean hasStepsOnly() {
        return !steps.isEmpty() && measured.searches().isEmpty();
    }

    /** Returns whether the users of the run executed statements of a scenario instead of searching events. */
    public boolean asksStatements() {
        return !measured.searches().isEmpty()
                && measured.searches().stream()
                        .allMatch(one -> one.kind().page().equals(PageClass.STATEMENT.label()));
    }

    /**
     * The facts that identify a run and its conditions.
     *
     * @param runId the name of the run's directory
     * @param measuredSeconds the length of the measured phase; shorter than planned if the run was interrupted
     * @param interrupted whether the run was stopped before its planned end
     * @param settings every value of the scenario after all overrides, with its path and its origin
     */
    public record RunIdentity(
            String runId,
            String scenario,
            Instant startedAt,
            double measuredSeconds,
            boolean interrupted,
            TargetRecord target,
            DatasetRecord dataset,
            List<SettingRecord> settings) {
        public RunIdentity {
            settings = List.copyOf(settings);
        }
    }

    /**
     * The measurements of searches, feeder and hosts. Each list is empty if the run measured nothing of its kind.
     *
     * @param totals for each search a total of all pages and orders, then a total of all searches, and a separate total of exact counts
     * @param serverTime the time that the server itself worked on the searches
     * @param visibility the time until fed events were found
     * @param pagination the results of the paging probe, one entry for each way of paging
     * @param schedules the results of scheduled tasks
     * @param retention the removal of the oldest day, if the run removed a day
     * @param replays the results of replaying a query recording
     * @param hosts this host, and other monitored hosts, in terms of sysstat
     * @param injectorsStarted the number of injectors with which the load began; 0 for a single process
     * @param injectors the injectors that reported their results; empty for a single process
     * @param replicas the replicas that answered searches; empty if the store itself answered
     */
    public record Measurement(
            List<SearchResult> searches,
            List<SearchResult> totals,
            ServerTimes serverTime,
            FeederResult feeder,
            GeneratorResult generator,
            DatabaseActivity database,
            VisibilityResult visibility,
            List<PagingTruth> pagination,
            List<ScheduleResult> schedules,
            List<RetentionResult> retention,
            List<ReplayResult> replays,
            List<HostActivity> hosts,
            int injectorsStarted,
            List<InjectorResult> injectors,
            List<ReplicaResult> replicas) {
        public Measurement {
            searches = List.copyOf(searches);
            totals = List.copyOf(totals);
            pagination = List.copyOf(pagination);
            schedules = List.copyOf(schedules);
            retention = List.copyOf(retention);
            replays = List.copyOf(replays);
            hosts = List.copyOf(hosts);
            injectors = List.copyOf(injectors);
            replicas = List.copyOf(replicas);
        }

        /** The activity of the load generator's machine. */
        public HostActivity host() {
            return hosts.stream().findFirst().orElse(HostActivity.NONE);
        }

        /** Returns the rows of a table: one for each search, one for all searches and one for exact counts. */
        public List<SearchResult> rows() {
            return totals.isEmpty() ? searches : totals;
        }

        /** The measurement of a run in which no analyst searched and nothing was fed. */
        public static Measurement withoutLoad(
                GeneratorResult generator, DatabaseActivity database, List<HostActivity> hosts) {
            return ResultValue.empty(
                    Measurement.class, Map.of("generator", generator, "database", database, "hosts", hosts));
        }
    }

    /**
     * How many answers were checked, and with which result.
     *
     * @param checkRatio the share of the measured searches whose answers were to be checked, 0 to 1
     * @param answersChecked the number of answers that were checked after the run
     * @param answersWrong the number of checked answers that were wrong
     * @param answersLeftOut the number of answers that were to be checked but did not fit into memory, or whose check was given up
     */
    public record AnswerCounts(double checkRatio, long answersChecked, long answersWrong, long answersLeftOut) {
        /** The counts if no answer was to be checked. */
        public static final AnswerCounts NONE = new AnswerCounts(0, 0, 0, 0);
    }

    /**
     * The data of a run, as they were at its start.
     *
     * @param store where the events were: {@code copy} for a copy of the kept data set that only this run used, {@code dataSet} for the
     *     kept data set itself, {@code empty} if the run loaded the events, {@code existing} for an existing database
     * @param leftOut a sentence with the number of lines of a recording that could not be read; empty if all could be read
     */
    public record DatasetRecord(
            String name, long events, long seed, String fingerprint, String store, List<String> leftOut) {
        public DatasetRecord {
            leftOut = List.copyOf(leftOut);
        }

        /** Returns whether the run used existing data instead of a data set. For statements on such data, nothing is known about events. */
        public boolean wasThereBefore() {
            return store.equals("existing");
        }
    }

    /** One value of a scenario after all overrides, with its path and its origin. */
    public record SettingRecord(String path, String value, String origin) {}

    /**
     * CPU time of the load generator in the measured phase.
     *
     * @param cpuSeconds CPU time of this process, user and system
     * @param cpuMicrosPerSearch this CPU time per measured search, including feeder and Gatling
     * @param cpuRatio this CPU time as a share of all CPUs of the machine, 0 to 1
     */
    public record GeneratorResult(double cpuSeconds, double cpuMicrosPerSearch, double cpuRatio) {}

    /**
     * The server's plan of one kind of search.
     *
     * @param shape the plan before the load, reduced to what can be compared; empty if it could not be read
     * @param shapeAtEnd the plan after the load
     * @param file the file of the whole plan, relative to the run's directory; empty if the plan could not be read, or is not kept
     * @param failure why the plan could not be read; empty if it was read
     * @param partitionsRead the number of partitions of the events that were read before the load
     * @param partitions the number of partitions; 0 without partitions, or if the server does not report their number
     * @param io the database's input and output for one such search, by purpose, counted while the plan was read before the load, without
     *     other users; empty if the database does not count input and output
     */
    public record PlanRecord(
            @JsonUnwrapped SearchKind kind,
            String shape,
            String shapeAtEnd,
            String file,
            String failure,
            int partitionsRead,
            int partitions,
            List<Io> io) {
        public PlanRecord {
            io = List.copyOf(io);
        }

        /** Returns this record with the shape of the plan after the load, and the plan's file. */
        public PlanRecord with(String otherShapeAtEnd, String otherFile) {
            return new PlanRecord(kind, shape, otherShapeAtEnd, otherFile, failure, partitionsRead, partitions, io);
        }

        /** Returns whether the plan after the load differs from the plan before the load. */
        public boolean changed() {
            return !shape.equals(shapeAtEnd);
        }
    }

    /**
     * The result of an objective.
     *
     * @param met whether the measured value is within the limit, however few searches were measured
     * @param outcome whether the objective is certainly met, certainly missed, or undecided
     * @param measured the measured value for people; a percentile has its 95 % interval
     * @param reason why the objective is undecided, and what to do; empty for a decided objective
     * @param searchesMissing the least number of further searches needed; 0 if the objective is decided, or more searches would not help
     */
    public record ObjectiveResult(
            String text, boolean met, Outcome outcome, String measured, String reason, long searchesMissing) {

        /** The outcome of an objective: met or missed only if this is certain. */
        public enum Outcome {
            /** The whole 95 % interval is within the limit. */
            MET,
            /** The whole 95 % interval is beyond the limit. */
            MISSED,
            /** The limit lies in the 95 % interval, or too few searches were measured. */
            UNDECIDED;

            /** Returns the outcome's name in results: {@code undecided}. */
            @JsonValue
            public String label() {
                return Choices.camelCase(this);
            }
        }

        /** Returns the result of a decided objective. */
        public static ObjectiveResult decided(String text, boolean met, String measured) {
            return new ObjectiveResult(text, met, met ? Outcome.MET : Outcome.MISSED, measured, "", 0);
        }

        /** Returns whether the objective has this outcome. */
        public boolean is(Outcome wanted) {
            return outcome == wanted;
        }

        /** Returns whether too few searches were measured to decide the objective. */
        public boolean hasTooFew() {
            return searchesMissing > 0;
        }
    }

    /**
     * The influence of other programs on a run. Immutable.
     *
     * @param percentilesOffPercent an estimate of how far p50, p95 and p99 may be off because of other programs; 0 for no influence
     * @param causes the causes for which the run is disturbed or not valid; empty if the run is not disturbed
     */
    public record Disturbance(double percentilesOffPercent, List<String> causes) {
        /** If percentiles may be off by more than this, other programs cause more than half of a response time. */
        private static final double MOST_PERCENT = 100;

        /** The influence on a run that no other program disturbed. */
        public static final Disturbance NONE = new Disturbance(0, List.of());

        public Disturbance {
            causes = List.copyOf(causes);
        }

        /** Returns whether a disturbance is reported. */
        public boolean seen() {
            return !causes.isEmpty();
        }

        /** Returns whether the disturbance is so large that the numbers say nothing about the database. */
        public boolean tooMuch() {
            return seen() && percentilesOffPercent > MOST_PERCENT;
        }

        /** Returns a sentence with the causes, and how far the percentiles may be off. */
        public String sentence() {
            return String.format(
                    Locale.ROOT,
                    "%s; the percentiles may be off by about %.0f %%",
                    String.join(", ", causes),
                    Math.ceil(percentilesOffPercent));
        }
    }

    /**
     * The removal of the oldest day under load. Immutable.
     *
     * @param day the removed day in UTC: {@code 2016-06-06}
     * @param means {@code partition} if the day's partition was dropped, {@code rows} if rows were deleted; empty if the removal failed
     * @param failure why the removal failed; empty if it did not fail
     * @param fromSecond the start of the removal, in seconds from the start of the measured phase
     * @param tookMicros the time until the removal was durable
     * @param waitedMicros the part of {@code tookMicros} in which the removal waited for locks
     */
    public record RetentionResult(
            String day, String means, String failure, double fromSecond, long tookMicros, long waitedMicros) {}

    /**
     * The ticks of one group of scheduled tasks in the measured phase. Immutable.
     *
     * @param group the name of the group
     * @param tasks the number of tasks
     * @param everySeconds the seconds from one tick of a task to the next
     * @param due the number of ticks that were due by the timetable
     * @param run the number of ticks that ended, including failed ticks
     * @param failed the number of ended ticks without an answer
     * @param missed the number of ticks at which the task was still busy with an earlier tick
     * @param unfinished the number of ticks that had not ended when the run gave up waiting
     * @param latenessMicros the time from the due time of a tick until a worker began
     * @param responseTimeMicros the time from the due time of a tick to the last row, or to the exact count if the task asks for it, too
     */
    public record ScheduleResult(
            String group,
            int tasks,
            double everySeconds,
            long due,
            long run,
            long failed,
            long missed,
            long unfinished,
            MicrosSummary latenessMicros,
            MicrosSummary responseTimeMicros) {
        /** Returns the number of ticks with an unknown outcome; 0 unless the load generator has lost some ticks. */
        public long unreported() {
            return due - run - missed - unfinished;
        }
    }

    /**
     * One replica that answered searches of a run, in the measured phase. Immutable.
     *
     * @param replica the number of the replica, from 1, in the order of the urls
     * @param url the url of the replica
     * @param searches the number of searches that the replica got
     * @param failed the number of these searches that failed
     * @param responseTimeMicros the response times of the replica's searches that were answered or given up
     * @param lagMicros the lag behind the primary, read ten times a second: the age of the newest instant for which the replica is known to
     *     have everything that the primary had acknowledged by then
     */
    public record ReplicaResult(
            int replica,
            String url,
            long searches,
            long failed,
            MicrosSummary responseTimeMicros,
            MicrosSummary lagMicros) {}

    /** The CPU time of the load generator in the measured phase, without an embedded database, which is another process. Thread-safe. */
    public static final class GeneratorCpu {
        private final OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
        private final int cpus;
        private long startNanos = -1;
        private long nanos;

        /** Makes a counter of the CPU time of this process. */
        public GeneratorCpu() {
            this(0, Runtime.getRuntime().availableProcessors());
        }

        /** Makes a counter that holds the CPU time of several processes together, with the number of CPUs of all their machines. */
        public GeneratorCpu(long nanos, int cpus) {
            this.nanos = nanos;
            this.cpus = cpus;
        }

        /** Returns the CPU time of the measured phase in nanoseconds; 0 if the phase has not begun or not ended. */
        public synchronized long nanos() {
            return nanos;
        }

        /** Starts counting; called when the measured phase starts. */
        public synchronized void phaseStarted() {
            startNanos = system.getProcessCpuTime();
        }

        /** Ends counting; called when the measured phase ends. Only the first call counts. */
        public synchronized void phaseEnded() {
            nanos = startNanos < 0 ? nanos : system.getProcessCpuTime() - startNanos;
            startNanos = -1;
        }

        /** Returns the result for run.json, given the number of searches and the seconds of the measured phase. */
        public GeneratorResult result(long searches, double seconds) {
            double cpuSeconds = nanos() / 1e9;
            return new GeneratorResult(
                    round(cpuSeconds, 1e3),
                    searches == 0 ? 0 : round(cpuSeconds * 1e6 / searches, 10),
                    seconds == 0 ? 0 : round(cpuSeconds / seconds / cpus, 1e3));
        }

        private static double round(double value, double steps) {
            return Math.round(value * steps) / steps;
        }
    }

    /**
     * The measurement of one search with one page class and order.
     *
     * @param count the number of searches that ended
     * @param ok the number of searches that were answered
     * @param ko the number of searches that failed
     * @param errors the number of failures by class and code
     * @param bytes the bytes of events read, without the overhead of the wire protocol
     * @param latenessMicros the time from the intended start until the load generator submitted the search
     * @param workerWaitMicros the time from the intended start until a worker took the search, including its lateness
     */
    public record SearchResult(
            @JsonUnwrapped SearchKind kind,
            long count,
            long ok,
            long ko,
            Map<String, Long> errors,
            long rows,
            long bytes,
            MicrosSummary responseTimeMicros,
            MicrosSummary serviceTimeMicros,
            MicrosSummary latenessMicros,
            MicrosSummary workerWaitMicros,
            MicrosSummary firstEventMicros,
            MicrosSummary lastEventMicros) {
        public SearchResult {
            errors = Collections.unmodifiableMap(new TreeMap<>(errors));
        }
    }

    /**
     * The target of a run.
     *
     * @param connection the server that the run's connections reached, and how the connections were secured
     * @param settings the server's settings that differ from its defaults
     * @param container the server's container: {@code image}, {@code imageId}, {@code memory}, {@code cpus}, {@code sharedMemory} and
     *     {@code command}; empty if siemload did not start the server in a container
     */
    public record TargetRecord(
            String id,
            String version,
            String provision,
            @JsonUnwrapped VariantRecord variant,
            Transport connection,
            Map<String, String> settings,
            Map<String, String> container) {
        public TargetRecord {
            settings = Collections.unmodifiableMap(new TreeMap<>(settings));
            container = Collections.unmodifiableMap(new TreeMap<>(container));
        }

        /**
         * The variant of the target, each part by its name in settings; all parts are empty for statements on existing data.
         *
         * @param partitions how the tables were partitioned: {@code none} or {@code day}
         */
        public record VariantRecord(String layout, String partitions, String indexes, String hint, String paging) {
            /** The variant of statements, which have no layout. */
            public static final VariantRecord NONE = new VariantRecord("", "", "", "", "");

            /** Returns the variant in words: {@code layout mentat, partitions none, indexes native, hint none, paging offset}. */
            public String label() {
                return parts().entrySet().stream()
                        .map(part -> part.getKey() + " " + part.getValue())
                        .collect(Collectors.joining(", "));
            }

            /** Returns the parts of the variant by their names, in the order in which reports show them. */
            public Map<String, String> parts() {
                Map<String, String> parts = new LinkedHashMap<>();
                ResultValue.tree(this).forEachEntry((name, value) -> parts.put(name, value.asText()));
                parts.values().removeIf(String::isEmpty);
                return parts;
            }
        }
    }

    /**
     * One step of a procedure, as run.json holds it. Immutable.
     *
     * @param name the name by which runs are compared, the same in every run: {@code HAWAT1}, {@code HAWAT3 page 1000}. Repeated steps of a
     *     run have the same name and different facts
     * @param facts the actions, and results that are not numbers: {@code search}, {@code page}, {@code order}, {@code caches}, {@code
     *     pass}, {@code planShape}, {@code answersHash}, {@code error}
     * @param figures measurements, by names with their unit: {@code lastEventMicros}, {@code rows}, {@code walBytesPerEvent}; finite
     *     numbers
     * @param io the input and output of the database for this step, by purpose, without other users; empty if they were not counted
     */
    public record StepRecord(String name, Map<String, String> facts, Map<String, Double> figures, List<Io> io) {

        /** The name of the fact that a failed step has. */
        public static final String ERROR = "error";

        public StepRecord {
            facts = Collections.unmodifiableMap(new TreeMap<>(facts));
            figures = Collections.unmodifiableMap(new TreeMap<>(figures));
            io = List.copyOf(io);
        }

        /** Makes a step without counts of input and output. */
        public StepRecord(String name, Map<String, String> facts, Map<String, Double> figures) {
            this(name, facts, figures, List.of());
        }

        /** Returns whether the step failed; a failed step has no figures, and its fact {@code error} says why. */
        public boolean failed() {
            return facts.containsKey(ERROR);
        }
    }

    /**
     * The mean time that the server itself worked on a search in the measured phase, by its own count, without the network. Immutable.
     *
     * @param source the source of the times, as the server names it; empty if there are no times
     * @param covers a text for people that says what the times contain and what not; empty if there are no times
     * @param untold a text for people that says why there are no times; empty if there are times
     * @param statements the statements that answered searches of the run
     */
    public record ServerTimes(String source, String covers, String untold, List<Statement> statements) {
        public ServerTimes {
            statements = List.copyOf(statements);
        }

        /**
         * Searches that the server cannot tell apart, since one group of statements answers them.
         *
         * @param searches the kinds of search, as logs name them: {@code HAWAT1-first-newestFirst}
         * @param calls the number of executions of the statements that the server counted, including those of probes and of searches that
         *     began in the warm-up; 0 if the server does not count searches
         * @param planningMicros the mean time for planning; 0 if planning was left out or not counted separately
         * @param executionMicros the mean time of the work other than planning
         */
        public record Statement(List<String> searches, long calls, double planningMicros, double executionMicros) {
            public Statement {
                searches = List.copyOf(searches);
            }

            /** Returns the mean time for planning and all other work. */
            public double micros() {
                return planningMicros + executionMicros;
            }
        }
    }

    /**
     * The database's counters, as differences over the measured phase. All counts are 0 or more. Immutable.
     *
     * @param io input and output by category; empty if the target has no counters
     * @param relations the blocks that were read or found in the cache, by table and index, or the target's equivalent
     * @param counters every counter of the target that changed, by its own name
     * @param samples the number of times that the counters were read during the phase
     * @param samplingRatio the share of the phase that reading the counters took, 0 to 1
     */
    public record DatabaseActivity(
            List<Io> io, List<Relation> relations, Map<String, Long> counters, long samples, double samplingRatio) {

        /** The activity if the target has no counters, or if the run could not read them. */
        public static final DatabaseActivity NONE = new DatabaseActivity(List.of(), List.of(), Map.of(), 0, 0);

        public DatabaseActivity {
            io = List.copyOf(io);
            relations = List.copyOf(relations);
            counters = Collections.unmodifiableMap(new TreeMap<>(counters));
        }
    }

    /**
     * One injector of a run, which is a process that made a part of the load; figures are of the measured phase. Immutable.
     *
     * @param injector the number of the injector, from 1
     * @param host the name of the injector's machine
     * @param cpus the number of CPUs that the injector may use on this machine
     * @param searches the number of searches that the injector executed
     * @param eventsAcknowledged the number of acknowledged events that the injector fed, over the whole run
     * @param generator the CPU time of the injector's process
     * @param clockUncertaintyMicros the uncertainty of the offset of the injector's clock from the database's clock, at the end of the run
     * @param startLatenessMicros the time from the agreed instant to the injector's start, by the injector's clock
     * @param searchLatenessMicros the delays with which the injector submitted searches
     * @param pauses the pauses of the injector's process for the garbage collector
     */
    public record InjectorResult(
            int injector,
            String host,
            int cpus,
            long searches,
            long eventsAcknowledged,
            RunResult.GeneratorResult generator,
            long clockUncertaintyMicros,
            long startLatenessMicros,
            MicrosSummary searchLatenessMicros,
            HostActivity.Pauses pauses) {

        /**
         * Returns the largest possible difference of the injectors' starts in microseconds, given their lateness and the uncertainty of
         * their clocks; 0 for fewer than two injectors.
         */
        public static long startSkewMicros(List<InjectorResult> injectors) {
            LongSummaryStatistics starts = injectors.stream()
                    .flatMapToLong(one -> LongStream.of(
                            one.startLatenessMicros - one.clockUncertaintyMicros,
                            one.startLatenessMicros + one.clockUncertaintyMicros))
                    .summaryStatistics();
            return injectors.size() < 2 ? 0 : starts.getMax() - starts.getMin();
        }
    }

    /**
     * The result of paging through the newest events while new events arrive. Immutable.
     *
     * @param paging the way of paging: {@code offset}, {@code keyset} or {@code cursor}
     * @param walks the number of complete walks from the first page to the last wanted page
     * @param rows the number of rows on all pages
     * @param skipped the number of events that existed when a walk began, lie between its oldest and its newest row, and were on no page
     * @param shownTwice the number of rows that were also on an earlier page of the same walk
     * @param failed the number of walks that a failed search ended; these walks count in no other figure
     */
    public record PagingTruth(
            String paging, long walks, long pages, long rows, long skipped, long shownTwice, long failed) {

        /** Returns the sums over the walks of each way of paging, {@code offset} first. */
        public static List<PagingTruth> summed(Collection<PagingTruth> walks) {
            Map<String, PagingTruth> sums = new TreeMap<>(Comparator.reverseOrder());
            walks.forEach(walk -> sums.merge(walk.paging, walk, PagingTruth::plus));
            return List.copyOf(sums.values());
        }

        private PagingTruth plus(PagingTruth other) {
            return new PagingTruth(
                    paging,
                    walks + other.walks,
                    pages + other.pages,
                    rows + other.rows,
                    skipped + other.skipped,
                    shownTwice + other.shownTwice,
                    failed + other.failed);
        }
    }
}
