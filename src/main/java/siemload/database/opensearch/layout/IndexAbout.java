package siemload.database.opensearch.layout;

import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import siemload.config.Choices;
import siemload.config.YamlNode;
import siemload.database.Hint;
import siemload.database.layout.LayoutOffer;
import siemload.query.Paging;

/**
 * What {@code layout.yaml} of a layout of an index says. Immutable.
 *
 * @param base the folders of siemload whose files stand in where its own has none, the first one first
 * @param index what is searched, where siemload loads nothing: the name of an index, an alias or a data stream, or a pattern; else
 *     empty
 */
record IndexAbout(LayoutOffer offer, List<String> base, String index) {
    /** The names of siemload's own layouts, the default first. */
    static final List<String> LABELS = List.of("idea");
    /** Files for indexes of any kind: a base of layouts without loading, and no layout by itself. */
    static final String ROWS = "rows";

    private static final String TARGET = "opensearch";
    private static final List<Paging> PAGINGS = List.of(Paging.OFFSET, Paging.KEYSET, Paging.CURSOR);
    /** What the server takes, several with commas between; each as it is written, none that leaves others out. */
    private static final Pattern INDEX = Pattern.compile("(?:^|,)(?![-_])[a-z0-9*._-]{1,255}(?=,|$)");

    private static final Pattern COMMA = Pattern.compile(",");
    /** Such names as siemload makes. */
    private static final List<String> OWN = List.of("siemload_registry", "siemload_data_0_0", "siemload_run_0_0");

    IndexAbout {
        base = List.copyOf(base);
    }

    /** Reads one, and notes what is wrong with it. */
    static IndexAbout read(YamlNode top) {
        LayoutOffer offer = LayoutOffer.read(top, TARGET, List.of(Hint.NONE), PAGINGS);
        Optional<YamlNode> base = top.optional("base");
        return switch (offer.loading()) {
            case EVENTS -> {
                top.optional("index")
                        .ifPresent(node -> node.problem("means nothing to a layout with loading: siemload names the"
                                + " indexes that it makes (leave it out)"));
                yield new IndexAbout(offer, folders(base, LABELS).orElse(List.of()), "");
            }
            case NONE ->
                new IndexAbout(
                        offer,
                        folders(
                                        base,
                                        Stream.concat(LABELS.stream(), Stream.of(ROWS))
                                                .toList())
                                .orElse(List.of(ROWS)),
                        index(top.required("index")));
        };
    }

    private static Optional<List<String>> folders(Optional<YamlNode> base, List<String> known) {
        return base.map(list -> LayoutOffer.distinct(list, Choices.names(known)));
    }

    private static String index(YamlNode node) {
        String name = node.text();
        if (!INDEX.matcher(name).replaceAll("").isEmpty()) {
            node.problem("'" + name
                    + "' is no name of an index (needed: an index, an alias, a data stream or a pattern such as"
                    + " logs-*, in lower case; several with commas between)");
        } else if (COMMA.splitAsStream(name).anyMatch(IndexAbout::isOwn)) {
            node.problem("'" + name + "' is, or may be, an index of siemload's own (needed: those of others alone)");
        }
        return name;
    }

    private static boolean isOwn(String part) {
        Pattern named = Pattern.compile("\\Q" + part.replace("*", "\\E.*\\Q") + "\\E");
        return part.startsWith("siemload_")
                || OWN.stream().anyMatch(own -> named.matcher(own).matches());
    }
}
