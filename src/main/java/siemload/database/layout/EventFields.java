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
 * What of an event a document can have by which names: {@code $param} stands for a value, {@code $each} goes through a list. Stateless and
 * thread-safe.
 */
public final class EventFields {
    private static final Names<AddressRange> ADDRESS = new Names<AddressRange>()
            .value("first", AddressRange::first)
            .value("last", AddressRange::last)
            .value("wide", range -> !range.isSingle());
    private static final Names<Endpoint> ENDPOINT = new Names<Endpoint>()
            .value("type", Endpoint::types)
            .value("port", Endpoint::ports)
            .value("protocol", Endpoint::protocols)
            .list("ip4", ADDRESS, end -> some(end.addresses(), range -> range.family() == Family.IP4))
            .list("ip6", ADDRESS, end -> some(end.addresses(), range -> range.family() == Family.IP6))
            .list("address", ADDRESS, Endpoint::addresses);
    private static final Names<Stored> EVENT = new Names<Stored>()
            .value("id", stored -> stored.event.id())
            .value("id_hash", stored -> idHash(stored.event.id()))
            .value("detect_time", stored -> stored.event.detectTime())
            .value("detect_micros", stored -> EventText.micros(stored.event.detectTime()))
            .value(
                    "hour",
                    stored -> stored.event
                            .detectTime()
                            .truncatedTo(ChronoUnit.HOURS)
                            .toString())
            .value("json", stored -> stored.idea)
            .value("description", stored -> EventText.searchable(stored.event.description()))
            .value("lowest_source", stored -> lowest(stored.event.sources()).orElse(null))
            .value("port", stored -> List.copyOf(each(both(stored), Endpoint::ports)))
            .list(
                    "node",
                    new Names<Node>()
                            .value("name", Node::name)
                            .value("type", Node::types)
                            .value("software", Node::software),
                    stored -> stored.event.nodes())
            .list("address", ADDRESS, stored -> each(both(stored), Endpoint::addresses))
            .list(
                    "category_detector",
                    new Names<Pair>().value("category", Pair::category).value("detector", Pair::detector),
                    EventFields::pairs);

    static {
        for (EventField field : EventField.values()) {
            if (field.kind() == EventField.Kind.TEXTS || field.kind() == EventField.Kind.NUMBERS) {
                EVENT.value(field.label(), stored -> several(field, stored.event));
            }
        }
        addSide("source", stored -> stored.event.sources());
        addSide("target", stored -> stored.event.targets());
    }

    private EventFields() {}

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

        <U> Names<T> list(String name, Names<U> names, Function<T, Collection<U>> of) {
            lists.put(name, names);
            all.put(name, whole -> {
                List<Function<JsonTemplate.Notation, Object>> elements = new ArrayList<>();
                of.apply(whole).forEach(one -> elements.add(forms -> names.of(one, forms)));
                return elements;
            });
            return this;
        }

        /** What this one has of a name, in the types of a database. */
        Function<String, @Nullable Object> of(T whole, JsonTemplate.Notation forms) {
            return name ->
                    forms.value(Objects.requireNonNull(all.get(name), name).apply(whole));
        }
    }

    private static void addSide(String side, Function<Stored, List<Endpoint>> ends) {
        EVENT.list(side, ENDPOINT, ends::apply)
                .list(side + "_address", ADDRESS, stored -> each(ends.apply(stored), Endpoint::addresses));
        for (Family family : Family.values()) {
            // A server may have another type for each.
            for (boolean single : new boolean[] {true, false}) {
                EVENT.list(
                        side + (single ? "_ip" : "_range") + digit(family),
                        ADDRESS,
                        stored -> some(
                                each(ends.apply(stored), Endpoint::addresses),
                                range -> range.family() == family && range.isSingle() == single));
            }
        }
    }

    /** Each once, but for categories, which stand as the event has them. */
    private static List<?> several(EventField field, SecurityEvent event) {
        List<?> values = (List<?>) field.of(event);
        return field == EventField.CATEGORY ? values : List.copyOf(new LinkedHashSet<>(values));
    }

    private static List<Endpoint> both(Stored stored) {
        return stored.event.endpoints().toList();
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
        for (String category : new LinkedHashSet<>(stored.event.categories())) {
            stored.event.nodes().forEach(node -> pairs.add(new Pair(category, node.name())));
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

    /**
     * The document that a block says of an event.
     *
     * @param idea its JSON in UTF-8; nobody changes the array
     */
    static Map<String, Object> document(JsonTemplate template, SecurityEvent event, byte[] idea) {
        return template.object(EVENT.of(new Stored(event, idea), template.notation()));
    }

    /**
     * The keys of a document with what they hold.
     *
     * @throws BadTemplateException if the block is no object, or an event has nothing of a name
     */
    static Map<?, ?> checked(JsonTemplate template) {
        if (!(template.json() instanceof Map<?, ?> keys)) {
            throw new BadTemplateException("is no object (needed: the keys of an event)");
        }
        check(keys, EVENT);
        return keys;
    }

    private static void check(@Nullable Object json, Names<?> names) {
        if (json instanceof JsonTemplate.Value value) {
            Set<String> known = new TreeSet<>(names.all.keySet());
            known.removeAll(names.lists.keySet());
            check("name", value.place(), known);
        } else if (json instanceof JsonTemplate.Each each) {
            check("list", each.list(), new TreeSet<>(names.lists.keySet()));
            check(
                    each.element(),
                    Objects.requireNonNull(names.lists.get(each.list().name())));
        } else if (json instanceof Map<?, ?> object) {
            object.forEach((key, value) -> {
                if (String.valueOf(key).startsWith("$")) {
                    throw new BadTemplateException("the key " + key + " begins with $ (allowed: $param, $each)");
                }
                check(value, names);
            });
        } else if (json instanceof List<?> list) {
            list.forEach(element -> check(element, names));
        }
    }

    private static void check(String kind, Place place, Set<String> known) {
        if (!known.contains(place.name())) {
            throw new BadTemplateException(
                    "the " + kind + " '" + place.name() + "' is unknown here ("
                            + Choices.names(known).help(place.name()) + ")",
                    place);
        }
    }
}
