package siemload.database.scripted;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import siemload.database.scripted.ScriptedPlugin.AnswerSchedule;
import siemload.database.scripted.ScriptedPlugin.ScriptPlaces;

class ScriptPlacesTest {
    private static final long NEVER = Long.MAX_VALUE / 2;

    private final ScriptPlaces two = new ScriptPlaces(2, 0);

    @Test
    void asManyAsThereArePlacesAreWorkedOnAtOnceAndOthersInTheirOrder() {
        assertThat(ends(0, NEVER)).isEqualTo(10);
        assertThat(ends(0, NEVER)).isEqualTo(10);
        assertThat(ends(1, NEVER)).isEqualTo(20);
        assertThat(ends(2, NEVER)).isEqualTo(20);
        assertThat(ends(3, NEVER)).isEqualTo(30);
        assertThat(ends(100, NEVER)).isEqualTo(110);
    }

    @Test
    void whoGivesUpInTheQueueTakesNoPlace() {
        assertThat(ends(0, NEVER)).isEqualTo(10);
        assertThat(ends(0, NEVER)).isEqualTo(10);
        ends(1, 10);
        ends(1, 10);
        assertThat(ends(2, NEVER)).isEqualTo(20);
    }

    @Test
    void whoeverAsksIsToldHowManyAreAtWorkAndHowManyWait() {
        ends(0, NEVER);
        ends(0, NEVER);
        ends(5, NEVER);
        assertThat(two.at(9)).isEqualTo(Map.of("running", 2L, "queue", 1L));
        assertThat(two.at(10)).isEqualTo(Map.of("running", 1L, "queue", 0L));
        assertThat(two.at(20)).isEqualTo(Map.of("running", 0L, "queue", 0L));
    }

    /** When an answer of 10 ns ends. */
    private long ends(long called, long deadline) {
        return two.answer(called, deadline, start -> AnswerSchedule.of(start, 10))
                .lastRowNanos();
    }
}
