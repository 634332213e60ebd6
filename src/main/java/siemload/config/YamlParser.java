package siemload.config;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLParser;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.yaml.snakeyaml.error.MarkedYAMLException;

/** Builds a {@link YamlTree} from the tokens of Jackson's YAML parser, which know their places. */
final class YamlParser {
    private final YamlSource source;
    private final YAMLParser tokens;

    private YamlParser(YamlSource source, YAMLParser tokens) {
        this.source = source;
        this.tokens = tokens;
    }

    /** The mapping at the top of the text, or nothing if there is none, which is then noted. */
    static Optional<YamlTree.Mapping> parse(YamlSource source, String text) {
        try (YAMLParser tokens = new YAMLFactory().createParser(text)) {
            return new YamlParser(source, tokens).top();
        } catch (JsonProcessingException e) {
            noteSyntax(source, e);
            return Optional.empty();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot parse text in memory", e);
        }
    }

    private Optional<YamlTree.Mapping> top() throws IOException {
        JsonToken first = tokens.nextToken();
        YamlTree top = first == null ? new YamlTree.Empty(source.place(1, 1), YamlTree.Empty.Quotes.NONE) : tree(first);
        if (top instanceof YamlTree.Empty || isEmptyMapping(top)) {
            source.problems().add(source.place(1, 1), "the file is empty (needed: a mapping, key: value)");
            return Optional.empty();
        }
        if (!(top instanceof YamlTree.Mapping mapping)) {
            source.note(top.place(), "", "found " + top.description() + " (needed at the top: a mapping, key: value)");
            return Optional.empty();
        }
        if (tokens.nextToken() != null) {
            source.note(place(), "", "a second document begins here (allowed: one a file)");
        }
        return Optional.of(mapping);
    }

    private static boolean isEmptyMapping(YamlTree tree) {
        return tree instanceof YamlTree.Mapping mapping && mapping.entries().isEmpty();
    }

    private YamlTree tree(JsonToken token) throws IOException {
        Origin.InFile place = place();
        if (tokens.isCurrentAlias()) {
            source.note(place, "", "aliases (*name) are not supported (write the value out)");
            return new YamlTree.Missing(place);
        }
        return switch (token) {
            case START_OBJECT -> mapping(place);
            case START_ARRAY -> new YamlTree.Sequence(place, elements());
            case VALUE_NULL -> new YamlTree.Empty(place, YamlTree.Empty.Quotes.NONE);
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> scalar(place, tokens.getText(), YamlTree.Kind.NUMBER);
            case VALUE_TRUE, VALUE_FALSE -> scalar(place, tokens.getText(), YamlTree.Kind.TRUTH);
            default -> scalar(place, tokens.getText(), YamlTree.Kind.TEXT);
        };
    }

    private static YamlTree scalar(Origin.InFile place, String text, YamlTree.Kind kind) {
        return text.isEmpty()
                ? new YamlTree.Empty(place, YamlTree.Empty.Quotes.EMPTY)
                : new YamlTree.Scalar(place, text, kind);
    }

    private YamlTree mapping(Origin.InFile place) throws IOException {
        Map<String, YamlTree.Entry> entries = new LinkedHashMap<>();
        while (tokens.nextToken() == JsonToken.FIELD_NAME) {
            String key = tokens.currentName();
            Origin.InFile keyPlace = place();
            YamlTree.Entry entry = new YamlTree.Entry(keyPlace, tree(tokens.nextToken()));
            YamlTree.Entry earlier = entries.putIfAbsent(key, entry);
            if (earlier != null) {
                int line = earlier.keyPlace().line();
                source.noteKey(keyPlace, key, key, "this key occurs twice (first in line " + line + ")");
            }
        }
        return new YamlTree.Mapping(place, entries);
    }

    private List<YamlTree> elements() throws IOException {
        List<YamlTree> elements = new ArrayList<>();
        for (JsonToken token = tokens.nextToken(); token != JsonToken.END_ARRAY; token = tokens.nextToken()) {
            elements.add(tree(token));
        }
        return elements;
    }

    private Origin.InFile place() {
        JsonLocation location = tokens.currentTokenLocation();
        return source.place(location.getLineNr(), location.getColumnNr());
    }

    private static void noteSyntax(YamlSource source, JsonProcessingException e) {
        if (e.getCause() instanceof MarkedYAMLException marked && marked.getProblemMark() != null) {
            int line = marked.getProblemMark().getLine() + 1;
            int column = marked.getProblemMark().getColumn() + 1;
            source.note(source.place(line, column), "", "this is not YAML: " + explain(marked.getProblem()));
        } else {
            JsonLocation location = e.getLocation();
            int line = location == null ? 1 : location.getLineNr();
            int column = location == null ? 1 : location.getColumnNr();
            String firstLine = e.getOriginalMessage().lines().findFirst().orElse("");
            source.note(source.place(line, column), "", "this is not YAML: " + firstLine);
        }
    }

    private static String explain(String problem) {
        return problem.contains("\\t(TAB)") ? "a tab character (indent with spaces)" : problem;
    }
}
