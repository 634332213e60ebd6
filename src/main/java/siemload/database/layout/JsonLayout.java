package siemload.database.layout;

import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Predicate;
import siemload.database.IndexSet;
import siemload.database.Variant;
import siemload.database.layout.Blocks.Block;
import siemload.database.layout.Blocks.Syntax;
import siemload.database.layout.JsonTemplate.Names;
import siemload.database.layout.JsonTemplate.Notation;
import siemload.event.AddressRange;
import siemload.event.AddressRange.Family;
import siemload.event.Endpoint;
import siemload.event.Node;
import siemload.event.SecurityEvent;
import siemload.query.Order;

/**
 * A layout of documents: what its {@code layout.yaml} says, and its blocks of JSON. Siemload's own one and those of users are folders of
 * the same kind, which are read once. What it gives has been made once as well, and is changed by nobody: immutable and thread-safe under
 * that condition.
 */
public final class JsonLayout {
    /** The names of siemload's own layouts, the default first. */
    public static final List<String> LABELS = List.of("idea");
    /** The block that says what is stored of an event. */
    private static final String DOCUMENT = "document";
    /** The block that says what of an answer a row is. */
    private static final String ROW = "row";

    private final LayoutAbout about;
    private final IndexSet set;
    private final Notation notation;
    private final Map<String, JsonTemplate> templates = new HashMap<>();
    private final Optional<Function<EventFields.Stored, Object>> document;

    private JsonLayout(LayoutFormat.Read read, IndexSet set, Notation notation) {
        this.about = read.about();
        this.set = set;
        this.notation = notation;
        this.document = read.blocks().find(DOCUMENT).map(block -> EventFields.document(block, notation));
        read.blocks().all().values().stream()
                .filter(block -> !block.name().equals(DOCUMENT))
                .forEach(block -> templates.put(block.name(), JsonTemplate.read(block, notation)));
    }

    /** What its {@code layout.yaml} says. */
    public LayoutAbout about() {
        return about;
    }

    Notation notation() {
        return notation;
    }

    /** One of its blocks. @throws Blocks.MissingBlockException if it has none of this name */
    public JsonTemplate block(String name) {
        JsonTemplate template = templates.get(name);
        if (template == null) {
            throw new Blocks.MissingBlockException(name);
        }
        return template;
    }

    /** Whether it has a block of this name. */
    public boolean has(String name) {
        return templates.containsKey(name);
    }

    /** What a block without values is. @throws Blocks.MissingBlockException if it has none of this name */
    public Object constant(String name) {
        return block(name).value(unused -> "");
    }

    /** What makes the indexes of the run's set; empty where nothing does. */
    public Optional<JsonTemplate> indexes() {
        return Optional.ofNullable(templates.get(LayoutFormat.INDEXES + set.label()));
    }

    /** What rows are sorted by; empty for any order. */
    public Optional<Object> order(Order order) {
        return switch (order) {
            case NEWEST_FIRST -> Optional.of(constant("newest-first"));
            case OLDEST_FIRST -> Optional.of(constant("oldest-first"));
            case UNSORTED -> Optional.empty();
        };
    }

    /**
     * The document of an event.
     *
     * @param idea its JSON in UTF-8; nobody changes the array
     */
    @SuppressWarnings("unchecked") // It is known to be an object.
    public Map<String, Object> document(SecurityEvent event, byte[] idea) {
        return (Map<String, Object>) document.orElseThrow().apply(new EventFields.Stored(event, idea));
    }

    /**
     * How layouts of documents are read: a block must be of the kind of JSON that siemload's own one of its name is. Immutable and
     * thread-safe.
     */
    public static final class Format extends LayoutFormat {
        private final Notation notation;
        private final Map<String, String> keys;
        private final Set<String> writing;

        /**
         * That of a database.
         *
         * @param notation of its blocks
         * @param keys of a document, each with the value that it must hold
         * @param writing operators that no block may have
         */
        public Format(Vocabulary vocabulary, Notation notation, Map<String, String> keys, Set<String> writing) {
            super(Syntax.JSON, vocabulary);
            this.notation = notation;
            this.keys = new TreeMap<>(keys);
            this.writing = Set.copyOf(writing);
        }

        /**
         * The one of a variant that the target offers.
         *
         * @throws siemload.config.ConfigException with everything that is wrong with the files of one of a user's own
         */
        public JsonLayout of(Variant variant) {
            Read read = variant.ownLayout().map(this::read).orElseGet(() -> builtIn(LABELS.get(0)));
            return new JsonLayout(read, variant.indexes(), notation);
        }

        @Override
        protected List<String> names(Block block) {
            boolean isDocument = block.name().equals(DOCUMENT);
            for (String operator : block.names()) {
                if (isDocument && !JsonTemplate.isOurs(operator)) {
                    throw new IllegalArgumentException(
                            "has the key " + operator + ", which begins with $ (allowed: $param, $each)");
                } else if (writing.contains(operator)) {
                    throw new IllegalArgumentException(
                            "has " + operator + ", which writes: no search does (leave it out)");
                }
            }
            return isDocument ? List.of() : JsonTemplate.read(block, notation).values();
        }

        @Override
        protected Optional<String> wrong(Block block) {
            Object json = JsonTemplate.parsed(block);
            if (block.name().equals(DOCUMENT)) {
                Object unused = EventFields.document(block, notation);
                return keys.entrySet().stream()
                        .filter(key -> !(json instanceof Map<?, ?> document)
                                || !JsonTemplate.contains(document.get(key.getKey()), key.getValue()))
                        .findFirst()
                        .map(key -> "has no {\"$param\": \"" + key.getValue() + "\"} in " + key.getKey()
                                + " (needed: events are told apart and shown by " + String.join(", ", keys.keySet())
                                + ")");
            } else if (block.name().equals(ValueLines.BLOCK)) {
                return json instanceof Map<?, ?> queries
                        ? ValueLines.wrong(queries.keySet())
                        : Optional.of("is no object (needed: {\"category\": {...}, ...})");
            } else if (block.name().startsWith("field-")) {
                return Optional.empty();
            }
            Blocks idea = builtIn(LABELS.get(0)).blocks();
            String needed = idea.find(block.name()).map(Format::kind).orElse("an object");
            String found = kind(block);
            return found.equals(needed) ? Optional.empty() : Optional.of("is " + found + " (needed: " + needed + ")");
        }

        /** Of those that make indexes or rows with the keys, none of which may be left out or added. */
        private static String kind(Block block) {
            Object json = JsonTemplate.parsed(block);
            if (json instanceof List<?> list) {
                boolean isOfObjects = list.stream().allMatch(JsonTemplate::isObject);
                return list.isEmpty() ? "an empty list" : isOfObjects ? "a list of objects" : "a list";
            } else if (!JsonTemplate.isObject(json)) {
                return "a value";
            }
            boolean isWhole = block.name().startsWith(INDEXES) || block.name().equals(ROW);
            return "an object" + (isWhole ? " with " + new TreeSet<>(((Map<?, ?>) json).keySet()) : "");
        }
    }

    /**
     * What of an event a document can have by which names: {@code $param} stands for a value, {@code $each} goes through a list. Stateless and
     * thread-safe.
     */
    private static final class EventFields {
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
                .value("id_hash", stored -> EventText.idHash(stored.event.id()))
                .value("detect_micros", stored -> EventText.micros(stored.event.detectTime()))
                .value(
                        "hour",
                        stored -> stored.event
                                .detectTime()
                                .truncatedTo(ChronoUnit.HOURS)
                                .toString())
                .value("json", stored -> stored.idea)
                .value("lowest_source", stored -> lowest(stored.event.sources()).orElse(null))
                .value("port", stored -> EventField.distinct(both(stored), Endpoint::ports))
                .list(
                        "node",
                        new Names<Node>()
                                .value("name", Node::name)
                                .value("type", Node::types)
                                .value("software", Node::software),
                        stored -> stored.event.nodes())
                .list("address", ADDRESS, stored -> EventField.distinct(both(stored), Endpoint::addresses));

        static {
            for (EventField field : EventField.values()) {
                if (EnumSet.range(EventField.Kind.TEXT, EventField.Kind.NUMBERS).contains(field.kind())) {
                    EVENT.value(field.label(), stored -> field.of(stored.event));
                }
            }
            addSide("source", stored -> stored.event.sources());
            addSide("target", stored -> stored.event.targets());
        }

        private EventFields() {}

        /** An event with its IDEA JSON in UTF-8; nobody changes the array. */
        @SuppressWarnings("ArrayRecordComponent") // Never compared.
        private record Stored(SecurityEvent event, byte[] idea) {}

        private static void addSide(String side, Function<Stored, List<Endpoint>> ends) {
            EVENT.list(side, ENDPOINT, ends)
                    .list(
                            side + "_address",
                            ADDRESS,
                            stored -> EventField.distinct(ends.apply(stored), Endpoint::addresses));
            for (Family family : Family.values()) {
                // A server may have another type for each.
                for (boolean single : new boolean[] {true, false}) {
                    EVENT.list(
                            side + (single ? "_ip" : "_range") + digit(family),
                            ADDRESS,
                            stored -> some(
                                    EventField.distinct(ends.apply(stored), Endpoint::addresses),
                                    range -> range.family() == family && range.isSingle() == single));
                }
            }
        }

        private static List<Endpoint> both(Stored stored) {
            return stored.event.endpoints().toList();
        }

        private static List<AddressRange> some(List<AddressRange> addresses, Predicate<AddressRange> those) {
            return addresses.stream().filter(those).toList();
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

        /** What makes the document that a block says of an event. @throws IllegalArgumentException as {@link JsonTemplate#read} */
        static Function<Stored, Object> document(Block block, Notation notation) {
            return JsonTemplate.made(block, notation, EVENT);
        }
    }
}
