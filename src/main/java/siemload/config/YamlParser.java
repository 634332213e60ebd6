package siemload.config;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLParser;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import siemload.config.YamlNode.Kind;

/** Makes a {@link YamlNode} of the tokens of Jackson's YAML parser, which know their places. */
final class YamlParser {
    private final YamlSource source;
    private final YAMLParser tokens;
    /** Of all values, where these do not stand in a file. */
    private final Optional<Origin> origin;

    private YamlParser(YamlSource source, YAMLParser tokens, Optional<Origin> origin) {
        this.source = source;
        this.tokens = tokens;
        this.origin = origin;
    }

    /** The mapping at the top of the text, or nothing if there is none, which is then noted. */
    static Optional<YamlNode> parse(YamlSource source, String text) {
        return parse(source, text, Optional.empty());
    }

    /** A value that stands in no file; empty if it is no YAML. */
    static Optional<YamlNode> value(YamlSource source, String yaml, Origin origin) {
        return parse(source, "value: " + yaml, Optional.of(origin)).flatMap(top -> top.peek("value"));
    }

    private static Optional<YamlNode> parse(YamlSource source, String text, Optional<Origin> origin) {
        try (YAMLParser tokens = new YAMLFactory().createParser(text)) {
            return new YamlParser(source, tokens, origin).top();
        } catch (JsonProcessingException e) {
            if (origin.isEmpty()) {
                noteSyntax(source, e);
            }
            return Optional.empty();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot parse text in memory", e);
        }
    }

    private Optional<YamlNode> top() throws IOException {
        JsonToken first = tokens.nextToken();
        Optional<YamlNode> top = first == null ? Optional.empty() : Optional.of(node(first));
        if (top.isEmpty() || top.get().isEmpty()) {
            source.problems().add(source.place(1, 1), "the file is empty (needed: a mapping, key: value)");
            return Optional.empty();
        }
        YamlNode found = top.get();
        if (!found.isMapping()) {
            found.problem("found " + found.description() + " (needed at the top: a mapping, key: value)");
            return Optional.empty();
        }
        if (tokens.nextToken() != null) {
            source.note(place(), "", "a second document begins here (allowed: one a file)");
        }
        return top;
    }

    private YamlNode node(JsonToken token) throws IOException {
        Origin place = place();
        if (tokens.isCurrentAlias()) {
            source.note(place, "", "aliases (*name) are not supported (write the value out)");
            return new YamlNode(source, Kind.MISSING, place, "");
        }
        return switch (token) {
            case START_OBJECT -> mapping(new YamlNode(source, Kind.MAPPING, place, ""));
            case START_ARRAY -> list(new YamlNode(source, Kind.LIST, place, ""));
            case VALUE_NULL -> new YamlNode(source, Kind.EMPTY, place, "");
            default -> {
                String text = tokens.getText();
                yield new YamlNode(source, text.isEmpty() ? Kind.EMPTY : Kind.VALUE, place, text);
            }
        };
    }

    private YamlNode mapping(YamlNode mapping) throws IOException {
        while (tokens.nextToken() == JsonToken.FIELD_NAME) {
            String key = tokens.currentName();
            Origin place = place();
            mapping.add(key, place, node(tokens.nextToken())).ifPresent(earlier -> {
                String where = earlier instanceof Origin.InFile first ? " (first in line " + first.line() + ")" : "";
                source.noteKey(place, key, key, "this key occurs twice" + where);
            });
        }
        return mapping;
    }

    private YamlNode list(YamlNode list) throws IOException {
        for (JsonToken token = tokens.nextToken(); token != JsonToken.END_ARRAY; token = tokens.nextToken()) {
            list.add(node(token));
        }
        return list;
    }

    private Origin place() {
        JsonLocation location = tokens.currentTokenLocation();
        return origin.orElseGet(() -> source.place(location.getLineNr(), location.getColumnNr()));
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
