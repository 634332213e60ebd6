package siemload.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.Test;

class ByPhaseTest {
    private final ByPhase<String, LongAdder> counts = new ByPhase<>(LongAdder::new);

    @Test
    void thePhasesAreKeptApart() {
        counts.of(false, "HAWAT1").add(2);
        counts.of(true, "HAWAT1").increment();
        counts.of(true, "HAWAT1").add(4);

        assertThat(counts.measured().get("HAWAT1").sum()).isEqualTo(5);
        assertThat(counts.others().get("HAWAT1").sum()).isEqualTo(2);
    }

    @Test
    void bothPhasesKnowAKeyFromItsFirstUseInEither() {
        counts.of(false, "HAWAT1");
        counts.of(true, "MENTAT");

        assertThat(counts.measured()).containsOnlyKeys("HAWAT1", "MENTAT");
        assertThat(counts.others()).containsOnlyKeys("HAWAT1", "MENTAT");
    }
}
