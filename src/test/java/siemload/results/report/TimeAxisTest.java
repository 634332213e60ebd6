package siemload.results.report;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import siemload.results.report.TimeAxis.Series;

class TimeAxisTest {

    @ParameterizedTest
    @CsvSource({
        "0, 0, 1, 1",
        "-15, 60, 1, 76",
        "1, 600, 1, 600",
        "1, 601, 2, 301",
        "-60, 3600, 7, 523",
        "0, 86399, 144, 600"
    })
    void aLongRunHasNoMorePointsThanAShortOne(long first, long last, long step, int points) {
        TimeAxis axis = TimeAxis.of(first, last);

        assertThat(axis).isEqualTo(new TimeAxis(first, step, points));
        assertThat(axis.points()).isLessThanOrEqualTo(TimeAxis.MAX_POINTS);
        assertThat(axis.holds(axis.indexOf(first))).isTrue();
        assertThat(axis.holds(axis.indexOf(last))).isTrue();
        assertThat(axis.holds(axis.indexOf(first - 1))).isFalse();
    }

    @Test
    void severalSecondsOfAPointGiveTheirMeanOrTheirHighest() {
        TimeAxis axis = new TimeAxis(0, 3, 3);
        Series mean = new Series(axis, Series.Kind.MEAN);
        Series highest = new Series(axis, Series.Kind.HIGHEST);
        for (double[] value : new double[][] {{0, 1}, {1, 2}, {2, 6}, {6, 5}, {9, 99}}) {
            mean.add(value[0], value[1]);
            highest.add(value[0], value[1]);
        }

        assertThat(mean.toJson()).hasToString("[3.0,null,5.0]");
        assertThat(highest.toJson()).hasToString("[6.0,null,5.0]");
    }
}
