package siemload.run.selftest;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import siemload.results.statistics.RatioOfMeans;
import siemload.run.selftest.SelftestResult.Check;
import siemload.run.selftest.SelftestResult.Ratio;
import siemload.run.selftest.SelftestResult.Stopwatch;

/**
 * Holds the times that siemload measures against those of the server and of another program, over rounds in which all of them
 * took turns. Stateless.
 */
final class Stopwatches {
    private static final double MOST_TIMES = 1.02;
    /** A fixed excess of 0.1 ms is 2 % of a search of 5 ms. */
    private static final double MOST_FIXED_MICROS = 100;

    private static final Ratio UNKNOWN = new Ratio(0, 0, 0);

    private Stopwatches() {}

    /**
     * A mean time.
     *
     * @param micros from sending to the last row; 0 where it was not measured
     * @param serverMicros the server's own mean time for the same searches; 0 where it does not tell
     */
    record Timed(double micros, double serverMicros) {
        /** There was no other program. */
        static final Timed NEVER = new Timed(0, 0);
    }

    /**
     * A search in one round.
     *
     * @param ours the service time of siemload
     * @param theirs the other program's time right before or after
     */
    record Round(Timed ours, Timed theirs) {}

    /**
     * A search over all rounds.
     *
     * @param client the other program with its version; empty where there is none
     */
    static Stopwatch of(String search, String client, List<Round> rounds) {
        return new Stopwatch(
                search,
                client,
                mean(rounds, round -> round.ours.micros),
                mean(rounds, round -> round.ours.serverMicros),
                mean(rounds, round -> round.theirs.micros),
                mean(rounds, round -> round.theirs.serverMicros),
                ratio(rounds, round -> quotient(round.ours.micros, round.ours.serverMicros)),
                ratio(rounds, Stopwatches::toClient));
    }

    private static double toClient(Round round) {
        double servers = quotient(round.ours.serverMicros, round.theirs.serverMicros);
        double clients = quotient(round.ours.micros, round.theirs.micros);
        return servers > 0 ? clients / servers : clients;
    }

    /** 0 where one of them is not known. */
    private static double quotient(double micros, double others) {
        return micros > 0 && others > 0 ? micros / others : 0;
    }

    /**
     * What there is to say of a long search and of a short one.
     *
     * @param noClient why there is no other program; empty where there is one
     */
    static List<Check> checks(Stopwatch longer, Stopwatch shorter, String noClient) {
        List<Check> checks = new ArrayList<>();
        String subject = String.format(Locale.ROOT, "a search of %.0f ms: ", longer.meanMicros() / 1e3);
        checks.add(
                longer.toServer().isKnown()
                        ? times(subject + "siemload to the server", longer, longer.serverMicros(), longer.toServer())
                        : told(subject + "siemload to the server", "the server does not tell its own time"));
        checks.add(
                longer.toClient().isKnown()
                        ? times(
                                subject + "siemload to " + program(longer),
                                longer,
                                longer.clientMicros(),
                                longer.toClient())
                        : told(subject + "siemload to another program", noClient));
        if (shorter.toClient().isKnown()) {
            checks.add(fixed(shorter));
        }
        return List.copyOf(checks);
    }

    private static String program(Stopwatch stopwatch) {
        return stopwatch.client().split(" ", 2)[0];
    }

    private static Check told(String name, String why) {
        return new Check(name, "within 2 %", "not compared: " + why, true, "");
    }

    /** Only what is decidedly outside fails: the other program and the server have noise of their own. */
    private static Check times(String name, Stopwatch measured, double otherMicros, Ratio ratio) {
        boolean within = ratio.value() <= MOST_TIMES && ratio.value() >= 1 / MOST_TIMES;
        boolean passed = within || (ratio.low() <= MOST_TIMES && ratio.high() >= 1 / MOST_TIMES);
        String undecided = passed && !within ? ", too few rounds to tell" : "";
        return new Check(
                name,
                "within 2 %",
                String.format(
                        Locale.ROOT,
                        "%.2f to %.2f ms: %s (%s to %s)%s",
                        measured.meanMicros() / 1e3,
                        otherMicros / 1e3,
                        percent(ratio.value()),
                        percent(ratio.low()),
                        percent(ratio.high()),
                        undecided),
                passed,
                passed
                        ? ""
                        : "the two differ by " + percent(ratio.value())
                                + ": the way to the server and back is long here, or the machine is busy: see what the"
                                + " short search takes");
    }

    private static String percent(double ratio) {
        return String.format(Locale.ROOT, "%+.1f %%", (ratio - 1) * 100);
    }

    /** What a search costs beside the server's work, of which there is next to none here. */
    private static Check fixed(Stopwatch shorter) {
        double ours = shorter.meanMicros() - shorter.serverMicros();
        double theirs = shorter.clientMicros() - shorter.clientServerMicros();
        boolean passed = ours - theirs <= MOST_FIXED_MICROS;
        return new Check(
                "a short search but for the server: siemload to " + program(shorter),
                String.format(Locale.ROOT, "up to %.0f µs more", MOST_FIXED_MICROS),
                String.format(Locale.ROOT, "%.0f to %.0f µs", ours, theirs),
                passed,
                passed ? "" : "the load generator or its driver costs more than it should here: stop other programs");
    }

    private static double mean(List<Round> rounds, ToDoubleFunction<Round> time) {
        return rounds.stream().mapToDouble(time).average().orElse(0);
    }

    private static Ratio ratio(List<Round> rounds, ToDoubleFunction<Round> quotient) {
        List<Double> ratios = rounds.stream()
                .map(quotient::applyAsDouble)
                .filter(one -> one > 0)
                .toList();
        if (ratios.isEmpty() || ratios.size() < rounds.size()) {
            return UNKNOWN;
        }
        RatioOfMeans ratio = RatioOfMeans.of(ratios);
        return new Ratio(ratio.value(), ratio.low(), ratio.high());
    }
}
