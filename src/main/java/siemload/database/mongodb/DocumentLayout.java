package siemload.database.mongodb;

import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.bson.BsonDateTime;
import org.bson.BsonInvalidOperationException;
import org.bson.Document;
import org.bson.json.JsonParseException;
import org.bson.types.Binary;
import org.bson.types.ObjectId;
import siemload.database.Hint;
import siemload.database.IndexSet;
import siemload.database.LayoutFolder;
import siemload.database.SearchException;
import siemload.database.Variant;
import siemload.database.layout.Blocks;
import siemload.database.layout.EventText;
import siemload.database.layout.JsonLayout;
import siemload.database.layout.JsonTemplate;
import siemload.database.layout.JsonTemplate.BadTemplateException;
import siemload.database.layout.LayoutAbout;
import siemload.database.layout.LayoutAbout.Vocabulary;
import siemload.database.layout.LayoutFormat;
import siemload.database.layout.ValueLines;
import siemload.event.AddressRange;
import siemload.event.AddressRange.Family;
import siemload.event.WholeText;
import siemload.query.Order;
import siemload.query.ValueField;

/** A layout of documents of MongoDB, which is read once. Immutable and thread-safe. */
final class DocumentLayout extends JsonLayout {
    private static final String ROWS = "rows";
    /** What comes before each search of documents that are there already. */
    private static final String STAGES = "stages";
    /** Asked where a set has the index of this name. */
    private static final String PAIRS = "category_detector";

    private static final String OF_PAIRS = "condition-category-detector";
    /** IDEA's own shape. */
    static final DocumentLayout IDEA = new DocumentLayout(Format.INSTANCE.builtIn(LABELS.get(0)));

    private final List<Document> stages;
    private final Document rows;

    private DocumentLayout(LayoutFormat.Read read) {
        super(Format.INSTANCE, read);
        this.stages = pipelineOf(STAGES);
        this.rows = (Document) constant(ROWS);
    }

    private List<Document> pipelineOf(String block) {
        return has(block) ? documents(constant(block)) : List.of();
    }

    /**
     * The one of a variant that the target offers.
     *
     * @throws siemload.config.ConfigException with everything that is wrong with the files of one of a user's own
     */
    static DocumentLayout of(Variant variant) {
        return variant.ownLayout().map(DocumentLayout::of).orElse(IDEA);
    }

    /** The one of a folder. @throws siemload.config.ConfigException as {@link #of(Variant)} */
    static DocumentLayout of(LayoutFolder folder) {
        return new DocumentLayout(Format.INSTANCE.read(folder));
    }

    /** One of its blocks. @throws Blocks.MissingBlockException if it has none of this name */
    BsonTemplate template(String name) {
        return new BsonTemplate(block(name));
    }

    /** Stages behind those that make events of somebody's documents. */
    List<Document> behindStages(List<Document> own) {
        return Stream.of(stages, own).flatMap(List::stream).toList();
    }

    /** The time of a row, in microseconds, as an expression over a document. */
    Object timeOfRows() {
        String key = Format.ROW.get(1);
        Object projected = Objects.requireNonNullElse(rows.get(key), 1);
        return projected instanceof Number || projected instanceof Boolean ? "$" + key : projected;
    }

    /** The queries for values that it has, by what the values are of. */
    Map<ValueField, List<Document>> values() {
        Map<ValueField, List<Document>> values = new EnumMap<>(ValueField.class);
        queriesForValues(Map.of()).forEach((field, stages) -> values.put(field, behindStages(documents(stages))));
        return values;
    }

    private static List<Document> documents(Object list) {
        return ((List<?>) list).stream().map(Document.class::cast).toList();
    }

    /** The indexes of a set, each with name and key as {@code createIndexes} takes them. */
    List<Document> indexes(IndexSet set) {
        return pipelineOf(Format.INDEXES + set.label());
    }

    /** Whether a set has an index of pairs of category and detector. */
    boolean hasPairs(IndexSet set) {
        return indexes(set).stream().anyMatch(index -> PAIRS.equals(index.getString("name")));
    }

    /** The projection that makes a row of a document. */
    Document rows() {
        return rows;
    }

    /** What documents are sorted by; nothing for any order. */
    Document order(Order order) {
        return (Document) orderOf(order).orElseGet(Document::new);
    }

    /** The key that documents are sorted by first: an index that begins with it is one of the time. */
    String timeKey() {
        return order(Order.NEWEST_FIRST).keySet().stream().findFirst().orElse("");
    }

    /**
     * A filter, an expression or a pipeline from a block, whose values are put in as BSON. Thread-safe under the condition that nobody
     * changes what is made of it.
     */
    record BsonTemplate(JsonTemplate template) {
        /** A block of siemload's own commands for this database. */
        static BsonTemplate command(String block) {
            return new BsonTemplate(JsonTemplate.read(
                    Blocks.ofResource("/siemload/database/mongodb/server", Blocks.Syntax.JSON)
                            .find(block)
                            .orElseThrow(),
                    ExtendedJson.NOTATION));
        }

        /** The filter with its values. */
        Document document(Map<String, ?> values) {
            return (Document) template.object(values);
        }

        /** The pipeline with its values. */
        List<Document> pipeline(Map<String, ?> values) {
            return documents(template.value(values::get));
        }
    }

    /** MongoDB's Extended JSON, whose objects are {@link Document}s; addresses and JSON are bytes, times in milliseconds. */
    private enum ExtendedJson implements JsonTemplate.Notation {
        NOTATION;

        private static final String KEY = "json";
        private static final long MOST_TEXTS = 65_536;

        @Override
        public String label() {
            return "Extended JSON";
        }

        @Override
        public Object parsed(String text) {
            try {
                return Objects.requireNonNull(
                        Document.parse("{\"" + KEY + "\": " + text + "}").get(KEY), "null");
            } catch (JsonParseException | BsonInvalidOperationException | IllegalArgumentException wrong) {
                throw new BadTemplateException("is no Extended JSON: " + wrong.getMessage());
            }
        }

        @Override
        public Map<String, Object> object() {
            return new Document();
        }

        @Override
        public Object address(AddressRange single) {
            return new Binary(single.firstBytes());
        }

        @Override
        public Object time(Instant time) {
            return new BsonDateTime(time.toEpochMilli());
        }

        @Override
        public Object timeFrom(Instant time) {
            return new BsonDateTime(EventText.millisFrom(EventText.micros(time)));
        }

        @Override
        public Object json(byte[] utf8) {
            return new Binary(utf8);
        }

        @Override
        public String pattern(String text) {
            return Pattern.quote(text);
        }

        /** An id that is none of the type is asked for as text, which no such id equals. */
        @Override
        public Object id(String name, String id) {
            try {
                if (name.equals("number_id")) {
                    return Long.parseLong(id);
                } else if (ObjectId.isValid(id)) {
                    return new ObjectId(id);
                }
            } catch (NumberFormatException none) {
                // Then it is none of the type.
            }
            return WholeText.of(id);
        }

        /** No number of an IPv4 address is below zero, which stands for those of IPv6. */
        @Override
        public Object address(String name, AddressRange range) {
            boolean isOfIp4 = range.family() == Family.IP4;
            return switch (name) {
                case "first_text" -> range.first().toString();
                case "last_text" -> range.last().toString();
                case "first_number" -> isOfIp4 ? range.firstLow() : -1L;
                case "last_number" -> isOfIp4 ? range.lastLow() : -1L;
                default -> texts(range);
            };
        }

        private static List<String> texts(AddressRange range) {
            long more = range.lastLow() - range.firstLow();
            if (range.firstHigh() != range.lastHigh() || more < 0 || more >= MOST_TEXTS) {
                String why = String.format(
                        Locale.ROOT,
                        "%s has too many addresses to be asked for one by one (at most %,d; ask for first_number and"
                                + " last_number, or first and last)",
                        range,
                        MOST_TEXTS);
                throw new SearchException(SearchException.Kind.OTHER, "", why);
            }
            List<String> texts = new ArrayList<>();
            for (long low = range.firstLow(); low - range.firstLow() <= more; low++) {
                AddressRange one =
                        range.family() == Family.IP4 ? AddressRange.ip4(low) : AddressRange.ip6(range.firstHigh(), low);
                texts.add(one.toString());
            }
            return texts;
        }
    }

    /** How layouts of this database are read. */
    static final class Format extends JsonLayout.Format {
        /** Reads them. */
        static final Format INSTANCE = new Format();

        private static final String TIME = "time";
        /** Those that the hints {@code index} and {@code time-index} name. */
        private static final List<String> HINTED = List.of(TIME, "category", "detector", "address", "port");

        private static final Set<String> WRITING = Set.of("$out", "$merge");
        private static final List<String> ROW = List.of("_id", "DetectMicros", "Event");
        /** What the server takes: neither a dollar nor NUL, and none of its own. */
        private static final Pattern COLLECTION = Pattern.compile("(?!system[.])[^$\\x00.][^$\\x00]{0,199}");

        private Format() {
            super(
                    new Vocabulary(
                            "mongodb",
                            List.of(Hint.NONE, Hint.FULL_SCAN, Hint.INDEX, Hint.TIME_INDEX),
                            List.of(Hint.NONE, Hint.FULL_SCAN),
                            LABELS,
                            Set.of(),
                            "collection",
                            name -> COLLECTION.matcher(name).matches()
                                    ? Optional.empty()
                                    : Optional.of(
                                            "is no name of a collection (needed: one that is searched, without $, and none"
                                                    + " of the server's own)")),
                    new Rules(
                            Set.of(DOCUMENT, "presence", OF_PAIRS),
                            Set.of(OF_PAIRS),
                            Set.of(STAGES),
                            Set.of(ROWS, "newest-first", "oldest-first", "condition-window", "times")),
                    ExtendedJson.NOTATION,
                    List.of(
                            new Shape(
                                    INDEXES + ".*",
                                    Format::areIndexes,
                                    "is no list of indexes (needed: [{\"name\": ..., \"key\": {...}}, ...])"),
                            new Shape("field-.*|" + ValueLines.BLOCK, json -> true, ""),
                            new Shape(
                                    "stages|last-page|timeline|top-list|times",
                                    JsonLayout.Format::isListOfObjects,
                                    "is no pipeline (needed: an array of stages, which are objects)"),
                            new Shape(".*", Document.class::isInstance, "is no object (needed: {...})")));
        }

        @Override
        protected Optional<String> refusal(String operator) {
            return WRITING.contains(operator)
                    ? Optional.of(operator + " writes, which no search does (leave it out)")
                    : super.refusal(operator);
        }

        @Override
        protected void checkKeys(Map<?, ?> keys) {
            if (!JsonTemplate.contains(keys.get(ROW.get(0)), "id")) {
                throw new BadTemplateException(
                        "no {\"$param\": \"id\"} is in _id (needed: the server tells by it that an event is there already)");
            }
        }

        @Override
        protected Optional<String> wrongAlone(String block, Object json) {
            if (block.equals(ValueLines.BLOCK)) {
                return ValueLines.wrong(
                        json,
                        JsonLayout.Format::isListOfObjects,
                        "[...]",
                        "pipeline (needed: an array of stages, which are objects)");
            }
            Optional<String> absent = ROW.stream()
                    .filter(key -> block.equals(ROWS) && isLeftOut((Document) json, key))
                    .findFirst();
            return absent.map(
                    key -> "gives no " + key + " (needed: what a row has are " + String.join(", ", ROW) + ")");
        }

        private static boolean isLeftOut(Document rows, String key) {
            Object projected = rows.get(key);
            return (projected == null && !key.equals(ROW.get(0)))
                    || Boolean.FALSE.equals(projected)
                    || (projected instanceof Number number && number.doubleValue() == 0);
        }

        private static boolean areIndexes(Object json) {
            return isListOfObjects(json)
                    && ((List<?>) json)
                            .stream()
                                    .allMatch(one -> one instanceof Document index
                                            && index.get("name") instanceof String
                                            && index.get("key") instanceof Document key
                                            && !key.isEmpty());
        }

        /** Hints name indexes, and pairs have a block where they have an index. */
        @Override
        protected List<String> missing(LayoutAbout about, Blocks all) {
            List<String> missing = new ArrayList<>();
            for (IndexSet set : about.isForSearchesAlone() ? List.<IndexSet>of() : about.indexSets()) {
                List<String> there = all.find(INDEXES + set.label()).stream()
                        .flatMap(block -> ((List<?>) JsonTemplate.read(block, ExtendedJson.NOTATION)
                                        .json())
                                .stream())
                        .map(index -> ((Document) index).getString("name"))
                        .toList();
                for (String index : set == IndexSet.NONE ? List.<String>of() : HINTED) {
                    Hint hint = index.equals(TIME) ? Hint.TIME_INDEX : Hint.INDEX;
                    if (about.hints().contains(hint) && hint.conflictWith(set).isEmpty() && !there.contains(index)) {
                        missing.add("the block " + INDEXES + set.label() + " has no index with the name " + index
                                + ", which the hint " + hint.label() + " names (add one, or leave the hint out)");
                    }
                }
                if (there.contains(PAIRS) && all.find(OF_PAIRS).isEmpty()) {
                    missing.add("there is no block " + OF_PAIRS + ", which the index " + PAIRS
                            + " needs (write it, or leave the index out)");
                }
            }
            return missing;
        }
    }
}
