package siemload.compare.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import siemload.compare.experiment.Comparison.Series;

/** A p95 that grows with the users, beside a throughput that saturates. */
class GrowthFitTest {
    private static final List<Integer> USERS = List.of(1, 2, 4, 8, 16);
    private static final Experiment EXPERIMENT = Examples.experiment(9, "users", "1", "2", "4", "8", "16");

    /** One user makes too few searches for a p95, and enough for a throughput. */
    @Test
    void theLawIsOfTheThroughputThatWasMeasured() {
        List<Series> everywhere = new ArrayList<>();
        List<Series> fewer = new ArrayList<>();
        for (int users : USERS) {
            everywhere.add(series("throughput", users, List.of()));
            if (users > 1) {
                everywhere.add(series("p95", users, List.of()));
                fewer.add(series("throughput", users, List.of()));
                fewer.add(series("p95", users, List.of()));
            }
        }

        assertThat(scalability(everywhere).fitted()).isTrue();
        assertThat(scalability(everywhere)).isEqualTo(scalability(fewer));
        assertThat(scalability(everywhere).lambda()).isBetween(9.0, 11.0);
    }

    @Test
    void whatIsOnlyABoundIsNoPoint() {
        List<Series> figures = new ArrayList<>();
        for (int users : USERS) {
            figures.add(series("p95", users, users == 16 ? List.of(3) : List.of()));
        }

        assertThat(GrowthFit.of(EXPERIMENT, sizes(), figures))
                .singleElement()
                .satisfies(growth ->
                        assertThat(growth.points()).extracting(Growth.Point::n).containsExactly(1.0, 2.0, 4.0, 8.0));
    }

    private static Growth.Scalability scalability(List<Series> figures) {
        return GrowthFit.of(EXPERIMENT, sizes(), figures).get(0).scalability();
    }

    private static Map<String, Double> sizes() {
        Map<String, Double> sizes = new LinkedHashMap<>();
        USERS.forEach(users -> sizes.put(users + "", (double) users));
        return sizes;
    }

    private static Series series(String metric, int users, List<Integer> bounds) {
        double value = metric.equals("p95") ? 1_000 * Math.pow(users, 1.5) : 10 * users / (1 + 0.05 * (users - 1));
        return new Series("HAWAT1", metric, users + "", Map.of(0, value), value, bounds);
    }
}
