package siemload.compare.experiment;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import siemload.results.RunResult;
import siemload.results.StepRecord;

/**
 * What is known of the answers of a run. Immutable.
 *
 * @param searched whether analysts searched, so that a sample of their answers was to be checked
 * @param checked how many were held against the events of the data set
 * @param wrong those of them that were not right
 * @param hashes by the name of a step of a procedure, of all that steps of this name answered
 */
public record RunAnswers(boolean searched, long checked, long wrong, Map<String, List<String>> hashes) {
    /** The answers of a run without searches. */
    public static final RunAnswers NONE = new RunAnswers(false, 0, 0, Map.of());

    private static final String HASH = "answersHash";

    public RunAnswers {
        hashes = Map.copyOf(hashes);
    }

    /** The answers of a run; of a procedure those of these steps alone. */
    static RunAnswers of(RunResult run, List<StepRecord> steps) {
        return new RunAnswers(
                !run.measured().searches().isEmpty(),
                run.answers().answersChecked(),
                run.answers().answersWrong(),
                steps.stream()
                        .filter(step -> !step.facts().getOrDefault(HASH, "").isEmpty())
                        .collect(Collectors.groupingBy(
                                StepRecord::name,
                                Collectors.mapping(step -> step.facts().getOrDefault(HASH, ""), Collectors.toList()))));
    }
}
