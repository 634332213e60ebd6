package siemload.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import siemload.compare.Experiment.Axis;
import siemload.compare.Experiment.ComparedVariant;
import siemload.compare.RunLog.Ledger;
import siemload.config.ConfigException;
import siemload.config.Settings;

@Tag("every-java")
class LedgerTest {
    private static final List<ComparedVariant> TWO =
            ComparedVariant.of(List.of(new Axis("hint", List.of("none", "index"))));
    private static final List<ComparedVariant> FOUR =
            ComparedVariant.of(List.of(new Axis("hint", List.of("none", "full-scan", "index", "time-index"))));
    private static final Experiment EXPERIMENT = Examples.experiment(3, "hint", "none", "index");

    @TempDir
    private Path root = Path.of("");

    @Test
    void anExperimentGoesOnAtTheFirstMissingRunAndCountsNoneTwice() throws IOException {
        Path directory = root.resolve("one");
        endTwoOfSix(directory);
        Path gone = directory.resolve(Ledger.entries(directory).get(1).directory());
        Files.move(gone.resolve("run.json"), gone.resolve("gone"));
        try (Ledger ledger = new Ledger(directory, EXPERIMENT)) {
            assertThat(ledger.missing())
                    .as("of one the results are gone")
                    .isEqualTo(Ledger.slots(EXPERIMENT).subList(1, 6));
        }
        Files.move(gone.resolve("gone"), gone.resolve("run.json"));
        try (Ledger ledger = new Ledger(directory, EXPERIMENT)) {
            assertThat(ledger.missing()).isEqualTo(Ledger.slots(EXPERIMENT).subList(2, 6));
            for (int i = 2; i < 6; i++) {
                end(ledger, i, 0);
            }
        }
        assertThat(Ledger.entries(directory)).hasSize(6).doesNotHaveDuplicates();
        assertThat(Ledger.findUnfinished(root, EXPERIMENT)).isEmpty();
        assertThat(Ledger.findUnfinished(root, EXPERIMENT.with(Map.of(), 12))).contains(directory);
    }

    @Test
    void whatAKilledRunLeftBehindStandsInNobodysWay() throws IOException {
        Path directory = root.resolve("one");
        Path left;
        try (Ledger ledger = new Ledger(directory, EXPERIMENT)) {
            end(ledger, 0, 0);
            left = place(ledger, ledger.missing().get(0));
            Files.createDirectories(left.resolve("half a run"));
        }
        try (Ledger ledger = new Ledger(directory, EXPERIMENT)) {
            assertThat(place(ledger, ledger.missing().get(0)))
                    .isNotEqualTo(left)
                    .doesNotExist();
            assertThat(ledger.entries()).hasSize(1);
            end(ledger, 1, 0);
        }
        assertThat(Ledger.entries(directory)).extracting(Ledger.Entry::position).containsExactly(1, 2);
    }

    @Test
    void resultsOutsideOfTheExperimentAreRefused() throws IOException {
        Path directory = root.resolve("one");
        new Ledger(directory, EXPERIMENT).close();
        for (String outside : List.of("../../home", "/home", "..", "", "runs/../..", "a\\u0000b")) {
            Files.writeString(
                    directory.resolve("runs.json"),
                    "{\"runs\":[{\"position\":1,\"block\":0,\"seconds\":1,\"otherSeconds\":0,\"variant\":\"none\",\"directory\":\""
                            + outside + "\"}]}");
            assertThatThrownBy(() -> new Ledger(directory, EXPERIMENT))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("runs.json: ");
        }
    }

    @Test
    void aDirectoryThatADiskFullLeftEmptyStandsInNobodysWay() throws IOException {
        Path half = Files.createDirectories(root.resolve("zzz"));
        Files.writeString(half.resolve("experiment.json"), "");
        new Ledger(root.resolve("one"), EXPERIMENT).close();
        assertThat(Ledger.find(root, EXPERIMENT)).contains(root.resolve("one"));
        assertThatThrownBy(() -> Ledger.FILE.read(half))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(half.resolve("experiment.json").toString());
    }

    @Test
    void twoAtOnceAreRefused() throws IOException {
        Path directory = root.resolve("one");
        try (Ledger ledger = new Ledger(directory, EXPERIMENT)) {
            assertThat(ledger.directory()).isEqualTo(directory);
            assertThatThrownBy(() -> new Ledger(directory, EXPERIMENT))
                    .isInstanceOf(ConfigException.class)
                    .hasMessageContaining("another process");
        }
    }

    @Test
    void asManyRunsAsRepeatsAreMadeTwiceHoweverOftenTheExperimentGoesOn() throws IOException {
        Path directory = root.resolve("one");
        try (Ledger ledger = new Ledger(directory, EXPERIMENT)) {
            end(ledger, 0, 7.5);
            end(ledger, 1, 0);
        }
        try (Ledger ledger = new Ledger(directory, EXPERIMENT)) {
            assertThat(ledger.spare()).isEqualTo(2);
            end(ledger, 2, 7.5);
            end(ledger, 3, 7.5);
            assertThat(ledger.spare()).isZero();
        }
    }

    private static void endTwoOfSix(Path directory) throws IOException {
        try (Ledger ledger = new Ledger(directory, EXPERIMENT)) {
            end(ledger, 0, 0);
            end(ledger, 1, 0);
        }
    }

    private static void end(Ledger ledger, int position, double otherSeconds) throws IOException {
        List<Ledger.Slot> slots = Ledger.slots(EXPERIMENT);
        Ledger.Slot slot = slots.get(position);
        Path run = place(ledger, slot).resolve("run");
        Files.createDirectories(run);
        Files.writeString(run.resolve("run.json"), "{}");
        ledger.add(slot.block(), slot.variant().label(), run, 12.5, otherSeconds);
    }

    private static Path place(Ledger ledger, Ledger.Slot slot) {
        return ledger.place(slot.position() + 1, slot.variant().label());
    }

    /** The same experiment goes on whether or not somebody says once more that it may. */
    @Test
    void whatAUserAllowsAndWhereThingsAreKeptIsNoPartOfAnExperimentButOfItsRuns() {
        Settings given = Settings.of(
                Map.of("yes", "true", "allowBusyServer", "true", "cache", "/tmp/c", "users", "4", "verbose", "true"),
                Map.of(),
                Map.of());

        assertThat(ExperimentPlan.ofRuns(given)).containsOnlyKeys("users");
        assertThat(ExperimentPlan.forRun(Map.of("users", "4"), given))
                .containsOnlyKeys("users", "settle", "yes", "allowBusyServer", "cache");
    }

    @Test
    void everyBlockRunsEveryCellOnceAndEverySecondTurnsTheOrderAround() {
        List<Ledger.Slot> slots = Ledger.slots(FOUR, 8, 7);
        for (int block = 0; block < 8; block += 2) {
            assertThat(slots.subList(4 * block, 4 * block + 4))
                    .extracting(slot -> slot.variant().label())
                    .containsExactlyInAnyOrder("none", "full-scan", "index", "time-index");
            for (int i = 0; i < 4; i++) {
                assertThat(slots.get(4 * block + i).variant())
                        .isEqualTo(slots.get(4 * block + 7 - i).variant());
            }
        }
    }

    @Test
    void eachCellOfTwoIsFirstInHalfOfTheBlocks() {
        for (long seed = 1; seed <= 200; seed++) {
            long first = Ledger.slots(TWO, 10, seed).stream()
                    .filter(slot ->
                            slot.position() % 2 == 0 && slot.variant().label().equals("none"))
                    .count();
            assertThat(first).as("seed %s", seed).isEqualTo(5);
        }
    }
}
