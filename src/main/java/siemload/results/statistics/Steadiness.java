package siemload.results.statistics;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.DoubleUnaryOperator;
import org.hipparchus.distribution.continuous.NormalDistribution;
import siemload.results.RunFile;
import siemload.results.RunResult.SteadyState;
import siemload.results.RunResult.SteadyState.Change;
import siemload.results.RunResult.SteadyState.Figure;
import siemload.results.TableReader;

/**
 * Tests whether the measured phase of a run was steady, from the searches that ended in each second and their median response
 * time: a trend of either at 2 %, and a beginning of either that is unlike the rest at 0.5 %, so that a steady run changed in at most
 * 5 % of all cases (Bonferroni). Simulated rates are in docs/adr/034. Stateless.
 */
public final class Steadiness {
    /** Longer phases are tested by means of several seconds. */
    private static final int MOST_POINTS = 600;

    /** Fewer do not show whether seconds are alike. */
    private static final int FEWEST_SECONDS = 20;

    /** The beginnings of the parts that may be steady; later ones would leave less than half of the phase. */
    private static final List<Double> PARTS = List.of(0.0, 0.1, 0.2, 0.3, 0.4, 0.5);

    private static final double TREND = quantile(1 - 0.02 / 2);
    private static final double BEGINNING = quantile(1 - 0.005 / 2);
    private static final double FOUR_OF_FIVE = quantile(0.8);

    private Steadiness() {}

    /**
     * What ended in one second.
     *
     * @param medianMicros of no meaning where nothing ended
     */
    record Second(double searches, double medianMicros) {}

    /** Tests the measured phase by the timeline of a run; untested where that cannot be read. */
    public static SteadyState read(Path directory) {
        List<Second> seconds = new ArrayList<>();
        try {
            new TableReader(directory, RunFile.TIMELINE).read(row -> {
                if (row.text("phase").equals("measured")) {
                    seconds.add(new Second(row.number("finished"), row.number("responseP50Micros")));
                }
            });
        } catch (IOException unreadable) {
            return SteadyState.UNTESTED;
        }
        return of(seconds);
    }

    private static double quantile(double probability) {
        return new NormalDistribution().inverseCumulativeProbability(probability);
    }

    static SteadyState of(List<Second> seconds) {
        if (isTooLittle(seconds)) {
            return SteadyState.UNTESTED;
        }
        Figure searches = searches(seconds);
        Figure responseTime = responseTime(seconds);
        for (double beginning : PARTS) {
            int first = (int) Math.round(beginning * seconds.size());
            List<Second> part = seconds.subList(first, seconds.size());
            if (!isTooLittle(part)
                    && !searches(part).changed()
                    && !responseTime(part).changed()) {
                return new SteadyState(true, first, searches, responseTime);
            }
        }
        return new SteadyState(true, -1, searches, responseTime);
    }

    private static boolean isTooLittle(List<Second> seconds) {
        return seconds.stream().filter(second -> second.searches() > 0).count() < FEWEST_SECONDS;
    }

    private static Figure searches(List<Second> seconds) {
        double[] rates = means(seconds.stream().mapToDouble(Second::searches).toArray());
        double mean = Arrays.stream(rates).average().orElse(1);
        return figure(rates, change -> change / mean);
    }

    /** Of logarithms, so that one slow second does not outweigh the others; those without searches are left out. */
    private static Figure responseTime(List<Second> seconds) {
        double[] logarithms = means(seconds.stream()
                .filter(second -> second.searches() > 0)
                .mapToDouble(second -> Math.log(Math.max(1, second.medianMicros())))
                .toArray());
        return figure(logarithms, Math::expm1);
    }

    private static Figure figure(double[] values, DoubleUnaryOperator ratio) {
        return new Figure(
                change(SeriesChange.trend(values), TREND, ratio),
                change(SeriesChange.beginning(values), BEGINNING, ratio));
    }

    private static Change change(SeriesChange change, double certain, DoubleUnaryOperator ratio) {
        double margin = certain * change.standardError();
        return new Change(
                ratio.applyAsDouble(change.change()),
                ratio.applyAsDouble(change.change() - margin),
                ratio.applyAsDouble(change.change() + margin),
                ratio.applyAsDouble(margin + FOUR_OF_FIVE * change.standardError()));
    }

    private static double[] means(double[] values) {
        int length = (values.length + MOST_POINTS - 1) / MOST_POINTS;
        double[] means = new double[values.length / length];
        for (int i = 0; i < means.length * length; i++) {
            means[i / length] += values[i] / length;
        }
        return means;
    }

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
}
