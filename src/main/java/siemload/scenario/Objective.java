package siemload.scenario;

/**
 * One thing a run is held to, for instance {@code HAWAT1 responseTime p95 < 2s} or {@code feeder achievedRatio >= 0.99}.
 * Immutable.
 *
 * @param text the objective as it was written
 * @param subject a search's name, {@code all} for all searches together, or {@code feeder}
 * @param metric {@code responseTime}, {@code serviceTime}, {@code firstEvent}, {@code lastEvent}, {@code workerWait},
 *     {@code errorRatio}, {@code achievedRatio}
 * @param statistic {@code min}, {@code mean}, {@code p50}, {@code p90}, {@code p95}, {@code p99}, {@code p999},
 *     {@code max}; empty for ratios
 * @param comparison which side of the limit is good
 * @param limit microseconds for times, 0 to 1 for ratios
 */
public record Objective(
        String text, String subject, String metric, String statistic, Comparison comparison, double limit) {

    /** The comparisons an objective can make. */
    public enum Comparison {
        BELOW("<"),
        AT_MOST("<="),
        ABOVE(">"),
        AT_LEAST(">=");

        private final String sign;

        Comparison(String sign) {
            this.sign = sign;
        }

        /** How it is written. */
        public String sign() {
            return sign;
        }

        /** Whether the value is on the good side. */
        public boolean holds(double value, double limit) {
            return switch (this) {
                case BELOW -> value < limit;
                case AT_MOST -> value <= limit;
                case ABOVE -> value > limit;
                case AT_LEAST -> value >= limit;
            };
        }
    }
}
