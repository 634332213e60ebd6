package siemload.results;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import siemload.config.Choices;

/**
 * The result of one run, as {@code run.json} holds it: the names of components are its keys, and those of unwrapped parts.
 * Times are microseconds, percentiles nearest rank within 0.1 %. Immutable.
 *
 * <ul>
 *   <li><b>response time</b>: from the instant the user was due to press Search to the last row;
 *   <li><b>worker wait</b>: from that instant until a worker took the search;
 *   <li><b>service time</b>: from there to the last row;
 *   <li><b>first event</b> (TFE) and <b>last event</b> (TTS): from the worker's start.
 * </ul>
 *
 * @param formatVersion 1
 * @param environment the fingerprint of each section of environment.json, by the section's name
 * @param plans how the server went about each kind of search
 * @param steps what a procedure did, in its order; none where analysts searched
 * @param inFlightAtEnd measured searches still running when the measured phase ended
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

    /** Whether it is of a procedure, which has steps and no searches. */
    public boolean hasStepsOnly() {
        return !steps.isEmpty() && measured.searches().isEmpty();
    }

    /** The same run with this as measured. */
    public RunResult with(Measurement other) {
        return new RunResult(
                formatVersion,
                identity,
                other,
                environment,
                plans,
                steps,
                inFlightAtEnd,
                answers,
                objectives,
                validity);
    }

    /**
     * Which run it is.
     *
     * @param runId the name of the run's directory
     * @param measuredSeconds how long was measured; shorter than planned if interrupted
     * @param interrupted whether somebody stopped the run before its end
     * @param settings every value of the scenario after all overrides, by its path, with its origin
     * @param secondsOutside how long the run took for what lies outside of its load or its procedure, by step in their order:
     *     {@code server}, {@code connection}, {@code look} at who else uses the server, {@code dataset}, {@code store},
     *     {@code environment}, {@code plans}, {@code preparation}, {@code fedEvents}, {@code plansAtEnd}, {@code answers}
     */
    public record RunIdentity(
            String runId,
            String scenario,
            Instant startedAt,
            double measuredSeconds,
            boolean interrupted,
            TargetRecord target,
            DatasetRecord dataset,
            List<SettingRecord> settings,
            Map<String, Double> secondsOutside) {
        public RunIdentity {
            settings = List.copyOf(settings);
            secondsOutside = Collections.unmodifiableMap(new LinkedHashMap<>(secondsOutside));
        }
    }

    /**
     * What was measured of searches and feeder, and of what they ran on.
     *
     * @param pagination what a probe analyst saw, one entry for each way of paging
     * @param serverTime how long the server itself worked on the searches
     * @param steadyState whether the measured phase was steady; figures are of all of it, whether or not
     * @param followUps of searches that followed one before them; none in earlier runs, which did not tell them apart
     */
    public record Measurement(
            List<SearchResult> searches,
            ServerTimes serverTime,
            FeederResult feeder,
            GeneratorResult generator,
            DatabaseActivity database,
            HostActivity host,
            VisibilityResult visibility,
            List<PagingTruth> pagination,
            SteadyState steadyState,
            @Nullable List<FollowUpTimes> followUps) {
        public Measurement {
            followUps = followUps == null ? List.of() : List.copyOf(followUps);
            searches = List.copyOf(searches);
            pagination = List.copyOf(pagination);
        }

        @Override
        public List<FollowUpTimes> followUps() {
            return followUps == null ? List.of() : followUps;
        }

        /** Where no analyst searched and nothing was fed. */
        public static Measurement withoutLoad(GeneratorResult generator, DatabaseActivity database, HostActivity host) {
            return new Measurement(
                    List.of(),
                    ServerTimes.NONE,
                    FeederResult.NONE,
                    generator,
                    database,
                    host,
                    VisibilityResult.NONE,
                    List.of(),
                    SteadyState.UNTESTED,
                    List.of());
        }
    }

    /**
     * How many answers were right.
     *
     * @param checkRatio the share of the measured searches whose answers were to be checked, 0 to 1
     * @param answersChecked the answers that were checked after the run
     * @param answersWrong those of them that were not right
     * @param answersLeftOut answers that should have been checked: they did not fit into memory, or the check was given up
     */
    public record AnswerCounts(double checkRatio, long answersChecked, long answersWrong, long answersLeftOut) {
        /** None was to be checked. */
        public static final AnswerCounts NONE = new AnswerCounts(0, 0, 0, 0);
    }

    /**
     * What was searched.
     *
     * @param settings the server's settings that differ from its defaults
     * @param container what the server ran in: {@code image}, {@code imageId}, {@code memory}, {@code cpus},
     *     {@code sharedMemory} and {@code command}; empty where it ran in no container of ours
     */
    public record TargetRecord(
            String id,
            String version,
            String provision,
            @JsonUnwrapped VariantRecord variant,
            ConnectionRecord connection,
            Map<String, String> settings,
            Map<String, String> container) {
        public TargetRecord {
            settings = Collections.unmodifiableMap(new TreeMap<>(settings));
            container = Collections.unmodifiableMap(new TreeMap<>(container));
        }
    }

    /** The variant of the target, each part by its name in settings. */
    public record VariantRecord(String layout, String indexes, String hint, String paging) {

        /** For people: {@code layout mentat, indexes native, hint none, paging offset}. */
        public String label() {
            return parts().entrySet().stream()
                    .map(part -> part.getKey() + " " + part.getValue())
                    .collect(Collectors.joining(", "));
        }

        /** The parts by what they are, in the order in which people are told them. */
        public Map<String, String> parts() {
            Map<String, String> parts = new LinkedHashMap<>();
            parts.put("layout", layout);
            parts.put("indexes", indexes);
            parts.put("hint", hint);
            parts.put("paging", paging);
            return parts;
        }
    }

    /**
     * How the connections to it were secured.
     *
     * @param security {@code inProcess} where there is no network, {@code none} without TLS, {@code unverified} with it, but
     *     whoever answered was believed, {@code certificate} where its certificate was verified, {@code hostName} where its
     *     host name was, too; empty in results of earlier versions
     * @param protocol the protocol and its version, as server or driver tell; empty where nobody does
     * @param cipher the cipher suite; empty where nobody tells
     */
    public record ConnectionRecord(String security, String protocol, String cipher) {

        /** For people; empty where there is nothing to say. */
        public String label() {
            String words = switch (security) {
                case "none" -> "without TLS";
                case "unverified" -> "encrypted, but nobody knows with whom: the certificate was not verified";
                case "certificate" -> "certificate verified, host name not";
                case "hostName" -> "certificate and host name verified";
                default -> "";
            };
            return Stream.of(protocol, cipher, words)
                    .filter(part -> !part.isEmpty())
                    .collect(Collectors.joining(", "));
        }
    }

    /**
     * What it held at the start.
     *
     * @param store what the events lay in: a {@code copy} of the kept data set for this run alone, or a {@code clone}, which
     *     the file system made and which shares blocks with the data set where it can; {@code dataSet} where it was the kept
     *     data set itself, {@code empty} where the run loaded them; empty in results of earlier versions
     */
    public record DatasetRecord(String name, long events, long seed, String fingerprint, String store) {

        /** Where they lay, for people; empty where that is not known. */
        public String label() {
            return switch (store) {
                case "copy" -> "in a copy of the data set";
                case "clone" -> "in a clone of the data set, made by the file system";
                case "dataSet" -> "in the kept data set itself, read-only";
                case "empty" -> "in tables that were empty";
                default -> "";
            };
        }
    }

    /** One value after all overrides, and where it came from. */
    public record SettingRecord(String path, String value, String origin) {}

    /** A kind of search: by page class and order. */
    public record SearchKind(String name, String page, String order) {

        static SearchKind of(SearchKey key) {
            return new SearchKind(key.search().name(), key.page().label(), Choices.camelCase(key.order()));
        }

        /** The name in logs, as {@link SearchKey#tag} has it. */
        public String tag() {
            return name + "-" + page + "-" + order;
        }

        /** For people: {@code HAWAT1 first}, with the order added where it is not newest first. */
        public String label() {
            String label = name + " " + page;
            return switch (order) {
                case "oldestFirst" -> label + ", oldest first";
                case "unsorted" -> label + ", unsorted";
                default -> label;
            };
        }
    }

    /**
     * One search by page class and order.
     *
     * @param count the searches that ended
     * @param ok those that were answered
     * @param ko those that failed
     * @param errors the failures by class and code
     * @param bytes of events read, without the wire protocol's own
     */
    public record SearchResult(
            @JsonUnwrapped SearchKind kind,
            long count,
            long ok,
            long ko,
            Map<String, Long> errors,
            long rows,
            long bytes,
            @JsonUnwrapped SearchTimes times) {
        public SearchResult {
            errors = Collections.unmodifiableMap(new TreeMap<>(errors));
        }

        /** The same searches with these times. */
        public SearchResult with(SearchTimes others) {
            return new SearchResult(kind, count, ok, ko, errors, rows, bytes, others);
        }
    }

    /**
     * How long searches of one kind took.
     *
     * @param latenessMicros from the intended start until the load generator got round to the search; 0 in earlier runs, which
     *     did not tell it apart
     * @param workerWaitMicros from the intended start until a worker took it, lateness included
     */
    public record SearchTimes(
            MicrosSummary responseTimeMicros,
            MicrosSummary serviceTimeMicros,
            MicrosSummary latenessMicros,
            MicrosSummary workerWaitMicros,
            MicrosSummary firstEventMicros,
            MicrosSummary lastEventMicros) {}

    /**
     * What the feeder did. Counts are events over the whole run with its warm-up; rates and times are of the measured
     * phase.
     *
     * @param eventsPerSecond the rate that was asked for, on average; 0 where nothing was to be fed
     * @param rate the rate as it is written in scenario files; empty in results of earlier versions, where it was constant
     * @param achievedEventsPerSecond the rate of acknowledged events
     * @param batches acknowledged in the measured phase
     * @param backlogMax the most events that were due and not acknowledged, at the end of any second of that phase
     * @param backlogAtEnd those at its end
     * @param delayedByAnswersRatio which share of its delays arose while it waited for an acknowledgement, 0 to 1; the rest are
     *     its own. 0 in results of earlier versions, which did not tell them apart
     * @param latenessMicros how late batches were sent against the timetable
     * @param acknowledgeMicros from sending a batch to its acknowledgement
     */
    public record FeederResult(
            double eventsPerSecond,
            String rate,
            double achievedEventsPerSecond,
            @JsonUnwrapped FedEventCounts events,
            double kilobytesPerSecond,
            long batches,
            long backlogMax,
            long backlogAtEnd,
            double delayedByAnswersRatio,
            MicrosSummary latenessMicros,
            MicrosSummary acknowledgeMicros) {
        /** Nothing was to be fed. */
        static final FeederResult NONE = new FeederResult(
                0,
                "",
                0,
                new FedEventCounts(0, 0, 0, 0, 0, 0, 0, 0),
                0,
                0,
                0,
                0,
                0,
                MicrosSummary.NONE,
                MicrosSummary.NONE);

        /** The same with these times of its batches. */
        public FeederResult with(MicrosSummary lateness, MicrosSummary acknowledge) {
            return new FeederResult(
                    eventsPerSecond,
                    rate,
                    achievedEventsPerSecond,
                    events,
                    kilobytesPerSecond,
                    batches,
                    backlogMax,
                    backlogAtEnd,
                    delayedByAnswersRatio,
                    lateness,
                    acknowledge);
        }

        /** What a reader should know of a rate that changes with time: how it is written; empty where it does not. */
        public Optional<String> changingRate() {
            return Optional.of(rate).filter(text -> text.contains(" "));
        }

        /** The achieved rate as a share of the one asked for; 1 where nothing was to be fed. */
        public double achievedRatio() {
            return eventsPerSecond == 0 ? 1 : achievedEventsPerSecond / eventsPerSecond;
        }
    }

    /**
     * What became of the fed events.
     *
     * @param sent events sent at least once: those acknowledged, those stored without it, failed and unknown ones
     * @param storedUnacknowledged events found in the store although their acknowledgement was lost
     * @param failed events never acknowledged and not found in the store
     * @param unknown events never acknowledged, for which nobody could look
     * @param retries batches sent once more after a failure
     * @param lost acknowledged events not found in the store afterwards; -1 if nobody could look
     * @param duplicated acknowledged events found more than once; -1 if nobody could look
     */
    public record FedEventCounts(
            long sent,
            long acknowledged,
            long storedUnacknowledged,
            long failed,
            long unknown,
            long retries,
            long lost,
            long duplicated) {}

    /**
     * What the load generator itself used in the measured phase.
     *
     * @param cpuSeconds CPU time of this process, user and system
     * @param cpuMicrosPerSearch the same per measured search; everything counts, the feeder and Gatling too
     * @param cpuRatio the share of all CPUs of the machine, 0 to 1
     */
    public record GeneratorResult(double cpuSeconds, double cpuMicrosPerSearch, double cpuRatio) {}

    /**
     * How the server went about one kind of search.
     *
     * @param shape the plan before the load, reduced to what can be compared; empty if it could not be read
     * @param shapeAtEnd the plan after the load
     * @param file the whole plan, below the directory of the run; empty if it could not be read
     * @param failure why it could not be read; empty otherwise
     */
    public record PlanRecord(
            @JsonUnwrapped SearchKind kind, String shape, String shapeAtEnd, String file, String failure) {

        /** Whether the plan after the load is another one than before it. */
        public boolean changed() {
            return !shape.equals(shapeAtEnd);
        }
    }

    /** An objective and whether it was met. */
    public record ObjectiveResult(String text, boolean met, String measured) {}
}
