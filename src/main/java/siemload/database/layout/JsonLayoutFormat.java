package siemload.database.layout;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Predicate;
import siemload.config.Origin;
import siemload.config.Problems;
import siemload.database.Hint;
import siemload.database.LayoutFolder;
import siemload.database.layout.Blocks.Block;
import siemload.database.layout.Blocks.Place;
import siemload.database.layout.Blocks.Syntax;
import siemload.database.layout.JsonTemplate.BadTemplateException;
import siemload.database.layout.JsonTemplate.Notation;
import siemload.database.layout.LayoutAbout.Vocabulary;
import siemload.query.Paging;

/** How layouts of documents are read, whatever the database. Immutable and thread-safe. */
public abstract class JsonLayoutFormat extends LayoutFormat {
    /** The block that says what is stored of an event. */
    public static final String DOCUMENT = "document";

    private static final String LABEL = JsonLayout.LABELS.get(0);

    private final Notation notation;
    private final EventFields fields;

    /**
     * That of a database.
     *
     * @param target its name, and that of the folder with siemload's own layouts
     * @param hints which its searches can be given, the default first
     * @param hintsOfOthers those of them that name no index of siemload's
     * @param searched the key that names what is searched without loading
     * @param refusal why that cannot be its name
     * @param notation of its blocks
     */
    protected JsonLayoutFormat(
            String target,
            List<Hint> hints,
            List<Hint> hintsOfOthers,
            String searched,
            Function<String, Optional<String>> refusal,
            Notation notation) {
        super(
                "/siemload/database/" + target + "/",
                Syntax.JSON,
                new Vocabulary(
                        target,
                        List.of(),
                        hints,
                        hintsOfOthers,
                        List.of(Paging.OFFSET, Paging.KEYSET, Paging.CURSOR),
                        JsonLayout.LABELS,
                        Set.of(),
                        searched,
                        refusal));
        this.notation = notation;
        this.fields = new EventFields(notation);
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
    public final EventFields.Document document(JsonTemplate template) {
        return fields.document(template);
    }

    @Override
    protected final List<Named> names(Block block) {
        JsonTemplate template = template(block);
        if (block.name().equals(DOCUMENT)) {
            return List.of();
        }
        for (Place operator : block.operators()) {
            if (operator.name().equals(JsonTemplate.EACH)) {
                throw new BadTemplateException(
                        "$each is for the block document (needed: $param, and what the server knows)", operator);
            }
            refusal(operator.name()).ifPresent(why -> {
                throw new BadTemplateException(why, operator);
            });
        }
        return template.values().stream()
                .map(value -> new Named(value.name(), new Origin.InFile(block.file(), value.line(), value.column())))
                .toList();
    }

    /** Why a key that begins with {@code $} may not stand in any block but the document; empty if it may. */
    protected Optional<String> refusal(String operator) {
        return Optional.empty();
    }

    @Override
    protected final Set<String> allowed(LayoutAbout about, String block) {
        Set<String> allowed = new TreeSet<>(furtherNames(about, block));
        for (String folder : about.isForSearchesAlone() ? List.of(LayoutAbout.ROWS, LABEL) : List.of(LABEL)) {
            List<Block> like = SearchConditions.like(block)
                    .flatMap(name -> ofFolder(folder).find(name).stream())
                    .toList();
            like.forEach(one -> template(one).values().forEach(value -> allowed.add(value.name())));
            if (!like.isEmpty()) {
                return allowed;
            }
        }
        return allowed;
    }

    @Override
    protected Set<String> ofLoading() {
        return Set.of(DOCUMENT, "presence");
    }

    @Override
    protected void checkTogether(LayoutAbout about, Blocks all, LayoutFolder folder, Problems problems) {}

    /** Names that may stand in a block beside those of siemload's block of its name. */
    protected abstract Set<String> furtherNames(LayoutAbout about, String block);

    @Override
    protected final Set<String> model(LayoutAbout about) {
        Set<String> names = new TreeSet<>(ofFolder(LABEL).names());
        if (about.isForSearchesAlone()) {
            names.addAll(ofFolder(LayoutAbout.ROWS).names());
        }
        return names;
    }

    @Override
    protected final Optional<String> wrong(LayoutAbout about, Block block) {
        JsonTemplate template = template(block);
        if (block.name().equals(DOCUMENT)) {
            checkKeys(EventFields.keys(template));
            var unused = document(template);
            return Optional.empty();
        }
        return wrong(about, block.name(), template);
    }

    /**
     * Looks at the keys of the document of an event.
     *
     * @throws BadTemplateException if the database cannot store it so
     */
    protected abstract void checkKeys(Map<?, ?> keys);

    /** What is wrong with the shape of a block, as the end of a sentence; empty if nothing is. */
    protected abstract Optional<String> wrong(LayoutAbout about, String block, JsonTemplate template);

    /** That something is not so. */
    protected static Optional<String> unless(Predicate<Object> right, Object json, String what) {
        return right.test(json) ? Optional.empty() : Optional.of(what);
    }

    /** Whether JSON is a list of objects alone. */
    protected static boolean isListOfObjects(Object json) {
        return json instanceof List<?> list && list.stream().allMatch(Map.class::isInstance);
    }
}
