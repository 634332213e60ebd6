package siemload.config;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLParser;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import siemload.config.YamlNode.Kind;

/**
 * Reads YAML files (UTF-8, up to 1 MB, one document, a mapping at the top): makes {@link YamlNode}s of the tokens of Jackson's parser,
 * which know their places, and notes what is wrong at a place with its line and a caret. Used by one thread.
 */
public final class YamlDocument {
    /** A hundred times the longest of them; its time to read is below a second whatever it holds. */
    static final int MOST_BYTES = 1_000_000;

    private static final int SHOWN_CHARACTERS = 110;
    private static final int MOST_MESSAGE_CHARACTERS = 2_000;

    private final String file;
    private final List<String> lines;
    private final Problems problems;

    private YamlDocument(String file, String text, Problems problems) {
        this.file = file;
        this.lines = text.lines().toList();
        this.problems = problems;
    }

    /**
     * Reads a file and turns it into what it means.
     *
     * @param reader asks the top of the file for what it needs; keys that it does not ask for are problems
     * @return what the reader made
     * @throws ConfigException with everything that is wrong
     */
    public static <T> T read(Path file, Function<YamlNode, T> reader) {
        return read(file, file.toString(), new Problems(), reader);
    }

    /**
     * The same for problems that are collected together with others; they are thrown here as well.
     *
     * @param shownAs what the file is called in messages
     */
    public static <T> T read(Path file, String shownAs, Problems problems, Function<YamlNode, T> reader) {
        String text;
        try {
            text = RegularFile.text(file, shownAs, MOST_BYTES);
        } catch (ConfigException unreadable) {
            unreadable.problems().forEach(problems::add);
            throw (ConfigException) problems.exception().initCause(unreadable);
        }
        return parse(shownAs, text, problems, reader);
    }

    /** Reads text that is not in a file of its own. */
    public static <T> T parse(String shownAs, String text, Problems problems, Function<YamlNode, T> reader) {
        YamlNode top = new YamlDocument(shownAs, text, problems).top(text).orElseThrow(problems::exception);
        try {
            T result = reader.apply(top);
            top.noteUnknownKeys();
            problems.throwIfAny();
            return result;
        } catch (IllegalArgumentException e) {
            // Stand-ins for bad values need not fit together; only without them is this a bug.
            if (problems.isEmpty()) {
                throw e;
            }
            top.noteUnknownKeys();
            throw (ConfigException) problems.exception().initCause(e);
        }
    }

    /** The mapping at the top; empty if there is none, which is noted. */
    private Optional<YamlNode> top(String text) {
        try (YAMLParser tokens = new YAMLFactory().createParser(text)) {
            return top(tokens, at -> place(at.getLineNr(), at.getColumnNr()));
        } catch (JsonProcessingException e) {
            noteSyntax(e);
            return Optional.empty();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot parse text in memory", e);
        }
    }

    /** A value that stands in no file; empty if it is no YAML. */
    Optional<YamlNode> value(String yaml, Origin origin) {
        try (YAMLParser tokens = new YAMLFactory().createParser("value: " + yaml)) {
            return top(tokens, at -> origin).flatMap(top -> top.peek("value"));
        } catch (IOException noYaml) {
            return Optional.empty();
        }
    }

    private Optional<YamlNode> top(YAMLParser tokens, Function<JsonLocation, Origin> places) throws IOException {
        YamlNode top =
                tokens.nextToken() == null ? new YamlNode(this, Kind.EMPTY, place(1, 1), "") : node(tokens, places);
        if (top.isEmpty()) {
            problems.add(place(1, 1), "the file is empty (needed: a mapping, key: value)");
            return Optional.empty();
        }
        if (!top.isMapping()) {
            top.problem("found " + top.description() + " (needed at the top: a mapping, key: value)");
            return Optional.empty();
        }
        if (tokens.nextToken() != null) {
            Origin second = places.apply(tokens.currentTokenLocation());
            note(second, "", "a second document begins here (allowed: one a file)");
        }
        return Optional.of(top);
    }

    /** What begins with the current token, up to its end. */
    private YamlNode node(YAMLParser tokens, Function<JsonLocation, Origin> places) throws IOException {
        Origin place = places.apply(tokens.currentTokenLocation());
        if (tokens.isCurrentAlias()) {
            note(place, "", "aliases (*name) are not supported (write the value out)");
            return new YamlNode(this, Kind.MISSING, place, "");
        }
        if (tokens.currentToken() == JsonToken.START_ARRAY) {
            YamlNode list = new YamlNode(this, Kind.LIST, place, "");
            while (tokens.nextToken() != JsonToken.END_ARRAY) {
                list.add(node(tokens, places));
            }
            return list;
        }
        if (tokens.currentToken() != JsonToken.START_OBJECT) {
            String text = tokens.currentToken() == JsonToken.VALUE_NULL ? "" : tokens.getText();
            return new YamlNode(this, text.isEmpty() ? Kind.EMPTY : Kind.VALUE, place, text);
        }
        YamlNode mapping = new YamlNode(this, Kind.MAPPING, place, "");
        while (tokens.nextToken() == JsonToken.FIELD_NAME) {
            String key = tokens.currentName();
            Origin at = places.apply(tokens.currentTokenLocation());
            tokens.nextToken();
            mapping.put(key, node(tokens, places), at).ifPresent(earlier -> {
                String where = earlier instanceof Origin.InFile first ? " (first in line " + first.line() + ")" : "";
                noteKey(at, key, key, "this key occurs twice" + where);
            });
        }
        return mapping;
    }

    private void noteSyntax(JsonProcessingException e) {
        Optional<MarkedYAMLException> marked = Optional.ofNullable(e.getCause())
                .filter(MarkedYAMLException.class::isInstance)
                .map(MarkedYAMLException.class::cast);
        Optional<Mark> mark = marked.map(MarkedYAMLException::getProblemMark);
        JsonLocation at = e.getLocation();
        String problem = marked.map(MarkedYAMLException::getProblem)
                .orElseGet(() -> e.getOriginalMessage().lines().findFirst().orElse(""));
        note(
                mark.map(known -> place(known.getLine() + 1, known.getColumn() + 1))
                        .orElseGet(() -> at == null ? place(1, 1) : place(at.getLineNr(), at.getColumnNr())),
                "",
                "this is not YAML: "
                        + (problem.contains("\\t(TAB)") ? "a tab character (indent with spaces)" : problem));
    }

    private Origin.InFile place(int line, int column) {
        return new Origin.InFile(file, line, column);
    }

    /** The place of a character of a single value: in its line, if the value stands there as it is. */
    Origin inside(Origin origin, String text, int offset) {
        if (!(origin instanceof Origin.InFile place)) {
            return origin;
        }
        String line = line(place);
        int start = place.column() - 1;
        boolean isQuoted = start < line.length() && "'\"".indexOf(line.charAt(start)) >= 0;
        int first = isQuoted ? start + 1 : start;
        return line.startsWith(text, first) ? place(place.line(), first + offset + 1) : place;
    }

    private String line(Origin.InFile place) {
        return place.line() >= 1 && place.line() <= lines.size() ? lines.get(place.line() - 1) : "";
    }

    void note(Origin place, String path, String message) {
        note(place, path, message, Integer.MAX_VALUE);
    }

    /** Shows the line up to the key only: what stands under an unknown key could be a password. */
    void noteKey(Origin place, String path, String key, String message) {
        note(place, path, message, place instanceof Origin.InFile at ? at.column() - 1 + key.length() : 0);
    }

    private void note(Origin place, String path, String message, int end) {
        String brief = message.length() <= MOST_MESSAGE_CHARACTERS
                ? message
                : message.substring(0, MOST_MESSAGE_CHARACTERS) + "...";
        problems.add(new Problem(place, path, brief, ""), () -> excerpt(place, end));
    }

    /** Nothing where there is nothing to see, or maybe a password. */
    private String excerpt(Origin origin, int end) {
        if (!(origin instanceof Origin.InFile place)) {
            return "";
        }
        String line = line(place).replace('\t', ' ');
        int caret = place.column() - 1;
        if (line.isBlank() || line.toLowerCase(Locale.ROOT).contains("password") || caret > line.length()) {
            return "";
        }
        int start = Math.max(0, Math.min(caret - SHOWN_CHARACTERS / 2, line.length() - SHOWN_CHARACTERS));
        String shown = line.substring(start, Math.min(Math.min(line.length(), end), start + SHOWN_CHARACTERS));
        String number = Integer.toString(place.line());
        return "  " + number + " | " + shown + "\n  " + " ".repeat(number.length()) + " | " + " ".repeat(caret - start)
                + "^";
    }
}
