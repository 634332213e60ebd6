package siemload.run.selftest;

import java.util.Locale;
import siemload.results.RunResult;
import siemload.run.selftest.SelftestResult.Check;

/** Holds the processor time of a search by id against what the driver alone needs for it. Stateless. */
public final class CpuCost {
    private static final double MOST_TIMES = 3;

    private CpuCost() {}

    /**
     * The check of the run of {@code lookups.yaml}.
     *
     * @param plainMicros processor time of a search that the plain driver does in a loop
     */
    public static Check of(RunResult run, double plainMicros) {
        double micros = run.measured().generator().cpuMicrosPerSearch();
        double times = plainMicros == 0 ? Double.POSITIVE_INFINITY : micros / plainMicros;
        boolean passed = micros > 0 && times <= MOST_TIMES;
        return new Check(
                "processor time of a search",
                String.format(Locale.ROOT, "up to %.0f times the plain driver's", MOST_TIMES),
                String.format(Locale.ROOT, "%.1f µs, plain %.1f µs: %.2f times", micros, plainMicros, times),
                passed,
                passed ? "" : "the load generator costs more than it should here: leave it more processors");
    }
}
