package siemload.database.mongodb.layout;

import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import siemload.config.Choices;
import siemload.config.Problems;
import siemload.config.YamlDocument;
import siemload.config.YamlNode;
import siemload.database.Hint;
import siemload.database.layout.LayoutOffer;
import siemload.database.layout.Loading;
import siemload.query.Paging;

/**
 * What {@code layout.yaml} of a layout of documents says. Immutable.
 *
 * @param base the folders of siemload whose files stand in where its own has none, the first one first
 * @param collection the one that is searched, where siemload loads none; else empty
 */
record DocumentAbout(LayoutOffer offer, List<String> base, String collection) {
    /** The names of siemload's own layouts, the default first. */
    static final List<String> LABELS = List.of("idea");
    /** Pipelines over documents of any kind: a base of layouts without loading, and no layout by itself. */
    static final String ROWS = "rows";

    private static final List<Paging> PAGINGS = List.of(Paging.OFFSET, Paging.KEYSET, Paging.CURSOR);
    private static final String TARGET = "mongodb";
    private static final List<Hint> HINTS = List.of(Hint.NONE, Hint.FULL_SCAN, Hint.INDEX, Hint.TIME_INDEX);
    /** Those that name no index. */
    private static final List<Hint> OF_ANY_COLLECTION = List.of(Hint.NONE, Hint.FULL_SCAN);

    private static final Choices<String> BASES =
            Choices.names(Stream.concat(LABELS.stream(), Stream.of(ROWS)).toList());
    /** What the server takes: neither a dollar nor NUL, and none of its own. */
    private static final Pattern COLLECTION = Pattern.compile("(?!system[.])[^$\\x00.][^$\\x00]{0,199}");

    DocumentAbout {
        base = List.copyOf(base);
    }

    /**
     * Reads the text of one.
     *
     * @throws siemload.config.ConfigException with everything that is wrong
     */
    static DocumentAbout read(String shownAs, String yaml, Problems problems) {
        return YamlDocument.parse(shownAs, yaml, problems, DocumentAbout::of);
    }

    private static DocumentAbout of(YamlNode top) {
        LayoutOffer offer = LayoutOffer.read(top, TARGET, HINTS, PAGINGS);
        Optional<YamlNode> base = top.optional("base");
        List<String> folders =
                base.map(list -> LayoutOffer.distinct(list, BASES)).orElse(List.of());
        return switch (offer.loading()) {
            case EVENTS -> {
                base.filter(list -> folders.contains(ROWS))
                        .ifPresent(list -> list.problem("'" + ROWS + "' is for layouts with loading: none (allowed: "
                                + String.join(", ", LABELS) + ")"));
                top.optional("collection")
                        .ifPresent(node -> node.problem("means nothing to a layout with loading: siemload names the"
                                + " collections that it makes (leave it out)"));
                yield new DocumentAbout(offer, folders, "");
            }
            case NONE -> {
                top.optional("hints")
                        .filter(list -> !OF_ANY_COLLECTION.containsAll(offer.hints()))
                        .ifPresent(
                                list -> list.problem("names indexes of siemload's, which this collection does not have"
                                        + " (allowed without loading: none, full-scan)"));
                yield new DocumentAbout(
                        offer, base.isPresent() ? folders : List.of(ROWS), collection(top.required("collection")));
            }
        };
    }

    private static String collection(YamlNode node) {
        String name = node.text();
        if (!COLLECTION.matcher(name).matches()) {
            node.problem(
                    "'" + name + "' is no name of a collection (needed: one that is searched, without $, and none of"
                            + " the server's own)");
        }
        return name;
    }

    /** Whether it says how to search documents that are there already, and nothing else. */
    boolean isForSearchesAlone() {
        return offer.loading() == Loading.NONE;
    }
}
