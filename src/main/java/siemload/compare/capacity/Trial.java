package siemload.compare.capacity;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import siemload.config.Choices;

/**
 * A run that has ended, and what it says of its load. Immutable.
 *
 * @param search which search it is of, from 0
 * @param load so much of what varies
 * @param outcome whether the load meets the objectives
 * @param why the objectives that were missed and how the database did not keep up, or why the run says nothing; empty where all were met
 * @param gaveOut what was used up, in words, the weightiest first; empty where nothing was seen to be
 * @param directory of its results, below that of the capacity
 * @param seconds how long its process took
 */
public record Trial(
        int search,
        double load,
        Outcome outcome,
        List<String> why,
        List<String> gaveOut,
        @JsonUnwrapped TrialFigures figures,
        String directory,
        double seconds) {

    public Trial {
        why = List.copyOf(why);
        gaveOut = List.copyOf(gaveOut);
    }

    /**
     * What was measured.
     *
     * @param subject the search that the first objective is about, or {@code all}
     * @param p50Micros of the response times of the subject, nearest rank; 0 where none was measured
     * @param p95Micros likewise
     * @param p99Micros likewise
     * @param searchesPerSecond of all searches, those that were answered
     * @param eventsPerSecond that were to be fed, on average; 0 where there is no feeder
     * @param achievedEventsPerSecond that were fed
     */
    public record TrialFigures(
            String subject,
            double p50Micros,
            double p95Micros,
            double p99Micros,
            double searchesPerSecond,
            double eventsPerSecond,
            double achievedEventsPerSecond) {}

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

    /** The run at the smallest load that did not meet the objectives. */
    public static Optional<Trial> firstMissed(List<Trial> trials) {
        return trials.stream()
                .filter(trial -> trial.outcome == Outcome.NOT_MET)
                .min(Comparator.comparingDouble(Trial::load));
    }

    /** What a run says of its load: {@code not met: HAWAT1 responseTime p95 < 2s: 2.31s}. */
    public String words() {
        String reasons = why.isEmpty() ? "" : ": " + String.join("; ", why);
        return switch (outcome) {
                    case MET -> "met";
                    case NOT_MET -> "not met";
                    case INVALID -> "not valid";
                }
                + reasons;
    }
}
