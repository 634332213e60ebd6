package siemload.database.layout;

import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import siemload.database.layout.Blocks.Block;
import siemload.database.layout.Blocks.Place;
import siemload.database.layout.Blocks.Syntax;
import siemload.database.layout.JsonTemplate.BadTemplateException;
import siemload.database.layout.JsonTemplate.Notation;
import siemload.database.layout.LayoutAbout.Vocabulary;
import siemload.database.layout.LayoutFormat.Read;
import siemload.event.SecurityEvent;
import siemload.query.Order;
import siemload.query.ValueField;

/**
 * A layout of documents: what its {@code layout.yaml} says, and its blocks of JSON. Siemload's own one and those of users are folders of
 * the same kind, which are read once. What it gives has been made once as well, and is changed by nobody: immutable and thread-safe under
 * that condition.
 */
public abstract class JsonLayout {
    /** The names of siemload's own layouts, the default first. */
    public static final List<String> LABELS = List.of("idea");

    private final Read read;
    private final Notation notation;
    private final Map<String, JsonTemplate> templates = new HashMap<>();

    protected JsonLayout(Format format, Read read) {
        this.read = read;
        this.notation = format.notation;
        read.blocks().all().forEach((name, block) -> templates.put(name, JsonTemplate.read(block, notation)));
    }

    /** What was read of it. */
    public final Read read() {
        return read;
    }

    final Notation notation() {
        return notation;
    }

    /** Whether it says how to search documents that are there already, and neither loads nor feeds any. */
    public final boolean isForSearchesAlone() {
        return read.about().isForSearchesAlone();
    }

    /** The collection or the index that it searches, where it {@link #isForSearchesAlone is for that alone}; else empty. */
    public final String searched() {
        return read.about().searched();
    }

    /** One of its blocks. @throws Blocks.MissingBlockException if it has none of this name */
    public final JsonTemplate block(String name) {
        JsonTemplate template = templates.get(name);
        if (template == null) {
            throw new Blocks.MissingBlockException(name);
        }
        return template;
    }

    /** Whether it has a block of this name. */
    public final boolean has(String name) {
        return templates.containsKey(name);
    }

    /** What a block without values is. */
    protected final Object constant(String name) {
        return block(name).value(unused -> "");
    }

    /** What rows are sorted by; empty for any order. */
    protected final Optional<Object> orderOf(Order order) {
        return switch (order) {
            case NEWEST_FIRST -> Optional.of(constant("newest-first"));
            case OLDEST_FIRST -> Optional.of(constant("oldest-first"));
            case UNSORTED -> Optional.empty();
        };
    }

    /**
     * The queries for values that it has, by what the values are of.
     *
     * @param put what is put in by its name
     */
    protected final Map<ValueField, Object> queriesForValues(Map<String, ?> put) {
        Map<ValueField, Object> values = new EnumMap<>(ValueField.class);
        if (has(ValueLines.BLOCK)) {
            block(ValueLines.BLOCK).object(put).forEach((kind, query) -> values.put(ValueLines.field(kind), query));
        }
        return values;
    }

    /**
     * The document of an event.
     *
     * @param idea its JSON in UTF-8; nobody changes the array
     */
    public final Map<String, Object> document(SecurityEvent event, byte[] idea) {
        return EventFields.document(block(Format.DOCUMENT), event, idea);
    }

    /** How layouts of documents are read, whatever the database. Immutable and thread-safe. */
    public abstract static class Format extends LayoutFormat {
        /** The block that says what is stored of an event. */
        protected static final String DOCUMENT = "document";

        private final Notation notation;
        private final List<Shape> shapes;

        /**
         * That of a database.
         *
         * @param notation of its blocks
         * @param shapes the first one of a block's name counts
         */
        protected Format(Vocabulary vocabulary, Rules rules, Notation notation, List<Shape> shapes) {
            super(Syntax.JSON, vocabulary, rules);
            this.notation = notation;
            this.shapes = shapes;
        }

        /**
         * What some blocks must be.
         *
         * @param names a pattern of their names
         * @param wrong what is told of another one, as the end of a sentence
         */
        public record Shape(String names, Predicate<Object> right, String wrong) {}

        @Override
        protected final List<Place> names(Block block) {
            JsonTemplate template = JsonTemplate.read(block, notation);
            if (block.name().equals(DOCUMENT)) {
                return List.of();
            }
            for (Place operator : block.places()) {
                refusal(operator.name()).ifPresent(why -> {
                    throw new BadTemplateException(why, operator);
                });
            }
            return template.values();
        }

        /** Why a key that begins with {@code $} may not stand in any block but the document; empty if it may. */
        protected Optional<String> refusal(String operator) {
            return operator.equals(JsonTemplate.EACH)
                    ? Optional.of("$each is for the block document (needed: $param, and what the server knows)")
                    : Optional.empty();
        }

        @Override
        protected final Optional<String> wrong(LayoutAbout about, Block block) {
            JsonTemplate template = JsonTemplate.read(block, notation);
            if (block.name().equals(DOCUMENT)) {
                checkKeys(EventFields.checked(template));
                return Optional.empty();
            }
            return shapes.stream()
                    .filter(shape -> block.name().matches(shape.names))
                    .findFirst()
                    .filter(shape -> !shape.right.test(template.json()))
                    .map(Shape::wrong)
                    .or(() ->
                            about.isForSearchesAlone() ? wrongAlone(block.name(), template.json()) : Optional.empty());
        }

        /**
         * Looks at the keys of the document of an event.
         *
         * @throws BadTemplateException if the database cannot store it so
         */
        protected abstract void checkKeys(Map<?, ?> keys);

        /** What is wrong with a block of the right shape where what others have made is searched; empty if nothing is. */
        protected abstract Optional<String> wrongAlone(String block, Object json);

        /** Whether JSON is a list of objects alone. */
        protected static boolean isListOfObjects(Object json) {
            return json instanceof List<?> list && list.stream().allMatch(Map.class::isInstance);
        }
    }
}
