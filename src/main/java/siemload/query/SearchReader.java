package siemload.query;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import siemload.config.Choices;
import siemload.config.Problems;
import siemload.config.ValueType;
import siemload.config.YamlDocument;
import siemload.config.YamlNode;

/** Reads the files of searches, each of which has the name of its search. Stateless and thread-safe. */
public final class SearchReader {
    /** As many as Hawat draws at most. */
    private static final String TIMELINE_STEPS = "200";

    private static final String TOP_LIST_SIZE = "20";
    private static final ValueType<Integer> LINES = ValueType.wholeNumber(1, 1000);
    private static final Choices<Field> FIELDS = Choices.of(Field.class, Field::label);
    private static final Choices<Order> ORDERS = Choices.camelCase(Order.class);
    private static final Choices<Order> SORTED = sorted();
    private static final ValueType<SearchName> NAME =
            ValueType.of("name of a search", SearchName.DETAIL, SearchName::new);
    private static final double USUAL_SHARE = 0.001;

    private SearchReader() {}

    private static Choices<Order> sorted() {
        Map<String, Order> sorted = new LinkedHashMap<>(ORDERS.byName());
        sorted.values().remove(Order.UNSORTED);
        return new Choices<>(sorted);
    }

    /**
     * Reads a search of one's own.
     *
     * @throws siemload.config.ConfigException with everything that is wrong with the file
     */
    public static SearchDefinition read(Path file, String shownAs, SearchName name) {
        return YamlDocument.read(file, shownAs, new Problems(), top -> definition(top, name));
    }

    /** A search that siemload brings. */
    static SearchDefinition builtIn(SearchName name) {
        String file = "searches/" + name + ".yaml";
        try (InputStream text = Objects.requireNonNull(SearchReader.class.getResourceAsStream(file), file)) {
            String yaml = new String(text.readAllBytes(), StandardCharsets.UTF_8);
            return YamlDocument.parse(file, yaml, new Problems(), top -> definition(top, name));
        } catch (IOException unreadable) {
            throw new UncheckedIOException("cannot read " + file, unreadable);
        }
    }

    private static SearchDefinition definition(YamlNode top, SearchName name) {
        String description = top.required("description").text();
        List<CriterionTemplate> criteria = new ArrayList<>();
        top.optional("criteria")
                .ifPresent(list -> list.elements()
                        .forEach(element -> CriterionReader.read(element).ifPresent(criteria::add)));
        Optional<Summary> summary = top.optional("summary").map(SearchReader::summary);
        Optional<YamlNode> order = top.optional("order");
        Optional<YamlNode> wholeOrder = top.optional("wholeOrder");
        Optional<YamlNode> refinements = top.optional("refinements");
        if (summary.isPresent()) {
            for (Optional<YamlNode> key : List.of(order, wholeOrder, refinements)) {
                key.ifPresent(node -> node.problem("is for searches that list events (leave it, or summary, out)"));
            }
        }
        return new SearchDefinition(
                name,
                description,
                criteria,
                summary,
                new OwnOrder(order.map(node -> node.choice(SORTED)), wholeOrder.map(node -> node.choice(ORDERS))),
                top.optional("window").map(SearchReader::always),
                refinements
                        .map(SearchReader::names)
                        .orElse(summary.isPresent() ? List.of() : List.of(SearchName.DETAIL)),
                top.optional("share").map(YamlNode::ratio).orElse(summary.isPresent() ? 0 : USUAL_SHARE));
    }

    private static Summary summary(YamlNode node) {
        Optional<YamlNode> timeline = node.optional("timeline");
        Optional<YamlNode> topList = node.optional("topList");
        Optional<YamlNode> steps = node.optional("steps");
        Optional<YamlNode> size = node.optional("size");
        if (timeline.isPresent() == topList.isPresent() && node.isMapping()) {
            node.problem("has " + (timeline.isPresent() ? "both" : "neither")
                    + " timeline and topList (needed: one of them, with what events are grouped by)");
        }
        if (timeline.isPresent()) {
            size.ifPresent(written -> written.problem("is for topList (leave it out, or give steps)"));
            return new Summary.Timeline(timeline.get().choice(FIELDS), lines(steps, TIMELINE_STEPS));
        }
        steps.ifPresent(written -> written.problem("is for timeline (leave it out, or give size)"));
        return new Summary.TopList(
                topList.map(field -> field.choice(FIELDS)).orElse(Field.CATEGORY), lines(size, TOP_LIST_SIZE));
    }

    private static int lines(Optional<YamlNode> written, String standard) {
        return written.map(lines -> lines.as(LINES)).orElseGet(() -> LINES.parse(standard));
    }

    private static Window always(YamlNode node) {
        node.choice(Choices.names(List.of("always")));
        return Window.ALWAYS;
    }

    private static List<SearchName> names(YamlNode node) {
        return node.elements().stream().map(element -> element.as(NAME)).toList();
    }
}
