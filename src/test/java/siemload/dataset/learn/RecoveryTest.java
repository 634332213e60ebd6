package siemload.dataset.learn;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import siemload.dataset.DatasetReader;
import siemload.dataset.DatasetSpec;
import siemload.dataset.EventGenerator;
import siemload.dataset.EventProfile;
import siemload.dataset.EventProfile.Endpoints;
import siemload.dataset.statistics.Estimate;

/** Events are generated from a profile, and the profile is learnt from them. */
@Tag("any-java")
class RecoveryTest {
    private static final int SEEDS = Integer.getInteger("simulated.runs", 20);
    private static final int EVENTS = 20_000;
    /** Of all parameters together; a single one misses 5 or more of 20 once in 400 times by chance alone, and there are 117. */
    private static final double PROMISED = 0.95;

    @Test
    void whatGeneratedTheEventsLiesWithinTheStatedIntervals() {
        Map<String, Double> truth = truth(profile());
        Map<String, Integer> missed = new TreeMap<>();
        int stated = 0;
        for (int seed = 1; seed <= SEEDS; seed++) {
            for (Map.Entry<String, Estimate> estimate : learnt(seed).entrySet()) {
                Optional<Double> value = Optional.ofNullable(truth.get(estimate.getKey()));
                stated += value.isPresent() ? 1 : 0;
                if (value.isPresent() && !estimate.getValue().holds(value.get())) {
                    missed.merge(estimate.getKey(), 1, Integer::sum);
                }
            }
        }
        double rarelySeen = 0.99;
        assertThat(stated).isGreaterThan((int) (SEEDS * truth.size() * rarelySeen));
        int all = missed.values().stream().mapToInt(Integer::intValue).sum();
        assertThat(1 - (double) all / stated).as(missed.toString()).isGreaterThanOrEqualTo(PROMISED);
        double most = SEEDS * (1 - PROMISED) + 4.2 * Math.sqrt(SEEDS * PROMISED * (1 - PROMISED));
        assertThat(missed)
                .allSatisfy((path, times) -> assertThat((double) times).isLessThanOrEqualTo(most));
    }

    private static Map<String, Estimate> learnt(int seed) {
        DatasetSpec given = DatasetReader.read(Path.of("datasets/cesnet-day.yaml"));
        DatasetSpec spec =
                new DatasetSpec("original", "original", EVENTS, given.start(), given.span(), seed, profile(), Map.of());
        StreamMeasure measure = new StreamMeasure();
        new EventGenerator(spec).read(1_000, events -> events.forEach(event -> measure.add(event, 600)));
        return LearntProfile.of(measure, new Pseudonyms(NameRule.KEEP, 1), "learnt", 1)
                .parameters();
    }

    /** The study's, but for the addresses: as many as 20,000 events can tell something of, in networks of nobody. */
    private static EventProfile profile() {
        EventProfile given =
                DatasetReader.read(Path.of("datasets/cesnet-day.yaml")).profile();
        return new EventProfile(
                given.dayCurve(),
                given.ip6Ratio(),
                given.times(),
                given.categories(),
                given.detectors(),
                new Endpoints(
                        9_000,
                        600,
                        2.2,
                        3_000,
                        List.of(),
                        List.of(),
                        given.sources().perEvent(),
                        0.3),
                new Endpoints(6_000, 400, 1.6, 1_500, List.of(), List.of(), Map.of(1, 97, 2, 2, 5, 1), 0.95),
                given.targetKinds(),
                given.ports(),
                given.details());
    }

    private static Map<String, Double> truth(EventProfile profile) {
        Map<String, Double> truth = new LinkedHashMap<>();
        double hours = profile.dayCurve().stream()
                .mapToInt(Integer::intValue)
                .average()
                .orElseThrow();
        for (int hour = 0; hour < 24; hour++) {
            truth.put("dayCurve[" + hour + "]", 1_000 * profile.dayCurve().get(hour) / hours);
        }
        truth.put("ip6Ratio", profile.ip6Ratio());
        truth.put("times.fractionRatio", profile.times().fractionRatio());
        truth.put("times.longestEvent", seconds(profile.times().longestEvent()));
        truth.put("times.longestDelay", seconds(profile.times().longestDelay()));
        truth.put("times.eventTimeRatio", profile.times().eventTimeRatio());
        truth.put("times.windowRatio", profile.times().windowRatio());
        truth.put("times.window", seconds(profile.times().window()));
        truth.put("categories.secondRatio", profile.categories().secondRatio());
        shares(
                truth,
                "categories.",
                profile.categories().shares(),
                EventProfile.Category::name,
                EventProfile.Category::share);
        truth.put("detectors.relayRatio", profile.detectors().relayRatio());
        shares(
                truth,
                "detectors.",
                profile.detectors().shares(),
                EventProfile.Detector::name,
                EventProfile.Detector::share);
        side(truth, "sources", profile.sources());
        side(truth, "targets", profile.targets());
        EventProfile.TargetKinds kinds = profile.targetKinds();
        weights(
                truth,
                "targetKinds.",
                Map.of(
                        "single",
                        kinds.single(),
                        "network",
                        kinds.network(),
                        "portOnly",
                        kinds.portOnly(),
                        "none",
                        kinds.none()));
        weights(truth, "targetKinds.networkBits.", kinds.networkBits());
        double ports = profile.ports().shares().stream()
                        .mapToDouble(EventProfile.Port::share)
                        .sum()
                + profile.ports().tail().share();
        profile.ports().shares().forEach(port -> truth.put("ports." + port.port(), 100 * port.share() / ports));
        truth.put("ports.tail.share", 100 * profile.ports().tail().share() / ports);
        truth.put("ports.tail.ports", (double) profile.ports().tail().ports());
        truth.put("ports.tail.rankRoot", profile.ports().tail().rankRoot());
        weights(truth, "ports.tail.protocols.", profile.ports().tail().protocols());
        truth.put("details.flowCountRatio", profile.details().flowCountRatio());
        truth.put("details.connectionCountRatio", profile.details().connectionCountRatio());
        truth.put("details.largestCount", (double) profile.details().largestCount());
        truth.put("details.noteRatio", profile.details().noteRatio());
        truth.put("details.longestNote", (double) profile.details().longestNote());
        truth.put("details.storageRatio", profile.details().storageRatio());
        return truth;
    }

    private static void side(Map<String, Double> truth, String name, Endpoints side) {
        truth.put(name + ".addresses", (double) side.addresses());
        truth.put(name + ".ip6Addresses", (double) side.ip6Addresses());
        truth.put(name + ".rankRoot", side.rankRoot());
        truth.put(name + ".scatteredNetworks", (double) side.scatteredNetworks());
        truth.put(name + ".portRatio", side.portRatio());
        weights(truth, name + ".perEvent.", side.perEvent());
    }

    private static <T> void shares(
            Map<String, Double> truth,
            String path,
            List<T> things,
            Function<T, String> name,
            ToDoubleFunction<T> share) {
        double sum = things.stream().mapToDouble(share).sum();
        things.forEach(thing -> truth.put(path + name.apply(thing), 100 * share.applyAsDouble(thing) / sum));
    }

    private static void weights(Map<String, Double> truth, String path, Map<?, Integer> weights) {
        double sum = weights.values().stream().mapToInt(Integer::intValue).sum();
        weights.forEach((key, weight) -> truth.put(path + key, 1_000_000 * weight / sum));
    }

    private static double seconds(Duration duration) {
        return duration.toSeconds();
    }
}
