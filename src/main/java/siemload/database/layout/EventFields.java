package siemload.database.layout;

import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import siemload.config.Choices;
import siemload.config.Sha256;
import siemload.database.layout.Blocks.Place;
import siemload.database.layout.JsonTemplate.BadTemplateException;
import siemload.event.AddressRange;
import siemload.event.AddressRange.Family;
import siemload.event.Endpoint;
import siemload.event.Node;
import siemload.event.SecurityEvent;
import siemload.event.WholeText;

/**
 * What of an event a document can have by which names: {@code $param} stands for a value, {@code $each} goes through a list. Immutable and
 * thread-safe.
 */
public final class EventFields {
    private final Names<AddressRange> address;
    private final Names<Stored> event;

    /**
     * Those of a database.
     *
     * @param forms its types
     */
    public EventFields(JsonTemplate.Notation forms) {
        address = new Names<AddressRange>()
                .value("first", range -> forms.address(range.first()))
                .value("last", range -> forms.address(range.last()))
                .value("wide", range -> !range.isSingle());
        event = ofEvents(forms);
    }

    /** An event with its IDEA JSON in UTF-8; nobody changes the array. */
    @SuppressWarnings("ArrayRecordComponent") // Never compared.
    private record Stored(SecurityEvent event, byte[] idea) {}

    /** A category and the name of a detector that occur in one event. */
    public record Pair(String category, String detector) {}

    /** The names of a whole, and of what there may be several of. */
    private static final class Names<T> {
        private final Map<String, Function<T, @Nullable Object>> values = new HashMap<>();
        private final Map<String, Listed<T, ?>> lists = new HashMap<>();

        private record Listed<T, U>(Names<U> names, Function<T, Collection<U>> of) {}

        Names<T> value(String name, Function<T, @Nullable Object> value) {
            values.put(name, value);
            return this;
        }

        Names<T> texts(String name, Function<T, Collection<String>> texts) {
            return value(
                    name,
                    whole -> texts.apply(whole).stream().map(WholeText::of).toList());
        }

        <U> Names<T> list(String name, Names<U> names, Function<T, Collection<U>> of) {
            lists.put(name, new Listed<>(names, of));
            return this;
        }
    }

    private Names<Stored> ofEvents(JsonTemplate.Notation forms) {
        Names<Endpoint> endpoint = new Names<Endpoint>()
                .texts("type", Endpoint::types)
                .value("port", end -> List.copyOf(end.ports()))
                .texts("protocol", Endpoint::protocols)
                .list("ip4", address, end -> some(end.addresses(), range -> range.family() == Family.IP4))
                .list("ip6", address, end -> some(end.addresses(), range -> range.family() == Family.IP6))
                .list("address", address, Endpoint::addresses);
        Names<Node> node = new Names<Node>()
                .value("name", one -> WholeText.of(one.name()))
                .texts("type", Node::types)
                .texts("software", Node::software);
        Names<Pair> pair = new Names<Pair>()
                .value("category", one -> WholeText.of(one.category()))
                .value("detector", one -> WholeText.of(one.detector()));
        Names<Stored> names = new Names<Stored>()
                .value("id", stored -> WholeText.of(stored.event().id()))
                .value("id_hash", stored -> idHash(stored.event().id()))
                .value("detect_time", stored -> forms.time(stored.event().detectTime()))
                .value(
                        "detect_micros",
                        stored -> EventText.micros(stored.event().detectTime()))
                .value(
                        "hour",
                        stored -> stored.event()
                                .detectTime()
                                .truncatedTo(ChronoUnit.HOURS)
                                .toString())
                .value("json", stored -> forms.json(stored.idea()))
                .value(
                        "description",
                        stored -> EventText.searchable(stored.event().description()))
                .value(
                        "lowest_source",
                        stored -> lowest(stored.event().sources()).orElse(null))
                .texts("category", stored -> stored.event().categories())
                .texts("node_name", stored -> each(stored.event().nodes(), one -> List.of(one.name())))
                .texts("node_type", stored -> each(stored.event().nodes(), Node::types))
                .texts("protocol", stored -> each(both(stored), Endpoint::protocols))
                .value("port", stored -> List.copyOf(each(both(stored), Endpoint::ports)))
                .list("node", node, stored -> stored.event().nodes())
                .list("address", address, stored -> each(both(stored), Endpoint::addresses))
                .list("category_detector", pair, EventFields::pairs);
        addSide("source", endpoint, stored -> stored.event().sources(), names);
        addSide("target", endpoint, stored -> stored.event().targets(), names);
        return names;
    }

    private void addSide(
            String side, Names<Endpoint> endpoint, Function<Stored, List<Endpoint>> ends, Names<Stored> names) {
        names.list(side, endpoint, ends::apply)
                .value(side + "_port", stored -> List.copyOf(each(ends.apply(stored), Endpoint::ports)))
                .texts(side + "_type", stored -> each(ends.apply(stored), Endpoint::types))
                .list(side + "_address", address, stored -> each(ends.apply(stored), Endpoint::addresses));
        for (Family family : Family.values()) {
            // A server may have another type for each.
            for (boolean single : new boolean[] {true, false}) {
                names.list(
                        side + (single ? "_ip" : "_range") + digit(family),
                        address,
                        stored -> some(
                                each(ends.apply(stored), Endpoint::addresses),
                                range -> range.family() == family && range.isSingle() == single));
            }
        }
    }

    private static List<Endpoint> both(Stored stored) {
        return stored.event().endpoints().toList();
    }

    private static List<AddressRange> some(Collection<AddressRange> addresses, Predicate<AddressRange> those) {
        return addresses.stream().filter(those).toList();
    }

    /** What all of them have, each once, in their order. */
    private static <T, V> Set<V> each(List<T> wholes, Function<T, List<V>> values) {
        Set<V> distinct = new LinkedHashSet<>();
        wholes.forEach(one -> distinct.addAll(values.apply(one)));
        return distinct;
    }

    /** Each category once, with each node. */
    private static List<Pair> pairs(Stored stored) {
        List<Pair> pairs = new ArrayList<>();
        for (String category : new LinkedHashSet<>(stored.event().categories())) {
            stored.event().nodes().forEach(node -> pairs.add(new Pair(category, node.name())));
        }
        return pairs;
    }

    /** What an id is called where 512 bytes are the most: SHA-256 of its UTF-8 bytes in the letters of URLs, 43 characters. */
    public static String idHash(String id) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(Sha256.of(WholeText.of(id)));
    }

    /** The lowest address in a form whose texts are ordered as addresses are: the family, then the digits of all bytes. */
    private static Optional<String> lowest(List<Endpoint> sources) {
        return sources.stream()
                .flatMap(source -> source.addresses().stream())
                .min(Comparator.naturalOrder())
                .map(range -> digit(range.family()) + HexFormat.of().formatHex(range.firstBytes()));
    }

    private static String digit(Family family) {
        return family == Family.IP4 ? "4" : "6";
    }

    /** Makes documents of events. Thread-safe. */
    @FunctionalInterface
    public interface Document {
        /**
         * The document of an event.
         *
         * @param idea its JSON in UTF-8; nobody changes the array
         */
        Map<String, Object> of(SecurityEvent event, byte[] idea);
    }

    /**
     * The document that a block says. It is worked out once, so that an event looks up no name.
     *
     * @throws BadTemplateException if it is no object, or an event has nothing of a name
     */
    @SuppressWarnings("unchecked") // The keys of all objects of JSON are strings.
    public Document document(JsonTemplate template) {
        Function<Stored, @Nullable Object> made = made(keys(template), event, template.notation());
        return (whole, idea) -> (Map<String, Object>) made.apply(new Stored(whole, idea));
    }

    /**
     * The keys of a document with what they hold.
     *
     * @throws BadTemplateException if the block is no object
     */
    public static Map<?, ?> keys(JsonTemplate template) {
        if (template.json() instanceof Map<?, ?> keys) {
            return keys;
        }
        throw new BadTemplateException("is no object (needed: the keys of an event)", 0, 0);
    }

    private static <T> Function<T, @Nullable Object> made(
            @Nullable Object json, Names<T> names, JsonTemplate.Notation notation) {
        if (json instanceof JsonTemplate.Value value) {
            Function<T, @Nullable Object> known = names.values.get(value.place().name());
            if (known == null) {
                throw unknown("name", value.place(), names.values.keySet());
            }
            return known;
        } else if (json instanceof JsonTemplate.Each each) {
            Names.Listed<T, ?> listed = names.lists.get(each.list().name());
            if (listed == null) {
                throw unknown("list", each.list(), names.lists.keySet());
            }
            return each(listed, each.element(), notation);
        } else if (json instanceof Map<?, ?> object) {
            return object(object, names, notation);
        } else if (json instanceof List<?> list) {
            List<Function<T, @Nullable Object>> elements = new ArrayList<>();
            list.forEach(element -> elements.add(made(element, names, notation)));
            return whole -> list(elements.stream().map(element -> element.apply(whole)));
        }
        return whole -> json;
    }

    private static <T> Function<T, @Nullable Object> object(
            Map<?, ?> object, Names<T> names, JsonTemplate.Notation notation) {
        List<String> keys = object.keySet().stream().map(String::valueOf).toList();
        keys.stream().filter(key -> key.startsWith("$")).findFirst().ifPresent(operator -> {
            throw new BadTemplateException(
                    "the key " + operator + " begins with $ (allowed: " + notation.keysOfDocuments() + ")", 0, 0);
        });
        List<Function<T, @Nullable Object>> values = new ArrayList<>();
        object.values().forEach(value -> values.add(made(value, names, notation)));
        return whole -> {
            Map<String, Object> made = notation.object();
            for (int i = 0; i < values.size(); i++) {
                made.put(keys.get(i), values.get(i).apply(whole));
            }
            return made;
        };
    }

    private static <T, U> Function<T, @Nullable Object> each(
            Names.Listed<T, U> listed, Object element, JsonTemplate.Notation notation) {
        Function<U, @Nullable Object> value = made(element, listed.names(), notation);
        return whole -> list(listed.of().apply(whole).stream().map(value));
    }

    /** May hold null, which is a value in JSON. */
    private static List<@Nullable Object> list(Stream<@Nullable Object> elements) {
        List<@Nullable Object> list = new ArrayList<>();
        elements.forEach(list::add);
        return list;
    }

    private static BadTemplateException unknown(String kind, Place place, Set<String> known) {
        return new BadTemplateException(
                "the " + kind + " '" + place.name() + "' is unknown here ("
                        + (known.isEmpty()
                                ? "allowed: none"
                                : Choices.names(new TreeSet<>(known)).help(place.name()))
                        + ")",
                place);
    }
}
