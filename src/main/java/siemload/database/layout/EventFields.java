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
import java.util.Objects;
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

    /** What a whole has by which names: values, and lists of what it has several of. */
    private static final class Names<T> {
        private final Map<String, Function<T, @Nullable Object>> all = new HashMap<>();
        private final Map<String, Names<?>> lists = new HashMap<>();

        Names<T> value(String name, Function<T, @Nullable Object> value) {
            all.put(name, value);
            return this;
        }

        Names<T> texts(String name, Function<T, Collection<String>> texts) {
            return value(
                    name,
                    whole -> texts.apply(whole).stream().map(WholeText::of).toList());
        }

        <U> Names<T> list(String name, Names<U> names, Function<T, Collection<U>> of) {
            lists.put(name, names);
            return value(name, whole -> of.apply(whole).stream().map(names::of).toList());
        }

        /** What this one has of a name. */
        Function<String, @Nullable Object> of(T whole) {
            return name -> Objects.requireNonNull(all.get(name), name).apply(whole);
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
                .value("port", stored -> List.copyOf(each(both(stored), Endpoint::ports)))
                .list("node", node, stored -> stored.event().nodes())
                .list("address", address, stored -> each(both(stored), Endpoint::addresses))
                .list("category_detector", pair, EventFields::pairs);
        for (EventField field : EventField.values()) {
            if (field.kind() == EventField.Kind.TEXTS || field.kind() == EventField.Kind.NUMBERS) {
                names.value(field.label(), stored -> several(field, stored.event()));
            }
        }
        addSide("source", endpoint, stored -> stored.event().sources(), names);
        addSide("target", endpoint, stored -> stored.event().targets(), names);
        return names;
    }

    private void addSide(
            String side, Names<Endpoint> endpoint, Function<Stored, List<Endpoint>> ends, Names<Stored> names) {
        names.list(side, endpoint, ends::apply)
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

    /** Each once, but for categories, which stand as the event has them. */
    private static List<?> several(EventField field, SecurityEvent event) {
        Stream<?> values = ((List<?>) field.of(event)).stream();
        return (field == EventField.CATEGORY ? values : values.distinct())
                .map(value -> value instanceof String text ? WholeText.of(text) : value)
                .toList();
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
     * The document that a block says.
     *
     * @throws BadTemplateException if it is no object, or an event has nothing of a name
     */
    public Document document(JsonTemplate template) {
        check(keys(template), event, template.notation());
        return (whole, idea) -> template.object(event.of(new Stored(whole, idea)));
    }

    /**
     * The keys of a document with what they hold.
     *
     * @throws BadTemplateException if the block is no object
     */
    static Map<?, ?> keys(JsonTemplate template) {
        if (template.json() instanceof Map<?, ?> keys) {
            return keys;
        }
        throw new BadTemplateException("is no object (needed: the keys of an event)");
    }

    private static void check(@Nullable Object json, Names<?> names, JsonTemplate.Notation notation) {
        if (json instanceof JsonTemplate.Value value) {
            Set<String> known = new TreeSet<>(names.all.keySet());
            known.removeAll(names.lists.keySet());
            check("name", value.place(), known);
        } else if (json instanceof JsonTemplate.Each each) {
            check("list", each.list(), new TreeSet<>(names.lists.keySet()));
            check(
                    each.element(),
                    Objects.requireNonNull(names.lists.get(each.list().name())),
                    notation);
        } else if (json instanceof Map<?, ?> object) {
            object.forEach((key, value) -> {
                if (String.valueOf(key).startsWith("$")) {
                    throw new BadTemplateException(
                            "the key " + key + " begins with $ (allowed: " + notation.keysOfDocuments() + ")");
                }
                check(value, names, notation);
            });
        } else if (json instanceof List<?> list) {
            list.forEach(element -> check(element, names, notation));
        }
    }

    private static void check(String kind, Place place, Set<String> known) {
        if (!known.contains(place.name())) {
            throw new BadTemplateException(
                    "the " + kind + " '" + place.name() + "' is unknown here ("
                            + (known.isEmpty()
                                    ? "allowed: none"
                                    : Choices.names(known).help(place.name()))
                            + ")",
                    place);
        }
    }
}
