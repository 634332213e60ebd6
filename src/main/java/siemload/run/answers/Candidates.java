package siemload.run.answers;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import siemload.event.AddressRange;
import siemload.event.Endpoint;
import siemload.event.Node;
import siemload.event.SecurityEvent;
import siemload.query.Criterion;
import siemload.query.EventSide;

/**
 * Finds the searches that an event may concern, by the most selective criterion of each: thousands of searches are held
 * against millions of events, nearly all of them in vain. Used by one thread.
 */
final class Candidates {
    private final Map<String, List<Expectation>> byId = new HashMap<>();
    private final Map<String, List<Expectation>> byDetector = new HashMap<>();
    private final Map<String, List<Expectation>> byCategory = new HashMap<>();
    private final Map<Integer, List<Expectation>> byPort = new HashMap<>();
    private final AddressGroups byAddress = new AddressGroups();
    private final List<Expectation> always = new ArrayList<>();

    Candidates(List<Expectation> expectations) {
        for (Expectation expectation : expectations) {
            mostSelective(expectation.sample().search().criteria(), expectation);
        }
        byAddress.build();
    }

    private void mostSelective(List<Criterion> criteria, Expectation expectation) {
        Criterion best = new Criterion.TextContains("");
        for (Criterion criterion : criteria) {
            best = rank(criterion) > rank(best) ? criterion : best;
        }
        if (best instanceof Criterion.IdIs is) {
            add(byId, is.id(), expectation);
            expectation.settle(is);
        } else if (best instanceof Criterion.AddressFigured figured) {
            figured.anyOf().forEach(range -> byAddress.add(range, expectation));
        } else if (best instanceof Criterion.AddressAndPortOnOneSide both) {
            byAddress.add(both.address(), expectation);
        } else if (best instanceof Criterion.DetectorIs is) {
            add(byDetector, is.nodeName(), expectation);
            expectation.settle(is);
        } else if (best instanceof Criterion.PortUsed used) {
            add(byPort, used.port(), expectation);
            if (used.side() == EventSide.EITHER) {
                expectation.settle(used);
            }
        } else if (best instanceof Criterion.CategoryIs is) {
            add(byCategory, is.category(), expectation);
            expectation.settle(is);
        } else {
            always.add(expectation);
        }
    }

    private static int rank(Criterion criterion) {
        if (criterion instanceof Criterion.IdIs) {
            return 5;
        } else if (criterion instanceof Criterion.AddressFigured
                || criterion instanceof Criterion.AddressAndPortOnOneSide) {
            return 4;
        } else if (criterion instanceof Criterion.DetectorIs) {
            return 3;
        } else if (criterion instanceof Criterion.PortUsed) {
            return 2;
        }
        return criterion instanceof Criterion.CategoryIs ? 1 : 0;
    }

    private static <K> void add(Map<K, List<Expectation>> map, K key, Expectation expectation) {
        map.computeIfAbsent(key, unused -> new ArrayList<>()).add(expectation);
    }

    /** Hands over at least every search whose criteria the event meets; some of them more than once. */
    void forEach(SecurityEvent event, Consumer<Expectation> taker) {
        always.forEach(taker);
        byId.getOrDefault(event.id(), List.of()).forEach(taker);
        for (String category : event.categories()) {
            byCategory.getOrDefault(category, List.of()).forEach(taker);
        }
        for (Node node : event.nodes()) {
            byDetector.getOrDefault(node.name(), List.of()).forEach(taker);
        }
        forEach(event.sources(), taker);
        forEach(event.targets(), taker);
    }

    private void forEach(List<Endpoint> side, Consumer<Expectation> taker) {
        for (Endpoint end : side) {
            for (AddressRange range : end.addresses()) {
                byAddress.forEach(range, taker);
            }
            for (Integer port : end.ports()) {
                byPort.getOrDefault(port, List.of()).forEach(taker);
            }
        }
    }
}
