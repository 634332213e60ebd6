package siemload.database.layout;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
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
import siemload.query.PageClass;
import siemload.query.Search;
import siemload.query.Summary;

/**
 * A layout of documents: its blocks of JSON, into which searches are translated, each condition by a block, and what is stored of an event.
 * What it gives may have parts that have been made once, and is changed by nobody: immutable and thread-safe under that condition.
 *
 * @param <T> an object of the layout's notation
 */
public abstract class JsonSearches<T extends Map<String, Object>> extends SearchConditions<T> {
    /** The names of siemload's own layouts, the default first. */
    public static final List<String> LABELS = List.of("idea");

    /** The block that says what is stored of an event. */
    private static final String DOCUMENT = "document";

    private static final double MICROS_PER_MILLI = 1_000;

    private final LayoutAbout about;
    private final Notation notation;
    private final Map<String, JsonTemplate> templates = new HashMap<>();
    private final Optional<Function<Stored, Object>> document;

    /**
     * That of a variant that the target offers.
     *
     * @throws siemload.config.ConfigException with everything that is wrong with the files of one of a user's own
     */
    protected JsonSearches(Format format, Variant variant) {
        this(format.of(variant), format.notation);
    }

    private JsonSearches(LayoutFormat.Read read, Notation notation) {
        super(read.blocks().all()::containsKey);
        this.about = read.about();
        this.notation = notation;
        this.document = read.blocks()
                .find(DOCUMENT)
                .map(block -> JsonTemplate.made(block, notation, EventFields.EVENT));
        read.blocks().all().forEach((name, block) -> {
            if (!name.equals(DOCUMENT)) {
                templates.put(name, JsonTemplate.read(block, notation));
            }
        });
    }

    public final LayoutAbout about() {
        return about;
    }

    public final Optional<JsonTemplate> find(String name) {
        return Optional.ofNullable(templates.get(name));
    }

    /** The same. @throws Blocks.MissingBlockException if it has none of this name */
    public final JsonTemplate block(String name) {
        return find(name).orElseThrow(() -> new Blocks.MissingBlockException(name));
    }

    /** What a block without values is. @throws Blocks.MissingBlockException if it has none of this name */
    protected final Object constant(String name) {
        return block(name).value(unused -> "");
    }

    /** What rows are sorted by; empty for any order. */
    protected final Optional<Object> sort(Order order) {
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
    public final T document(SecurityEvent event, byte[] idea) {
        return (T) document.orElseThrow().apply(new Stored(event, idea));
    }

    public final T conditions(Search search) {
        return all(of(search));
    }

    @Override
    @SuppressWarnings("unchecked") // The notation makes no other objects.
    protected final T leaf(String block, Map<String, ?> values) {
        return (T) block(PREFIX + block).value(name -> value(name, values));
    }

    /** The value of this name: a time also in milliseconds, from the first whole one on, or as the database has it. */
    protected final Object value(String name, Map<String, ?> of) {
        if (name.equals("id_hash")) {
            return EventText.idHash((String) Objects.requireNonNull(of.get("id")));
        } else if (name.equals("pattern")) {
            return notation.pattern((String) Objects.requireNonNull(of.get("text")));
        }
        String time = name.startsWith("from") ? "from" : name.startsWith("until") ? "until" : "time";
        Object value = Objects.requireNonNullElseGet(of.get(name), () -> Objects.requireNonNull(of.get(time), name));
        if (!(value instanceof Instant instant) || name.endsWith("time")) {
            return value;
        }
        long micros = EventText.micros(instant);
        return name.endsWith("millis") ? EventText.millisFrom(micros) : micros;
    }

    /**
     * The block of a summary with its values.
     *
     * @param beside those that the database has further ones of, by their names
     */
    protected final Object summed(Search search, Summary summary, Map<String, ?> beside) {
        Map<String, Object> values = new HashMap<>(beside);
        values.put("field", constant("field-" + summary.field().label()));
        if (summary instanceof Summary.OverTime timeline) {
            long from = EventText.micros(search.window().from());
            long step = timeline.step(search.window()).toNanos() / 1_000;
            values.put("from", from);
            values.put("step", step);
            values.put("step_millis", step / MICROS_PER_MILLI);
            values.put("offset", Math.floorMod(from, step));
            values.put("offset_millis", Math.floorMod(from, step) / MICROS_PER_MILLI);
            return block("timeline").value(values::get);
        } else if (summary instanceof Summary.TopList top) {
            values.put("limit", top.size());
            return block("top-list").value(values::get);
        }
        throw new AssertionError("a kind of summary without a block: " + summary);
    }

    protected abstract Object summed(Search search, Summary summary);

    /** Translates a search that users come to in this way. @throws Blocks.MissingBlockException */
    public final void translate(Search search, PageClass page) {
        Object unused = page == PageClass.SUMMARY
                ? search.summary().map(summary -> summed(search, summary))
                : conditions(search);
    }

    /** An event with its IDEA JSON in UTF-8; nobody changes the array. */
    @SuppressWarnings("ArrayRecordComponent") // Never compared.
    record Stored(SecurityEvent event, byte[] idea) {}

    /** What of an event a document can have by which names. Stateless and thread-safe. */
    static final class EventFields {
        /** All of them: {@code $param} stands for a value, {@code $each} goes through a list. */
        static final Names<Stored> EVENT = new Names<>();

        private static final Names<AddressRange> ADDRESS = new Names<AddressRange>()
                .value("first", AddressRange::first)
                .value("last", AddressRange::last)
                .value("wide", range -> !range.isSingle());

        static {
            for (EventField field : EventField.values()) {
                if (EnumSet.range(EventField.Kind.TEXT, EventField.Kind.NUMBERS).contains(field.kind())) {
                    EVENT.value(field.label(), stored -> field.of(stored.event));
                }
            }
            EVENT.value("id_hash", stored -> EventText.idHash(stored.event.id()))
                    .value("detect_micros", stored -> EventText.micros(stored.event.detectTime()))
                    .value("hour", EventFields::hour)
                    .value("json", stored -> stored.idea)
                    .value("lowest_source", EventFields::lowestSource)
                    .value("port", stored -> EventField.distinct(ends(stored), Endpoint::ports))
                    .list(
                            "node",
                            new Names<Node>()
                                    .value("name", Node::name)
                                    .value("type", Node::types)
                                    .value("software", Node::software),
                            stored -> stored.event.nodes())
                    .list("address", ADDRESS, stored -> EventField.distinct(ends(stored), Endpoint::addresses));
            addSide("source", stored -> stored.event.sources());
            addSide("target", stored -> stored.event.targets());
        }

        private EventFields() {}

        private static void addSide(String side, Function<Stored, List<Endpoint>> ends) {
            Names<Endpoint> end = new Names<Endpoint>()
                    .value("type", Endpoint::types)
                    .value("port", Endpoint::ports)
                    .value("protocol", Endpoint::protocols)
                    .list("address", ADDRESS, Endpoint::addresses);
            Function<Stored, List<AddressRange>> addresses =
                    stored -> EventField.distinct(ends.apply(stored), Endpoint::addresses);
            for (Family family : Family.values()) {
                end.list("ip" + digit(family), ADDRESS, one -> of(family, one.addresses()));
                // A server may have another type for each.
                for (boolean single : new boolean[] {true, false}) {
                    EVENT.list(
                            side + (single ? "_ip" : "_range") + digit(family),
                            ADDRESS,
                            stored -> of(family, addresses.apply(stored)).stream()
                                    .filter(range -> range.isSingle() == single)
                                    .toList());
                }
            }
            EVENT.list(side, end, ends).list(side + "_address", ADDRESS, addresses);
        }

        private static List<Endpoint> ends(Stored stored) {
            return stored.event.endpoints().toList();
        }

        private static List<AddressRange> of(Family family, List<AddressRange> addresses) {
            return addresses.stream().filter(range -> range.family() == family).toList();
        }

        private static String hour(Stored stored) {
            return stored.event.detectTime().truncatedTo(ChronoUnit.HOURS).toString();
        }

        /** In a form whose texts are ordered as addresses are: the family, then the digits of all bytes. */
        private static @Nullable String lowestSource(Stored stored) {
            return stored.event.sources().stream()
                    .flatMap(source -> source.addresses().stream())
                    .min(Comparator.naturalOrder())
                    .map(range -> digit(range.family()) + HexFormat.of().formatHex(range.firstBytes()))
                    .orElse(null);
        }

        private static String digit(Family family) {
            return family == Family.IP4 ? "4" : "6";
        }
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

        Read of(Variant variant) {
            return variant.ownLayout().map(this::read).orElseGet(() -> builtIn(LABELS.get(0)));
        }

        @Override
        protected List<String> names(Block block) {
            boolean isDocument = block.name().equals(DOCUMENT);
            for (String operator : block.names()) {
                if (isDocument && !JsonTemplate.isOurs(operator)) {
                    throw new IllegalArgumentException(
                            "has the key " + operator + ", which begins with $ (allowed: $param, $each)");
                } else if (writing.contains(operator)) {
                    throw new IllegalArgumentException("has " + operator + ", which writes: no search does (leave it out)");
                }
            }
            return isDocument ? List.of() : JsonTemplate.read(block, notation).values();
        }

        @Override
        protected Optional<String> wrong(Block block) {
            Object json = JsonTemplate.parsed(block);
            if (block.name().equals(DOCUMENT)) {
                Object unused = JsonTemplate.made(block, notation, EventFields.EVENT);
                return keys.entrySet().stream()
                        .filter(key -> !(json instanceof Map<?, ?> document)
                                || !JsonTemplate.contains(document.get(key.getKey()), key.getValue()))
                        .findFirst()
                        .map(key -> "has no {\"$param\": \"" + key.getValue() + "\"} in " + key.getKey()
                                + " (needed: events are told apart and shown by " + String.join(", ", keys.keySet()) + ")");
            } else if (block.name().equals(ValueLines.BLOCK)) {
                return json instanceof Map<?, ?> queries
                        ? ValueLines.wrong(queries.keySet())
                        : Optional.of("is no object (needed: {\"category\": {...}, ...})");
            } else if (block.name().startsWith("field-")) {
                return Optional.empty();
            }
            String needed = builtIn(LABELS.get(0))
                    .blocks()
                    .find(block.name())
                    .map(Format::kind)
                    .orElse("an object");
            return kind(block).equals(needed)
                    ? Optional.empty()
                    : Optional.of("is " + kind(block) + " (needed: " + needed + ")");
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
            boolean isWhole = block.name().startsWith(INDEXES) || block.name().equals("row");
            return "an object" + (isWhole ? " with " + new TreeSet<>(((Map<?, ?>) json).keySet()) : "");
        }
    }
}
