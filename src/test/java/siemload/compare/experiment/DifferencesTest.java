package siemload.compare.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import siemload.compare.experiment.Differences.RunFacts;

class DifferencesTest {
    private static final List<Axis> HINT = List.of(new Axis("hint", List.of("none", "index")));

    @Test
    void runsThatDifferInTheAxisAloneAreAlike() {
        assertThat(Differences.between(runs("scenario", "hint", "none", "index", "index", "none"), HINT))
                .isEmpty();
    }

    @Test
    void anotherParameterIsNamedWithTheRunsThatHadIt() {
        List<Difference> differences =
                Differences.between(runs("database", "setting.work_mem", "4MB", "4MB", "64MB", "4MB"), HINT);
        assertThat(differences)
                .extracting(Difference::sentence)
                .containsExactly("database setting.work_mem was 4MB in runs 1, 2, 4 and 64MB in run 3");
    }

    @Test
    void aParameterThatChangesWithTheAxisIsADifferenceAllTheSame() {
        assertThat(Differences.between(runs("database", "setting.jit", "off", "on", "on", "off"), HINT))
                .hasSize(1);
    }

    @Test
    void aVariedParameterMayDifferBetweenCellsButNotWithinOne() {
        List<Axis> parameters = List.of(new Axis("parameters", List.of("none", "index")));
        assertThat(Differences.between(runs("database", "setting.jit", "off", "on", "on", "off"), parameters))
                .isEmpty();
        assertThat(Differences.between(runs("database", "setting.jit", "off", "on", "off", "off"), parameters))
                .hasSize(1);
    }

    @Test
    void otherIndexesMakeOtherTables() {
        List<Axis> indexes = List.of(new Axis("indexes", List.of("none", "index")));
        assertThat(Differences.between(runs("tables", "events_time", "500000", "700000", "700000", "500000"), indexes))
                .isEmpty();
        assertThat(Differences.between(runs("tables", "events_time", "500000", "700000", "700000", "500000"), HINT))
                .hasSize(1);
    }

    @Test
    void sizesThatDifferByLittleAreTheSame() {
        assertThat(Differences.between(
                        runs("tables", "events_hulls", "30130176", "29999104", "29564928", "30130176"), HINT))
                .isEmpty();
        assertThat(Differences.between(
                        runs("tables", "events_hulls", "30130176", "29999104", "28564928", "30130176"), HINT))
                .hasSize(1);
        assertThat(Differences.between(runs("tables", "events_hulls", "319488", "344064", "319488", "335872"), HINT))
                .isEmpty();
        assertThat(Differences.between(runs("dataset", "events", "200000", "199999", "200000", "200000"), HINT))
                .hasSize(1);
    }

    @Test
    void aSizeThatCouldNotBeReadIsADifference() {
        assertThat(Differences.between(
                        runs("tables", "sizes", "(none)", "could not be read", "(none)", "(none)"), HINT))
                .hasSize(1);
    }

    @Test
    void aValueThatIsMissingIsADifference() {
        List<RunFacts> runs = new ArrayList<>(runs("database", "setting.jit", "on", "on", "on", "on"));
        runs.set(3, new RunFacts(4, "none", Map.of()));
        assertThat(Differences.between(runs, HINT))
                .extracting(Difference::sentence)
                .containsExactly("database setting.jit was on in runs 1-3 and (none) in run 4");
    }

    private static List<RunFacts> runs(String section, String key, String... values) {
        String[] cells = {"none", "index", "index", "none"};
        List<RunFacts> runs = new ArrayList<>();
        for (int i = 0; i < values.length; i++) {
            runs.add(new RunFacts(i + 1, cells[i], Map.of(section, Map.of(key, values[i]))));
        }
        return runs;
    }
}
