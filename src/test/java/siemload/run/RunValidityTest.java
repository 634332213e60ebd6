package siemload.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import siemload.GoldenFile;
import siemload.database.Counters.Io;
import siemload.query.Order;
import siemload.query.Page;
import siemload.query.PageClass;
import siemload.query.Search;
import siemload.query.SearchName;
import siemload.query.Window;
import siemload.results.HostActivity;
import siemload.results.HostActivity.HeavyProcess;
import siemload.results.MicrosSummary;
import siemload.results.Validity;
import siemload.run.LoadRun.LoadLimits;
import siemload.run.RunValidity.Exhaustion;
import siemload.run.RunValidity.Findings;
import siemload.run.RunValidity.MachineValidity;
import siemload.run.answers.AnswerCheck;
import siemload.run.answers.AnswerSampler;
import siemload.run.answers.EventList;

class RunValidityTest {
    private static final Search SEARCH =
            new Search(SearchName.HAWAT1, Window.ALWAYS, List.of(), Order.NEWEST_FIRST, new Page.Numbered(1, 1));

    @Test
    void eachLimitFromBothSides() throws IOException {
        GoldenFile.of("validity/runs.txt")
                .assertEach(things -> words(new ValidityFixture().with(things).verdict()));
    }

    private static String words(Validity verdict) {
        List<String> lines = new ArrayList<>();
        lines.add(verdict.verdict().name().toLowerCase(Locale.ROOT).replace('_', ' '));
        verdict.faults().forEach(text -> lines.add("fault: " + text));
        verdict.warnings().stream()
                .filter(text -> !verdict.faults().contains(text))
                .forEach(text -> lines.add("warning: " + text));
        verdict.saturation().gaveOut().forEach(text -> lines.add("exhausted: " + text));
        verdict.saturation().signs().forEach(text -> lines.add("sign: " + text));
        if (verdict.saturation().seen()) {
            lines.add("advice: " + verdict.saturation().advice());
        }
        verdict.notes().forEach(text -> lines.add("note: " + text));
        return String.join("\n", lines);
    }

    @Test
    void oneWrongAnswerIsEnough() {
        ValidityFixture run = new ValidityFixture().with("answered 1");
        AnswerSampler sampler = new AnswerSampler(1, Instant.EPOCH);
        sampler.watch(SEARCH, PageClass.COUNT, 0).answered(0, 10, 0);
        sampler.watch(SEARCH, PageClass.COUNT, 0).answered(0, 10, 7);
        EventList none = new EventList(List.of());
        run.answers = AnswerCheck.of(sampler, none, taker -> {}, Optional.empty(), more -> {}, () -> false);

        assertThat(run.verdict().warnings())
                .containsExactly("1 of 2 checked answers were wrong, first HAWAT1 count (wrong-answers.txt)");
    }

    private static final double SECONDS = 10;

    @Test
    void eachLimitOfAMachineFromBothSides() throws IOException {
        GoldenFile.of("validity/machines.txt").assertEach(RunValidityTest::judged);
    }

    /** Figures by their names; times are microseconds, and searches take 50 ms at p50. */
    private record Given(Map<String, String> figures) {
        static Given of(String line) {
            Map<String, String> figures = new HashMap<>();
            for (String figure : line.split(" ", -1)) {
                String[] pair = figure.split("=", -1);
                figures.put(pair[0], pair.length == 1 ? "1" : pair[1]);
            }
            return new Given(figures);
        }

        double number(String name) {
            return Double.parseDouble(figures.getOrDefault(name, "0"));
        }

        long whole(String name) {
            return (long) number(name);
        }
    }

    private static String judged(String line) {
        Given given = Given.of(line);
        List<HeavyProcess> heavy = given.figures().containsKey("heavy")
                ? List.of(new HeavyProcess(given.figures().get("heavy"), given.number("heavyRatio")))
                : List.of();
        HostActivity host = new HostActivity(
                HostActivity.THIS_HOST,
                2,
                0,
                0,
                0.3,
                given.number("steal"),
                given.number("database"),
                given.figures().containsKey("generator") ? given.number("generator") : 0.1,
                given.number("others"),
                new HostActivity.Contention(0, given.number("waited"), given.number("lost"), given.number("lostMost")),
                9.5,
                1L << 30,
                0,
                given.whole("swapIn") << 20,
                given.whole("swapOut") << 20,
                0,
                0,
                List.of(new HostActivity.Disk("vda", 10, given.whole("diskRead"), 10, given.whole("diskWritten"), 0.9)),
                heavy,
                new HostActivity.Pauses(given.whole("pauses"), given.whole("paused"), given.whole("longestPause")),
                10,
                0);
        MicrosSummary lateness = new MicrosSummary(0, 0, given.whole("lateP50"), 0, given.whole("lateP95"), 0, 0, 0);
        long p95 = given.figures().containsKey("p95") ? given.whole("p95") : 50_000;
        MicrosSummary responseTimes = new MicrosSummary(0, 0, 50_000, 0, p95, 0, 0, 0);
        Findings found = new Findings();
        MachineValidity validity =
                new MachineValidity(host, SECONDS, given.number("starved") > 0, host.generatorCpuRatio(), found);
        Io own = new Io("data", 10, given.whole("ownRead"), 0, 0, 0);
        validity.checkDisks(given.whole("waitingForDisks") / 5.0, List.of(own));
        validity.checkGenerator(lateness, responseTimes);
        if (given.figures().containsKey("waitP95")) {
            MicrosSummary waits = new MicrosSummary(0, 0, given.whole("waitP50"), 0, given.whole("waitP95"), 0, 0, 0);
            validity.checkWaiting("searches waited %.1f ms at p95 although a worker was free", waits, responseTimes);
        }
        List<String> lines = new ArrayList<>();
        if (validity.disturbance().seen()) {
            lines.add("disturbed: " + validity.disturbance().sentence());
        } else if (validity.disturbance().percentilesOffPercent() > 0) {
            lines.add(String.format(
                    Locale.ROOT,
                    "percentiles off by %.1f %%",
                    validity.disturbance().percentilesOffPercent()));
        }
        found.faults().forEach(text -> lines.add("fault: " + text));
        found.signs().forEach(text -> lines.add("sign: " + text));
        found.notes().forEach(text -> lines.add("note: " + text));
        return String.join("\n", lines);
    }

    @Test
    void whatADatabaseHadUsedUp() throws IOException {
        GoldenFile.of("validity/exhausted.txt").assertEach(RunValidityTest::usedUp);
    }

    private static String usedUp(String line) {
        Map<String, String> given = new HashMap<>();
        for (String thing : line.split("; ", -1)) {
            String[] pair = thing.split(" ", 2);
            given.put(pair[0], pair[1]);
        }
        List<HostActivity.Disk> disks = Arrays.stream(
                        given.getOrDefault("disks", "").split(" ", -1))
                .filter(disk -> !disk.isEmpty())
                .map(disk -> disk.split("=", -1))
                .map(disk -> new HostActivity.Disk(disk[0], 1, 1, 1, 1, Double.parseDouble(disk[1])))
                .toList();
        HostActivity host = ValidityFixture.host(given.getOrDefault("cpu", "0.1 0.1 0 0 0"), disks);
        LoadLimits limits = new LoadLimits(
                10, !given.containsKey("fewWorkers"), Double.parseDouble(given.getOrDefault("ownCpus", "0")), false);
        Exhaustion exhaustion =
                new Exhaustion(host, ValidityFixture.sessions(given.getOrDefault("sessions", "")), limits);
        List<String> lines = new ArrayList<>(exhaustion.resources.keySet());
        if (exhaustion.starvesGenerator()) {
            lines.add("starves the load generator");
        }
        if (exhaustion.waitsForGenerator()) {
            lines.add("waits for the load generator");
        }
        return String.join("\n", lines);
    }
}
