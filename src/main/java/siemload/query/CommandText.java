package siemload.query;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import siemload.event.JsonFault;

/**
 * Cuts a command, which is a document of JSON, where its parameters stand. A string that is {@code ":name"} as a whole is a parameter;
 * within a longer one there is none, and one with more colons before the name is that text with a colon less. Names of fields are
 * never parameters. Stateless.
 */
public final class CommandText {
    private static final String NAME = "[A-Za-z_][A-Za-z0-9_]*";
    private static final Pattern PARAMETER = Pattern.compile(":" + NAME);
    private static final Pattern ESCAPED = Pattern.compile("::+" + NAME);
    /** No database takes deeper documents. */
    private static final int DEEPEST = 100;

    private static final JsonFactory JSON = JsonFactory.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .streamReadConstraints(
                    StreamReadConstraints.builder().maxNestingDepth(DEEPEST).build())
            .build();

    private final String text;
    private final List<StatementText.Piece> pieces = new ArrayList<>();
    private int written;

    private CommandText(String text) {
        this.text = text;
    }

    /** Cuts a text into its pieces: what is written with these is the same text. */
    static StatementText.Scanned scan(String text) {
        CommandText command = new CommandText(text);
        Optional<StatementText.Flaw> flaw = command.scan();
        return new StatementText.Scanned(new StatementText(StatementText.Language.COMMAND, command.pieces), flaw);
    }

    /** The parameter that a string of a command is; empty where it is a text. */
    public static Optional<String> parameter(String string) {
        return PARAMETER.matcher(string).matches() ? Optional.of(string.substring(1)) : Optional.empty();
    }

    /** The text that a string of a command means, which is no parameter. */
    public static String meant(String string) {
        return ESCAPED.matcher(string).matches() ? string.substring(1) : string;
    }

    /** The string by which a command says a text. */
    public static String said(String text) {
        return PARAMETER.matcher(text).matches() || ESCAPED.matcher(text).matches() ? ":" + text : text;
    }

    private Optional<StatementText.Flaw> scan() {
        Optional<StatementText.Flaw> flaw;
        try (JsonParser tokens = JSON.createParser(text)) {
            flaw = scan(tokens);
        } catch (JsonProcessingException broken) {
            flaw = Optional.of(
                    new StatementText.Flaw(offset(broken.getLocation()), "is no JSON: " + JsonFault.words(broken)));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read a text in memory", e);
        }
        if (written < text.length()) {
            pieces.add(new StatementText.Piece.Code(text.substring(written)));
        }
        return flaw;
    }

    private Optional<StatementText.Flaw> scan(JsonParser tokens) throws IOException {
        JsonToken token = tokens.nextToken();
        if (token != JsonToken.START_OBJECT) {
            return Optional.of(new StatementText.Flaw(0, "holds no command (write one as {find: ..., filter: {...}})"));
        }
        int depth = 0;
        boolean hasFields = false;
        for (; token != null; token = tokens.nextToken()) {
            depth += token.isStructStart() ? 1 : token.isStructEnd() ? -1 : 0;
            hasFields |= token == JsonToken.FIELD_NAME;
            Optional<StatementText.Flaw> flaw = string(tokens, token);
            if (flaw.isPresent()) {
                return flaw;
            }
            if (depth == 0) {
                break;
            }
        }
        if (tokens.nextToken() != null) {
            return Optional.of(new StatementText.Flaw(
                    offset(tokens.currentTokenLocation()),
                    "another command follows (write one command for each name)"));
        }
        return hasFields
                ? Optional.empty()
                : Optional.of(new StatementText.Flaw(0, "holds no command (write one as {find: ..., filter: {...}})"));
    }

    private Optional<StatementText.Flaw> string(JsonParser tokens, JsonToken token) throws IOException {
        boolean isName = token == JsonToken.FIELD_NAME;
        if (!isName && token != JsonToken.VALUE_STRING) {
            return Optional.empty();
        }
        Optional<String> parameter = parameter(tokens.getText());
        if (parameter.isEmpty()) {
            return Optional.empty();
        }
        int at = offset(tokens.currentTokenLocation()) + 1;
        if (isName) {
            return Optional.of(new StatementText.Flaw(at, "the name of a field cannot be a parameter"));
        }
        if (!text.startsWith(tokens.getText() + '"', at)) {
            return Optional.of(new StatementText.Flaw(at, "a parameter is written without escapes"));
        }
        pieces.add(new StatementText.Piece.Code(text.substring(written, at)));
        pieces.add(new StatementText.Piece.Parameter(parameter.get(), at));
        written = at + tokens.getText().length();
        return Optional.empty();
    }

    private int offset(JsonLocation location) {
        return location == null ? 0 : (int) Math.max(0, Math.min(location.getCharOffset(), text.length()));
    }
}
