package siemload.compare.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ScheduleTest {
    private static final List<ComparedVariant> TWO =
            ComparedVariant.of(List.of(new Axis("hint", List.of("none", "index"))));
    private static final List<ComparedVariant> FOUR =
            ComparedVariant.of(List.of(new Axis("hint", List.of("none", "full-scan", "index", "time-index"))));

    @Test
    void everyBlockRunsEveryCellOnce() {
        Map<Integer, Set<String>> cells = new HashMap<>();
        for (Schedule.Slot slot : Schedule.of(FOUR, 9, 1).slots()) {
            cells.computeIfAbsent(slot.block(), unused -> new HashSet<>())
                    .add(slot.variant().label());
        }
        assertThat(cells).hasSize(9);
        assertThat(cells.values()).allMatch(block -> block.size() == 4);
    }

    @Test
    void everySecondBlockTurnsTheOrderAround() {
        List<Schedule.Slot> slots = Schedule.of(FOUR, 8, 7).slots();
        for (int block = 0; block < 8; block += 2) {
            for (int i = 0; i < 4; i++) {
                assertThat(slots.get(4 * block + i).variant())
                        .isEqualTo(slots.get(4 * block + 7 - i).variant());
            }
        }
    }

    @Test
    void eachCellOfTwoIsFirstInHalfOfTheBlocks() {
        for (long seed = 1; seed <= 200; seed++) {
            long first = Schedule.of(TWO, 10, seed).slots().stream()
                    .filter(slot ->
                            slot.position() % 2 == 0 && slot.variant().label().equals("none"))
                    .count();
            assertThat(first).as("seed %s", seed).isEqualTo(5);
        }
    }
}
