package siemload.dataset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import siemload.event.AddressRange;
import siemload.event.AddressRange.Family;
import siemload.event.Endpoint;
import siemload.event.IdeaWriter;
import siemload.event.SecurityEvent;

/**
 * The smoke data set has the shares that its file promises. With 200,000 events a share p has a standard error of at
 * most sqrt(p (1 - p) / 200,000), 0.11 % for a half; tolerances are about four of them.
 */
final class DatasetSharesTest {
    private static final int EVENTS = 200_000;
    private static final Map<String, Integer> CATEGORIES = new HashMap<>();
    private static final Map<String, Integer> DETECTORS = new HashMap<>();
    private static final Map<AddressRange, Integer> SOURCES = new HashMap<>();
    private static final Map<Integer, Integer> PORTS = new HashMap<>();
    private static final Map<String, Integer> FACTS = new HashMap<>();
    private static final int[] SIZES = new int[EVENTS];
    private static int read;

    @BeforeAll
    static void countSmoke() {
        IdeaWriter writer = new IdeaWriter();
        new EventGenerator(ShippedDatasets.smoke())
                .read(
                        1_000,
                        batch -> batch.forEach(event -> {
                            SIZES[read++] = writer.toBytes(event).length;
                            count(event);
                        }));
        Arrays.sort(SIZES);
    }

    @ParameterizedTest
    @CsvSource({
        "Recon.Scanning, 0.70", "Attempt.Login, 0.16", "Availability.DoS, 0.05", "Attempt.Exploit, 0.03",
        "Abusive.Spam, 0.025", "Intrusion.Botnet, 0.015", "Vulnerable.Config, 0.01", "Malware, 0.01",
    })
    void categoriesHaveTheirShares(String category, double share) {
        assertThat(ratio(CATEGORIES.get(category))).isCloseTo(share, within(0.004));
    }

    @ParameterizedTest
    @CsvSource({
        "cz.cesnet.hoststats, 0.35",
        "cz.cesnet.nemea.haddrscan, 0.25",
        "cz.cesnet.tarpit, 0.15",
        "cz.muni.ics.ftas, 0.10",
    })
    void detectorsHaveTheirShares(String detector, double share) {
        assertThat(ratio(DETECTORS.get(detector))).isCloseTo(share, within(0.004));
    }

    @Test
    void thereAreThirtyFourDetectorsAndARelay() {
        assertThat(DETECTORS).hasSize(35).containsKey("cz.cesnet.mentat.warden_filer");
    }

    @Test
    void aFewEventsHaveTwoCategories() {
        assertThat(FACTS.get("two categories")).isBetween(5, 45);
    }

    @ParameterizedTest
    @CsvSource({"single, 0.65", "network, 0.15", "none, 0.20", "ip6, 0.01"})
    void targetsAndFamiliesHaveTheirShares(String fact, double share) {
        assertThat(ratio(FACTS.get(fact))).isCloseTo(share, within(0.0045));
    }

    @ParameterizedTest
    @CsvSource({"22, 0.20", "23, 0.20", "445, 0.15", "3389, 0.07", "80, 0.02", "443, 0.02"})
    void portsHaveTheirShares(int port, double share) {
        double all = PORTS.values().stream().mapToInt(Integer::intValue).sum();
        assertThat(PORTS.get(port) / all).isCloseTo(share, within(0.0045));
    }

    /** Rank 1 of 60,000 has 1 / sum(r^(-1/2.2)) = 1 / 738.9 of the sources, 270.7 of 200,000; two thirds of ranks occur. */
    @Test
    void sourcesFollowThePowerLaw() {
        int mostPopular =
                SOURCES.values().stream().mapToInt(Integer::intValue).max().orElseThrow();

        assertThat(mostPopular).isBetween(220, 350);
        assertThat(SOURCES.size()).isBetween(50_000, 60_600);
    }

    @Test
    void theAddressesOfTheStudyOccur() {
        AddressRange range = AddressRange.parse("208.100.26.0/24");
        int inRange = SOURCES.entrySet().stream()
                .filter(entry -> entry.getKey().overlaps(range))
                .mapToInt(Map.Entry::getValue)
                .sum();

        assertThat(SOURCES.get(AddressRange.parse("195.113.252.33"))).isBetween(50, 200);
        assertThat(inRange).isBetween(100, 2_000);
    }

    @Test
    void sizesAreThoseOfRealEvents() {
        assertThat(SIZES[EVENTS / 2]).as("median").isBetween(570, 610);
        assertThat(SIZES[0]).as("smallest").isBetween(360, 420);
        assertThat(SIZES[EVENTS - 1]).as("largest").isBetween(1_200, 1_500);
    }

    private static void count(SecurityEvent event) {
        event.categories().forEach(category -> CATEGORIES.merge(category, 1, Integer::sum));
        event.nodes().forEach(node -> DETECTORS.merge(node.name(), 1, Integer::sum));
        event.sources()
                .forEach(source -> source.addresses().forEach(address -> SOURCES.merge(address, 1, Integer::sum)));
        event.targets().forEach(target -> target.ports().forEach(port -> PORTS.merge(port, 1, Integer::sum)));
        note("two categories", event.categories().size() == 2);
        List<AddressRange> targets = event.targets().stream()
                .map(Endpoint::addresses)
                .flatMap(List::stream)
                .toList();
        note("none", targets.isEmpty());
        note("network", targets.stream().anyMatch(Predicate.not(AddressRange::isSingle)));
        note("single", !targets.isEmpty() && targets.get(0).isSingle());
        note("ip6", event.sources().get(0).addresses().get(0).family() == Family.IP6);
    }

    private static void note(String fact, boolean holds) {
        FACTS.merge(fact, holds ? 1 : 0, Integer::sum);
    }

    private static double ratio(int count) {
        return (double) count / EVENTS;
    }
}
