package siemload.compare.capacity;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.List;

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
        TrialOutcome outcome,
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
}
