package siemload.database.layout.document;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Function;
import siemload.event.AddressRange;
import siemload.event.AddressRange.Family;
import siemload.event.Endpoint;
import siemload.event.Node;
import siemload.event.WholeText;

/**
 * What of an event, or of a part of one, a document can have by which names. Immutable and thread-safe.
 *
 * @param values what can be put in for {@code $param}
 * @param lists what can be gone through by {@code $each}
 */
public record DocumentPart<T>(Map<String, BiConsumer<DocumentWriter, T>> values, Map<String, Elements<T, ?>> lists) {
    /** An address, a network or a range. */
    public static final DocumentPart<AddressRange> ADDRESS = new Builder<AddressRange>()
            .value("first", (writer, range) -> writer.firstAddress(range))
            .value("last", (writer, range) -> writer.lastAddress(range))
            .value("wide", (writer, range) -> writer.flag(!range.isSingle()))
            .part();

    private static final DocumentPart<Endpoint> ENDPOINT = new Builder<Endpoint>()
            .value("type", (writer, endpoint) -> texts(writer, endpoint.types()))
            .value("port", (writer, endpoint) -> numbers(writer, endpoint.ports()))
            .value("protocol", (writer, endpoint) -> texts(writer, endpoint.protocols()))
            .list("ip4", ADDRESS, endpoint -> of(Family.IP4, endpoint.addresses()))
            .list("ip6", ADDRESS, endpoint -> of(Family.IP6, endpoint.addresses()))
            .list("address", ADDRESS, Endpoint::addresses)
            .part();

    private static final DocumentPart<Node> NODE = new Builder<Node>()
            .value("name", (writer, node) -> writer.text(WholeText.of(node.name())))
            .value("type", (writer, node) -> texts(writer, node.types()))
            .value("software", (writer, node) -> texts(writer, node.software()))
            .part();

    private static final DocumentPart<Pair> PAIR = new Builder<Pair>()
            .value("category", (writer, pair) -> writer.text(WholeText.of(pair.category())))
            .value("detector", (writer, pair) -> writer.text(WholeText.of(pair.detector())))
            .part();

    /** A whole event. */
    public static final DocumentPart<EventWithJson> EVENT = new Builder<EventWithJson>()
            .value(
                    "id",
                    (writer, stored) -> writer.text(WholeText.of(stored.event().id())))
            .value("detect_time", (writer, stored) -> writer.time(stored.event().detectTime()))
            .value(
                    "detect_micros",
                    (writer, stored) ->
                            writer.number(EventText.micros(stored.event().detectTime())))
            .value("json", (writer, stored) -> writer.json(stored.idea()))
            .value("category", (writer, stored) -> texts(writer, stored.event().categories()))
            .value(
                    "description",
                    (writer, stored) ->
                            writer.text(EventText.searchable(stored.event().description())))
            .value("port", (writer, stored) -> numbers(writer, ofBothSides(stored, Endpoint::ports)))
            .value("source_port", (writer, stored) -> numbers(writer, ofSources(stored, Endpoint::ports)))
            .value("target_port", (writer, stored) -> numbers(writer, ofTargets(stored, Endpoint::ports)))
            .value("source_type", (writer, stored) -> texts(writer, ofSources(stored, Endpoint::types)))
            .value("target_type", (writer, stored) -> texts(writer, ofTargets(stored, Endpoint::types)))
            .value("protocol", (writer, stored) -> texts(writer, ofBothSides(stored, Endpoint::protocols)))
            .value(
                    "node_name",
                    (writer, stored) ->
                            texts(writer, each(stored.event().nodes(), List.of(), node -> List.of(node.name()))))
            .value(
                    "node_type",
                    (writer, stored) -> texts(writer, each(stored.event().nodes(), List.of(), Node::types)))
            .list("source", ENDPOINT, stored -> stored.event().sources())
            .list("target", ENDPOINT, stored -> stored.event().targets())
            .list("address", ADDRESS, stored -> ofBothSides(stored, Endpoint::addresses))
            .list("source_address", ADDRESS, stored -> ofSources(stored, Endpoint::addresses))
            .list("target_address", ADDRESS, stored -> ofTargets(stored, Endpoint::addresses))
            .list("node", NODE, stored -> stored.event().nodes())
            .list("category_detector", PAIR, DocumentPart::pairs)
            .part();

    public DocumentPart {
        values = Map.copyOf(values);
        lists = Map.copyOf(lists);
    }

    /** The same with more names; of equal ones these. */
    public DocumentPart<T> with(
            Map<String, BiConsumer<DocumentWriter, T>> furtherValues, Map<String, Elements<T, ?>> furtherLists) {
        Map<String, BiConsumer<DocumentWriter, T>> allValues = new LinkedHashMap<>(values);
        allValues.putAll(furtherValues);
        Map<String, Elements<T, ?>> allLists = new LinkedHashMap<>(lists);
        allLists.putAll(furtherLists);
        return new DocumentPart<>(allValues, allLists);
    }

    /** What of a whole has elements. */
    public record Elements<T, U>(DocumentPart<U> part, Function<T, Collection<U>> of) {}

    /** A category and the name of a detector that occur in one event. */
    private record Pair(String category, String detector) {}

    private static final class Builder<T> {
        private final Map<String, BiConsumer<DocumentWriter, T>> values = new LinkedHashMap<>();
        private final Map<String, Elements<T, ?>> lists = new LinkedHashMap<>();

        Builder<T> value(String name, BiConsumer<DocumentWriter, T> value) {
            values.put(name, value);
            return this;
        }

        <U> Builder<T> list(String name, DocumentPart<U> part, Function<T, Collection<U>> of) {
            lists.put(name, new Elements<>(part, of));
            return this;
        }

        DocumentPart<T> part() {
            return new DocumentPart<>(values, lists);
        }
    }

    private static List<AddressRange> of(Family family, List<AddressRange> addresses) {
        List<AddressRange> own = new ArrayList<>(addresses.size());
        for (AddressRange range : addresses) {
            if (range.family() == family) {
                own.add(range);
            }
        }
        return own;
    }

    private static <V> Set<V> ofSources(EventWithJson stored, Function<Endpoint, List<V>> values) {
        return each(stored.event().sources(), List.of(), values);
    }

    private static <V> Set<V> ofTargets(EventWithJson stored, Function<Endpoint, List<V>> values) {
        return each(stored.event().targets(), List.of(), values);
    }

    private static <V> Set<V> ofBothSides(EventWithJson stored, Function<Endpoint, List<V>> values) {
        return each(stored.event().sources(), stored.event().targets(), values);
    }

    /** What all of them have, each once, in their order. */
    private static <T, V> Set<V> each(List<T> some, List<T> others, Function<T, List<V>> values) {
        Set<V> distinct = new LinkedHashSet<>();
        for (T one : some) {
            distinct.addAll(values.apply(one));
        }
        for (T one : others) {
            distinct.addAll(values.apply(one));
        }
        return distinct;
    }

    /** Each category once, with each node. */
    private static List<Pair> pairs(EventWithJson stored) {
        List<Pair> pairs = new ArrayList<>();
        for (String category : new LinkedHashSet<>(stored.event().categories())) {
            for (Node node : stored.event().nodes()) {
                pairs.add(new Pair(category, node.name()));
            }
        }
        return pairs;
    }

    private static void texts(DocumentWriter writer, Collection<String> texts) {
        writer.startList();
        texts.forEach(text -> writer.text(WholeText.of(text)));
        writer.endList();
    }

    private static void numbers(DocumentWriter writer, Collection<Integer> numbers) {
        writer.startList();
        numbers.forEach(writer::smallNumber);
        writer.endList();
    }
}
