package siemload.dataset.learn;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import siemload.event.Node;
import siemload.event.SecurityEvent;

/** Who saw the events, and which relays passed them on. Not thread-safe. */
final class DetectorMeasure {
    private static final int MOST_DETECTORS = 1_000;

    private final Oddities oddities;
    private final FrequentNames<Nature> detectors = new FrequentNames<>(MOST_DETECTORS, Nature::new);
    private final FrequentNames<Nature> relays = new FrequentNames<>(MOST_DETECTORS, Nature::new);
    private long relayed;

    /** What a detector is like. */
    static final class Nature {
        private final Majority<List<String>> types = new Majority<>();
        private final Majority<List<String>> software = new Majority<>();
        private final Majority<String> aggregation = new Majority<>();

        private void add(Node node) {
            types.add(node.types());
            software.add(node.software());
            JsonNode window = node.other().get("AggrWin");
            aggregation.add(window != null && window.isTextual() ? window.textValue() : "");
        }

        List<String> types() {
            return types.value().orElse(List.of());
        }

        List<String> software() {
            return software.value().orElse(List.of());
        }

        String aggregation() {
            return aggregation.value().orElse("");
        }
    }

    DetectorMeasure(Oddities oddities) {
        this.oddities = oddities;
    }

    void add(SecurityEvent event) {
        List<Node> nodes = event.nodes();
        int last = nodes.size() - 1;
        while (last >= 0 && nodes.get(last).name().isEmpty()) {
            last--;
        }
        if (last < 0) {
            oddities.add(Oddity.NO_DETECTOR);
            return;
        }
        detectors.count(nodes.get(last).name()).add(nodes.get(last));
        if (last > 0) {
            relayed++;
            relays.count(nodes.get(0).name().isEmpty() ? "-" : nodes.get(0).name());
        }
        if (last > 1) {
            oddities.add(Oddity.MORE_RELAYS);
        }
    }

    FrequentNames<Nature> detectors() {
        return detectors;
    }

    FrequentNames<Nature> relays() {
        return relays;
    }

    /** How many events came through a relay. */
    long relayed() {
        return relayed;
    }
}
