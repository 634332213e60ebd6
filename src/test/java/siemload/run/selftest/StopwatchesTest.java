package siemload.run.selftest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import siemload.run.selftest.SelftestResult.Check;
import siemload.run.selftest.SelftestResult.Ratio;
import siemload.run.selftest.SelftestResult.Stopwatch;
import siemload.run.selftest.Stopwatches.Round;
import siemload.run.selftest.Stopwatches.Timed;

class StopwatchesTest {
    private static final Stopwatch SHORT = rounds("MENTAT", 180, 60, 1, 1, 1, 1);

    /** Logarithms -0.01, 0, 0 and 0.01 of ratios: deviation 0.0081650, times 3.18245 over the root of 4. */
    @Test
    void theIntervalIsThatOfTheLogarithmsOfTheRatios() {
        Stopwatch watch = Stopwatches.of(
                "TOPLIST",
                "pgbench 15",
                List.of(
                        round(10_000 * Math.exp(-0.01), 10_000, 10_000),
                        round(10_000, 10_000, 10_000),
                        round(20_000, 20_000, 20_000),
                        round(10_000 * Math.exp(0.01), 10_000, 10_000)));

        assertThat(watch.toClient().value()).isCloseTo(1, within(1e-12));
        assertThat(watch.toClient().low()).isCloseTo(Math.exp(-0.0129923), within(1e-6));
        assertThat(watch.toClient().high()).isCloseTo(Math.exp(0.0129923), within(1e-6));
        assertThat(watch.serverMicros()).isEqualTo(12_500);
    }

    @Test
    void timesWithinTwoPercentPass() {
        List<Check> checks =
                Stopwatches.checks(rounds("TOPLIST", 12_100, 12_000, 0.994, 0.996, 0.995, 0.995), SHORT, "");

        assertThat(checks)
                .extracting(Check::name)
                .containsExactly(
                        "a search of 12 ms: siemload to the server",
                        "a search of 12 ms: siemload to pgbench",
                        "a short search but for the server: siemload to pgbench");
        assertThat(checks).allMatch(Check::passed);
        assertThat(checks.get(1).measured())
                .startsWith("12.10 to 12.04 ms: +0.5 % (+0.")
                .doesNotContain("too few");
        assertThat(checks.get(2).measured()).isEqualTo("120 to 120 µs");
    }

    @Test
    void timesThatAreDecidedlyFurtherApartFailAndSayByHowMuch() {
        assertFails(rounds("TOPLIST", 10_500, 10_000, 0.951, 0.952, 0.953, 0.952), "+5.0 %");
        assertFails(rounds("TOPLIST", 9_500, 10_000, 1.052, 1.053, 1.052, 1.051), "-4.9 %");
    }

    private static void assertFails(Stopwatch longer, String by) {
        List<Check> checks = Stopwatches.checks(longer, SHORT, "");
        assertThat(checks.subList(0, 2)).noneMatch(Check::passed);
        assertThat(checks.get(1).why()).contains(by);
    }

    @Test
    void noiseDecidesNothing() {
        List<Check> checks = Stopwatches.checks(rounds("TOPLIST", 10_500, 10_400, 0.8, 1.1, 0.9, 1), SHORT, "");

        assertThat(checks).allMatch(Check::passed);
        assertThat(checks.get(1).measured()).endsWith("too few rounds to tell");
    }

    @Test
    void aShortSearchMayTakeATenthOfAMillisecondMoreThanWithTheOtherProgram() {
        Stopwatch longer = rounds("TOPLIST", 10_000, 10_000, 1, 1, 1, 1);

        assertThat(Stopwatches.checks(longer, rounds("MENTAT", 300, 50, 0.67, 0.67, 0.67, 0.67), ""))
                .allMatch(Check::passed);
        assertThat(Stopwatches.checks(longer, rounds("MENTAT", 300, 50, 0.66, 0.66, 0.66, 0.66), ""))
                .filteredOn(check -> !check.passed())
                .extracting(Check::expected)
                .containsExactly("up to 100 µs more");
    }

    @Test
    void oneRoundSaysNothingOfTheNextOne() {
        Stopwatch watch = rounds("TOPLIST", 10_500, 10_000, 0.5);

        assertThat(watch.toClient()).isEqualTo(new Ratio(watch.toClient().value(), 0, Double.MAX_VALUE));
        assertThat(watch.toClient().value()).isCloseTo(2, within(1e-9));
    }

    @Test
    void whatIsNotThereIsNotCompared() {
        Stopwatch alone = Stopwatches.of("TOPLIST", "", List.of(round(10_000, 0, 0), round(10_000, 0, 0)));

        assertThat(alone.toServer()).isEqualTo(new Ratio(0, 0, 0));
        assertThat(Stopwatches.checks(alone, alone, "pgbench is not installed"))
                .allMatch(Check::passed)
                .extracting(Check::measured)
                .containsExactly(
                        "not compared: the server does not tell its own time",
                        "not compared: pgbench is not installed");
    }

    /** The server took half as long while the other program asked: the ratios 1.05 and 1.04 to it are what is left. */
    @Test
    void howFastTheServerWasMeanwhileIsLeftOut() {
        Stopwatch watch = Stopwatches.of(
                "TOPLIST", "pgbench 15", List.of(new Round(new Timed(10_500, 10_000), new Timed(5_200, 5_000))));

        assertThat(watch.toClient().value()).isCloseTo(1.05 / 1.04, within(1e-12));
        assertThat(watch.toServer().value()).isCloseTo(1.05, within(1e-12));
        assertThat(watch.clientServerMicros()).isEqualTo(5_000);
    }

    @Test
    void withoutTheServersOwnTimeTheMeansAreCompared() {
        Stopwatch watch = Stopwatches.of(
                "TOPLIST", "pgbench 15", List.of(new Round(new Timed(10_500, 10_000), new Timed(5_000, 0))));

        assertThat(watch.toClient().value()).isCloseTo(2.1, within(1e-12));
    }

    /** The server took as long for both. */
    private static Round round(double micros, double serverMicros, double clientMicros) {
        return new Round(new Timed(micros, serverMicros), new Timed(clientMicros, clientMicros > 0 ? serverMicros : 0));
    }

    /** @param ratios of the other program's time to ours */
    private static Stopwatch rounds(String search, double micros, double serverMicros, double... ratios) {
        List<Round> rounds = new ArrayList<>();
        for (double ratio : ratios) {
            rounds.add(round(micros, serverMicros, micros * ratio));
        }
        return Stopwatches.of(search, "pgbench 15.18", rounds);
    }
}
