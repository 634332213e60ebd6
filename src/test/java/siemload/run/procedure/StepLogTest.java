package siemload.run.procedure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import siemload.results.StepRecord;

class StepLogTest {
    private final AtomicInteger alarms = new AtomicInteger();
    private final StepLog log = new StepLog(alarms::incrementAndGet);

    @Test
    void threeStepsInARowThatFailAreTooMany() {
        add("failed", "failed", "done", "failed", "failed");
        assertThat(alarms).hasValue(0);
        add("failed");
        assertThat(alarms).hasValue(1);
        add("failed", "done");
        assertThat(alarms).hasValue(1);
        assertThat(log.steps()).hasSize(8);
    }

    private void add(String... outcomes) {
        for (String outcome : outcomes) {
            log.add(new StepRecord(
                    "HAWAT1", outcome.equals("failed") ? Map.of(StepRecord.ERROR, "timeout") : Map.of(), Map.of()));
        }
    }
}
