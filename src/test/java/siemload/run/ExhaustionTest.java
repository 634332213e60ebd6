package siemload.run;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import siemload.GoldenFile;
import siemload.results.HostActivity;
import siemload.run.LoadRun.LoadLimits;

/** What a database had used up, by its machine of two CPUs and its own counters. */
class ExhaustionTest {

    @Test
    void eachLimitFromBothSides() throws IOException {
        GoldenFile.of("validity/exhausted.txt").assertEach(ExhaustionTest::words);
    }

    private static String words(String line) {
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
        HostActivity host =
                ValidityFixture.host(ValidityFixture.cpu(given.getOrDefault("cpu", "0.1 0.1 0 0 0")), disks);
        LoadLimits limits = new LoadLimits(
                10, !given.containsKey("fewWorkers"), Double.parseDouble(given.getOrDefault("ownCpus", "0")), false);
        Exhaustion exhaustion =
                Exhaustion.of(host, ValidityFixture.sessions(given.getOrDefault("sessions", "")), limits);
        List<String> lines = new ArrayList<>();
        exhaustion.resources().forEach(resource -> lines.add(resource.words()));
        if (exhaustion.starvesGenerator()) {
            lines.add("starves the load generator");
        }
        if (exhaustion.waitsForGenerator()) {
            lines.add("waits for the load generator");
        }
        return String.join("\n", lines);
    }
}
