package siemload.compare.capacity;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import siemload.compare.experiment.ResultFile;
import siemload.run.ExitCode;

/**
 * What the runs of a capacity say, as {@code capacity.json} holds it. Immutable.
 *
 * @param formatVersion 1
 * @param question what was asked
 * @param capacities one; of a frontier one for each value of the other load, from the least of it up, and, where those were not given, last the most of it beside the
 *     least of the first one
 */
public record CapacityResult(int formatVersion, CapacityQuestion question, List<Capacity> capacities) {
    public static final int FORMAT_VERSION = 1;

    /** The file of a result, in its directory. */
    public static final ResultFile<CapacityResult> FILE = new ResultFile<>("capacity.json", CapacityResult.class);

    public CapacityResult {
        capacities = List.copyOf(capacities);
    }

    /** How a program ends that has asked for it, by all searches together. */
    public ExitCode exitCode() {
        if (capacities.stream().anyMatch(one -> !one.finding().hasAnswer())) {
            return ExitCode.INCONCLUSIVE;
        }
        // Not even the smallest load meets the objectives.
        return capacities.stream().anyMatch(one -> one.finding().hasLoad()) ? ExitCode.OK : ExitCode.MISSED;
    }

    /**
     * The largest load that one search found, and the runs that say so. Immutable.
     *
     * @param varied what grew
     * @param beside what stayed the same of the other one of a frontier, by its name; empty where one thing grew alone
     * @param finding how large it is; of a frontier by the runs beside all values of the other load
     * @param sentence the finding in words
     * @param gaveOut what gave out first: at the smallest load that did not meet the objectives
     * @param trials the runs, in their order
     */
    public record Capacity(
            VariedLoad varied,
            Map<String, Double> beside,
            Finding finding,
            String sentence,
            List<String> gaveOut,
            List<Trial> trials) {

        public Capacity {
            beside = Collections.unmodifiableMap(new LinkedHashMap<>(beside));
            gaveOut = List.copyOf(gaveOut);
            trials = List.copyOf(trials);
        }
    }
}
