package siemload.run.procedure;

/**
 * How the time of a page grows with its number: the slope of the straight line that has the least sum of squared distances
 * from all pages. Used by one thread.
 */
final class SlopeOfPages {
    private long count;
    private double total;
    private double meanNumber;
    private double meanMicros;
    private double numbersSquared;
    private double products;

    /** Takes one page. */
    void add(long number, double micros) {
        count++;
        total += micros;
        double fromMean = number - meanNumber;
        meanNumber += fromMean / count;
        meanMicros += (micros - meanMicros) / count;
        // Welford's way, with the old mean of one and the new mean of the other: no large sums that cancel each other.
        numbersSquared += fromMean * (number - meanNumber);
        products += fromMean * (micros - meanMicros);
    }

    long count() {
        return count;
    }

    /** The sum over all pages, in microseconds. */
    double total() {
        return total;
    }

    /** In microseconds a page; 0 for less than two pages. */
    double slope() {
        return numbersSquared == 0 ? 0 : products / numbersSquared;
    }
}
