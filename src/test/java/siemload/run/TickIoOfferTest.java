package siemload.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import siemload.config.SettingSources;
import siemload.config.Settings;
import siemload.results.MicrosSummary;
import siemload.results.ScheduleResult;

final class TickIoOfferTest {

    @Test
    void ticksThatWereNotCountedAreSaidToBeSoWhereThatWasAskedFor() {
        List<ScheduleResult> schedules = List.of(ticks("all", 97), ticks("some", 90), ticks("none", 0));

        assertThat(TickIoOffer.gaps(schedules, plan(Map.of()).scenario())).isEmpty();
        assertThat(TickIoOffer.gaps(schedules, plan(Map.of("ticks.io", "true")).scenario()))
                .containsExactly(
                        "what 7 of 97 answered ticks of some read was not counted: their sessions had just done"
                                + " something else",
                        "what 97 of 97 answered ticks of none read was not counted: the server does not tell it of"
                                + " single sessions, or not to this user");
    }

    /** Of 100 ticks three failed. */
    private static ScheduleResult ticks(String group, long counted) {
        return new ScheduleResult(
                group,
                1,
                1,
                new ScheduleResult.TickCounts(100, 100, 3, 0, 0),
                MicrosSummary.NONE,
                MicrosSummary.NONE,
                counted,
                List.of());
    }

    private static RunPlan plan(Map<String, String> properties) {
        Map<String, String> all = new HashMap<>(Map.of("scenario", "detections"));
        all.putAll(properties);
        return RunPlan.read(Settings.of(new SettingSources(Map.of(), all, Map.of())), Path.of(""));
    }
}
