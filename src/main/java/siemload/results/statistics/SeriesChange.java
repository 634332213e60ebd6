package siemload.results.statistics;

import java.util.Arrays;

/**
 * A change within a series. Its standard error is that of independent deviations, widened by the {@link DesignEffect} of those
 * that there are: a slow second is seldom alone.
 *
 * @param standardError of the change
 */
record SeriesChange(double change, double standardError) {
    private static final double BETWEEN_THIRDS = 2.0 / 3;
    private static final int BEGINNING = 10;

    /**
     * From the middle of the first third to that of the last, by the least-squares line through all values.
     *
     * @param values at equal distances, at least three
     */
    static SeriesChange trend(double[] values) {
        int count = values.length;
        double middle = (count - 1) / 2.0;
        double mean = 0;
        double products = 0;
        double squares = 0;
        for (int i = 0; i < count; i++) {
            mean += values[i] / count;
            products += (i - middle) * values[i];
            squares += (i - middle) * (i - middle);
        }
        double slope = products / squares;
        double[] deviations = new double[count];
        double variance = 0;
        for (int i = 0; i < count; i++) {
            deviations[i] = values[i] - mean - slope * (i - middle);
            variance += deviations[i] * deviations[i];
        }
        double widened = variance == 0 ? 0 : variance * DesignEffect.of(deviations, variance) / (count - 2);
        double length = BETWEEN_THIRDS * count;
        return new SeriesChange(slope * length, length * Math.sqrt(widened / squares));
    }

    /**
     * How far the first tenth is above the others, whose deviations alone say what chance gives: a slow beginning would hide
     * itself among its own.
     *
     * @param values at equal distances, at least twenty
     */
    static SeriesChange beginning(double[] values) {
        int first = values.length / BEGINNING;
        double[] others = Arrays.copyOfRange(values, first, values.length);
        double mean = Arrays.stream(others).average().orElse(0);
        double variance = 0;
        for (int i = 0; i < others.length; i++) {
            others[i] -= mean;
            variance += others[i] * others[i];
        }
        double widened = variance == 0 ? 0 : variance * DesignEffect.of(others, variance) / (others.length - 1);
        double above = Arrays.stream(values, 0, first).average().orElse(mean) - mean;
        return new SeriesChange(above, Math.sqrt(widened * (1.0 / first + 1.0 / others.length)));
    }
}
