package siemload.compare;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import siemload.config.Choices;
import siemload.run.ExitCode;

/**
 * What the runs of a capacity say, as {@code capacity.json} holds it. Immutable.
 *
 * @param question what was asked
 * @param finding how large the load is
 * @param sentence the finding in words
 * @param trials the runs, in their order
 */
public record CapacityResult(Question question, LoadSearch.Finding finding, String sentence, List<Trial> trials) {
    /** The file of a result, in its directory. */
    public static final ResultFile<CapacityResult> FILE = new ResultFile<>("capacity.json", CapacityResult.class);

    /** How a program ends that has asked for it. */
    public ExitCode exitCode() {
        return switch (finding.kind()) {
            case FOUND, AT_LEAST -> ExitCode.OK;
            case LESS_THAN -> ExitCode.MISSED;
            case ROUGHLY, NOT_MEASURABLE, NOTHING_MET -> ExitCode.INCONCLUSIVE;
        };
    }

    /** The run at the smallest load that did not meet the objectives. */
    Optional<Trial> firstMissed() {
        return trials.stream()
                .filter(trial -> trial.outcome == Outcome.NOT_MET)
                .min(Comparator.comparingDouble(Trial::load));
    }

    /**
     * What is asked: a search that was interrupted goes on where the same is asked again. Immutable.
     *
     * @param scenario what each run does
     * @param range among which loads is searched
     * @param objectives what runs are held to
     * @param settings the properties of all runs, by name
     * @param precisionRatio half of the width of the interval at which the search ends, as a ratio to the load
     * @param mostRuns after which it ends
     */
    public record Question(
            String scenario,
            VariedLoad.Range range,
            List<String> objectives,
            Map<String, String> settings,
            double precisionRatio,
            int mostRuns) {
        public Question {
            objectives = List.copyOf(objectives);
            settings = Collections.unmodifiableMap(new LinkedHashMap<>(settings));
        }
    }

    /**
     * A run that has ended, and what it says of its load. Immutable.
     *
     * @param load so much of what varies
     * @param outcome whether the load meets the objectives
     * @param why the objectives that were missed and how the database did not keep up, or why the run says nothing; empty where all were met
     * @param gaveOut what was used up, in words, the weightiest first; empty where nothing was seen to be
     * @param subject the search that the first objective is about, or {@code all}
     * @param p50Micros of the response times of the subject, nearest rank; 0 where none was measured
     * @param p95Micros likewise
     * @param p99Micros likewise
     * @param searchesPerSecond of all searches, those that were answered
     * @param eventsPerSecond that were to be fed, on average; 0 where there is no feeder
     * @param directory of its results, below that of the capacity
     */
    public record Trial(
            double load,
            Outcome outcome,
            List<String> why,
            List<String> gaveOut,
            String subject,
            double p50Micros,
            double p95Micros,
            double p99Micros,
            double searchesPerSecond,
            double eventsPerSecond,
            String directory) {

        /** What a run says of its load: {@code not met: HAWAT1 responseTime p95 < 2s: 2.31s}. */
        String words() {
            String said = switch (outcome) {
                case MET -> "met";
                case NOT_MET -> "not met";
                case INVALID -> "not valid";
            };
            return said + (why.isEmpty() ? "" : ": " + String.join("; ", why));
        }
    }

    /** What a run says of its load. */
    public enum Outcome {
        /** The run is valid, its database kept up, and all objectives were met. */
        MET,
        /** An objective was missed, or the database did not keep up. */
        NOT_MET,
        /** Nothing: the run is not valid, or did not measure what an objective is about. */
        INVALID;

        /** The name in results: {@code notMet}. */
        @JsonValue
        public String label() {
            return Choices.camelCase(this);
        }
    }
}
