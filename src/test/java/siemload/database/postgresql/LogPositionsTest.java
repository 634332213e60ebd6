package siemload.database.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import siemload.database.postgresql.PostgresqlServer.PostgresqlReplication.LogPositions;

class LogPositionsTest {
    private final LogPositions positions = new LogPositions();

    @Test
    void whoeverFollowsAtADistanceIsBehindByThatTime() {
        assertThat(lag(0, 100, 0)).isZero();
        assertThat(lag(1, 200, 0)).hasSeconds(1);
        assertThat(lag(2, 300, 100)).hasSeconds(1);
        assertThat(lag(3, 400, 199)).as("not quite where the log ended at 1").hasSeconds(2);
        assertThat(lag(4, 400, 400)).isZero();
    }

    private Duration lag(long second, long end, long follower) {
        return positions.lag(Duration.ofSeconds(second).toNanos(), end, follower);
    }
}
