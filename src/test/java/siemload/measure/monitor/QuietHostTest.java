package siemload.measure.monitor;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;

class QuietHostTest {

    @Test
    void oneBusySecondBetweenStartsAnew() {
        assertThat(quietAfter(0.0)).isFalse();
        assertThat(quietAfter(0.0, 0.10, 0.0)).isFalse();
        assertThat(quietAfter(0.0, 0.10, 0.0, 0.0)).isTrue();
    }

    private static boolean quietAfter(double... busyRatios) {
        QuietHost host = new QuietHost();
        return DoubleStream.of(busyRatios).mapToObj(host::isQuietAfter).reduce(false, (before, now) -> now);
    }
}
