package siemload.dataset;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import siemload.dataset.EventProfile.Category;
import siemload.dataset.EventProfile.Details;
import siemload.dataset.EventProfile.Detector;
import siemload.dataset.EventProfile.Detectors;
import siemload.dataset.EventProfile.Times;
import siemload.event.AddressRange.Family;
import siemload.event.Endpoint;
import siemload.event.IdeaTime;
import siemload.event.Node;
import siemload.event.SecurityEvent;

/**
 * Makes events of a profile, each from an id, a time and a generator of numbers. The order of the draws is part of
 * every data set. Immutable and thread-safe.
 */
final class EventMaker {
    private static final JsonNode FORMAT = TextNode.valueOf("IDEA0");

    private final double ip6Ratio;
    private final double secondCategoryRatio;
    private final List<Category> categories;
    private final AliasTable categoryShares;
    private final double relayRatio;
    private final List<List<Node>> direct;
    private final List<List<Node>> relayed;
    private final AliasTable detectorShares;
    private final EndpointMaker endpoints;
    private final Times times;
    private final Details details;

    EventMaker(EventProfile profile, long seed) {
        ip6Ratio = profile.ip6Ratio();
        secondCategoryRatio = profile.categories().secondRatio();
        categories = profile.categories().shares();
        categoryShares = AliasTable.of(categories, Category::share);
        Detectors detectors = profile.detectors();
        relayRatio = detectors.relayRatio();
        Node relay = new Node(detectors.relay(), List.of("Relay"), List.of(), Map.of());
        direct = detectors.shares().stream()
                .map(detector -> List.of(node(detector)))
                .toList();
        relayed = detectors.shares().stream()
                .map(detector -> List.of(relay, node(detector)))
                .toList();
        detectorShares = AliasTable.of(detectors.shares(), Detector::share);
        endpoints = new EndpointMaker(profile, seed);
        times = profile.times();
        details = profile.details();
    }

    SecurityEvent make(String id, Instant detectTime, SeededRandom random) {
        int category = categoryShares.draw(random);
        List<String> names = categoryNames(category, random);
        int detector = detectorShares.draw(random);
        List<Node> nodes = (happens(relayRatio, random) ? relayed : direct).get(detector);
        Family family = happens(ip6Ratio, random) ? Family.IP6 : Family.IP4;
        EndpointMaker.Service service = endpoints.service(random);
        List<Endpoint> sources =
                endpoints.sources(family, service, categories.get(category).sourceTypes(), random);
        List<Endpoint> targets = endpoints.targets(family, service, random);
        String description = description(categories.get(category), sources, service, random);
        return new SecurityEvent(
                id, detectTime, names, description, sources, targets, nodes, other(detectTime, random));
    }

    private List<String> categoryNames(int first, SeededRandom random) {
        String name = categories.get(first).name();
        if (!happens(secondCategoryRatio, random) || categories.size() == 1) {
            return List.of(name);
        }
        int second = categoryShares.draw(random);
        int other = second == first ? (second + 1) % categories.size() : second;
        return List.of(name, categories.get(other).name());
    }

    private static String description(
            Category category, List<Endpoint> sources, EndpointMaker.Service service, SeededRandom random) {
        String text = category.descriptions()
                .get(random.nextInt(category.descriptions().size()));
        if (text.indexOf('{') < 0) {
            return text;
        }
        return text.replace("{source}", sources.get(0).addresses().get(0).toString())
                .replace("{port}", Integer.toString(service.port()));
    }

    private Map<String, JsonNode> other(Instant detectTime, SeededRandom random) {
        Map<String, JsonNode> other = new LinkedHashMap<>(16);
        other.put("Format", FORMAT);
        Instant created = detectTime.plusSeconds(random.nextLong(seconds(times.longestDelay()) + 1));
        other.put("CreateTime", text(created));
        if (happens(times.eventTimeRatio(), random)) {
            long lasted = random.nextLong(seconds(times.longestEvent()) + 1);
            Instant began = detectTime.minusSeconds(lasted);
            other.put("EventTime", text(began));
            other.put("CeaseTime", text(began.plusSeconds(random.nextLong(lasted + 1))));
        }
        if (happens(times.windowRatio(), random)) {
            other.put("WinStartTime", text(detectTime.minus(times.window())));
            other.put("WinEndTime", text(detectTime));
        }
        if (happens(details.flowCountRatio(), random)) {
            other.put("FlowCount", count(random));
        }
        if (happens(details.connectionCountRatio(), random)) {
            other.put("ConnCount", count(random));
        }
        if (happens(details.noteRatio(), random)) {
            other.put("Note", note(random));
        }
        if (happens(details.storageRatio(), random)) {
            other.put("_CESNET", JsonNodeFactory.instance.objectNode().put("StorageTime", created.getEpochSecond()));
        }
        return other;
    }

    /** All orders of magnitude up to the largest count are alike. */
    private JsonNode count(SeededRandom random) {
        int bits = 64 - Long.numberOfLeadingZeros(details.largestCount());
        long limit = Math.min(1L << (1 + random.nextInt(bits)), details.largestCount());
        return LongNode.valueOf(1 + random.nextLong(limit));
    }

    private JsonNode note(SeededRandom random) {
        List<String> sentences = details.notes();
        StringBuilder note = new StringBuilder(sentences.get(random.nextInt(sentences.size())));
        for (int more = random.nextInt(details.longestNote()); more > 0; more--) {
            note.append(' ').append(sentences.get(random.nextInt(sentences.size())));
        }
        return TextNode.valueOf(note.toString());
    }

    static boolean happens(double ratio, SeededRandom random) {
        return random.nextDouble() < ratio;
    }

    private static JsonNode text(Instant time) {
        return TextNode.valueOf(IdeaTime.format(time));
    }

    private static long seconds(Duration duration) {
        return duration.toSeconds();
    }

    private static Node node(Detector detector) {
        Map<String, JsonNode> window = detector.aggregation().isEmpty()
                ? Map.of()
                : Map.of("AggrWin", TextNode.valueOf(detector.aggregation()));
        return new Node(detector.name(), detector.types(), detector.software(), window);
    }
}
