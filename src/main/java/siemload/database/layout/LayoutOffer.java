package siemload.database.layout;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import siemload.config.Choices;
import siemload.config.YamlNode;
import siemload.database.Abilities;
import siemload.database.Hint;
import siemload.database.IndexSet;
import siemload.database.LayoutFolder;
import siemload.database.Partitions;
import siemload.query.Paging;

/**
 * What a layout says of itself whatever its database is. Immutable.
 *
 * @param loading what siemload stores
 * @param indexSets which it has, the default first
 * @param hints which it can follow, the default first
 * @param pagings which ways of paging it serves, the default first
 */
public record LayoutOffer(
        String description, Loading loading, List<IndexSet> indexSets, List<Hint> hints, List<Paging> pagings) {
    private static final Choices<Loading> LOADINGS = Choices.of(Loading.class, Loading::label);
    private static final Choices<IndexSet> INDEXES = Choices.of(IndexSet.class, IndexSet::label);

    public LayoutOffer {
        indexSets = List.copyOf(indexSets);
        hints = List.copyOf(hints);
        pagings = List.copyOf(pagings);
    }

    /**
     * Reads the keys {@code description}, {@code target}, {@code loading}, {@code indexes}, {@code hints} and {@code paging}.
     *
     * @param top of {@code layout.yaml}
     * @param target the database that the files are for
     * @param known the hints that it can be given
     * @param served the ways of paging that it can serve, which a layout has unless it says otherwise
     */
    public static LayoutOffer read(YamlNode top, String target, List<Hint> known, List<Paging> served) {
        String description = top.required("description").text();
        top.required("target").choice(Choices.names(List.of(target)));
        Loading loading =
                top.optional("loading").map(node -> node.choice(LOADINGS)).orElse(Loading.EVENTS);
        return new LayoutOffer(
                description,
                loading,
                indexes(top, loading),
                top.optional("hints")
                        .map(list -> withNone(offered(list, choices(known, Hint::label)), list))
                        .orElse(List.of(Hint.NONE)),
                top.optional("paging")
                        .map(list -> offered(list, choices(served, Paging::label)))
                        .orElse(served));
    }

    /** Some of what there is, by names. */
    public static <T> Choices<T> choices(List<T> known, Function<T, String> label) {
        Map<String, T> choices = new LinkedHashMap<>();
        known.forEach(one -> choices.put(label.apply(one), one));
        return new Choices<>(choices);
    }

    /**
     * What a target offers with a layout of one's own that says this.
     *
     * @param partitions what it is cut into
     * @param usual what the target offers with its own ones
     */
    public Abilities abilities(LayoutFolder folder, Partitions partitions, Abilities usual) {
        return new Abilities(
                List.of(folder.label()),
                List.of(partitions),
                indexSets,
                hints,
                pagings,
                usual.provisions(),
                usual.bytesPerEvent(),
                usual.bytesPerAccount());
    }

    private static List<IndexSet> indexes(YamlNode top, Loading loading) {
        return switch (loading) {
            case EVENTS -> offered(top.required("indexes"), INDEXES);
            case NONE ->
                top.optional("indexes")
                        .map(list -> offered(asTheyAre(list, loading), INDEXES))
                        .orElse(List.of(IndexSet.NATIVE));
        };
    }

    /** What users have made of their tables is not for siemload to say: notes a key that does. */
    public static YamlNode asTheyAre(YamlNode node, Loading loading) {
        if (loading == Loading.NONE) {
            node.problem("means nothing to a layout without loading, whose tables are as they are (leave it out)");
        }
        return node;
    }

    /** Each of these once; notes what stands there twice. */
    public static <T> List<T> distinct(YamlNode list, Choices<T> choices) {
        List<T> values = new ArrayList<>();
        for (YamlNode element : list.elements()) {
            T value = element.choice(choices);
            if (values.contains(value) && choices.find(element.written()).isPresent()) {
                element.problem("'" + element.written() + "' stands here twice (leave one out)");
            }
            values.add(value);
        }
        return values;
    }

    private static <T> List<T> offered(YamlNode list, Choices<T> choices) {
        List<T> offered = distinct(list, choices);
        if (offered.isEmpty() && list.isList()) {
            list.problem("is empty (needed: at least one; the first is the default)");
        }
        return offered;
    }

    private static List<Hint> withNone(List<Hint> hints, YamlNode list) {
        if (!hints.isEmpty() && hints.get(0) != Hint.NONE) {
            list.problem("begins with '" + hints.get(0).label()
                    + "' (needed: none first, since a run that asks for no hint has none)");
        }
        return hints;
    }
}
