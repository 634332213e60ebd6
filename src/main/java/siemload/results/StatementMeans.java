package siemload.results;

/**
 * How long a statement took in the mean when a server counted it, and when a scenario asked it that was learnt from the counts. Means
 * stand beside means alone: counts have no percentiles. Immutable.
 *
 * @param name of the statement
 * @param count how often it was asked in the measured phase
 * @param answered how often it was answered
 * @param failed how often it was not; those that the run gave up waiting for are among them
 * @param then what was counted
 * @param nowMicros from a worker's begin to the last row, of those that were answered; the network is in it
 * @param meanRatio the mean now by the mean then; 0 where one of them is not known or 0
 */
public record StatementMeans(
        String name,
        long count,
        long answered,
        long failed,
        CountedTimes then,
        MicrosSummary nowMicros,
        double meanRatio) {

    /** With the ratio of the means, to three places. */
    public static StatementMeans of(
            String name, long answered, long failed, CountedTimes then, MicrosSummary nowMicros) {
        boolean known = answered > 0 && then.meanMicros() > 0;
        double ratio = known ? Math.round(1_000 * nowMicros.mean() / then.meanMicros()) / 1_000.0 : 0;
        return new StatementMeans(name, answered + failed, answered, failed, then, nowMicros, ratio);
    }

    /**
     * The time that a server worked on executions that it has counted, in microseconds. Immutable.
     *
     * @param calls how many there were
     * @param stddevMicros the standard deviation; -1 where the counts do not tell, as the others are
     */
    public record CountedTimes(
            long calls, double meanMicros, double stddevMicros, double minMicros, double maxMicros) {}
}
