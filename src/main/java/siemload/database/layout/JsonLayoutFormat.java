package siemload.database.layout;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import siemload.database.Hint;
import siemload.database.layout.Blocks.Block;
import siemload.database.layout.Blocks.Place;
import siemload.database.layout.Blocks.Syntax;
import siemload.database.layout.JsonTemplate.BadTemplateException;
import siemload.database.layout.JsonTemplate.Notation;
import siemload.database.layout.LayoutAbout.Vocabulary;

/** How layouts of documents are read, whatever the database. Immutable and thread-safe. */
public abstract class JsonLayoutFormat extends LayoutFormat {
    /** The block that says what is stored of an event. */
    public static final String DOCUMENT = "document";

    private final Notation notation;
    private final List<Shape> shapes;
    private final EventFields fields;

    /**
     * That of a database.
     *
     * @param notation of its blocks
     * @param shapes the first one of a block's name counts
     */
    protected JsonLayoutFormat(Vocabulary vocabulary, Rules rules, Notation notation, List<Shape> shapes) {
        super(Syntax.JSON, vocabulary, rules);
        this.notation = notation;
        this.shapes = shapes;
        this.fields = new EventFields(notation);
    }

    /**
     * What some blocks must be.
     *
     * @param names a pattern of their names
     * @param wrong what is told of another one, as the end of a sentence
     */
    public record Shape(String names, Predicate<Object> right, String wrong) {}

    /**
     * What {@code layout.yaml} may say for a database of documents.
     *
     * @param target its name
     * @param hints which its searches can be given, the default first
     * @param hintsOfOthers those of them that name no index of siemload's
     * @param searched the key that names what is searched without loading
     * @param refusal why that cannot be its name
     */
    protected static Vocabulary vocabulary(
            String target,
            List<Hint> hints,
            List<Hint> hintsOfOthers,
            String searched,
            Function<String, Optional<String>> refusal) {
        return new Vocabulary(target, List.of(), hints, hintsOfOthers, JsonLayout.LABELS, Set.of(), searched, refusal);
    }

    final Notation notation() {
        return notation;
    }

    /**
     * A block as a template.
     *
     * @throws BadTemplateException if it is none
     */
    public final JsonTemplate template(Block block) {
        return JsonTemplate.read(block, notation);
    }

    /**
     * Makes documents of events.
     *
     * @throws BadTemplateException if events have nothing of a name
     */
    final EventFields.Document document(JsonTemplate template) {
        return fields.document(template);
    }

    @Override
    protected final List<Place> names(Block block) {
        JsonTemplate template = template(block);
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
    protected final String model(LayoutAbout about) {
        return JsonLayout.LABELS.get(0);
    }

    @Override
    protected final Optional<String> wrong(LayoutAbout about, Block block) {
        JsonTemplate template = template(block);
        if (block.name().equals(DOCUMENT)) {
            checkKeys(EventFields.keys(template));
            var unused = document(template);
            return Optional.empty();
        }
        return shapes.stream()
                .filter(shape -> block.name().matches(shape.names))
                .findFirst()
                .filter(shape -> !shape.right.test(template.json()))
                .map(Shape::wrong)
                .or(() -> about.isForSearchesAlone() ? wrongAlone(block.name(), template.json()) : Optional.empty());
    }

    /**
     * Looks at the keys of the document of an event.
     *
     * @throws BadTemplateException if the database cannot store it so
     */
    protected abstract void checkKeys(Map<?, ?> keys);

    /** What is wrong with a block of the right shape where what others have made is searched; empty if nothing is. */
    protected abstract Optional<String> wrongAlone(String block, Object json);

    /** Whether a value is put in for all of the JSON. */
    protected static boolean isValue(Object json) {
        return json instanceof JsonTemplate.Value;
    }

    /** Whether JSON is a list of objects alone. */
    protected static boolean isListOfObjects(Object json) {
        return json instanceof List<?> list && list.stream().allMatch(Map.class::isInstance);
    }
}
