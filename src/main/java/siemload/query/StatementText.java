package siemload.query;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.ObjIntConsumer;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import siemload.query.SqlLexer.Kind;
import siemload.query.SqlLexer.Token;

/**
 * The text of one statement, cut where its parameters stand. In SQL what looks like a parameter within quotes, comments and dollar
 * quotes is none, nor is the type of a cast. Immutable.
 *
 * @param tokens in the order of the text, blanks and comments among them, without the semicolon at its end
 */
public record StatementText(List<Token> tokens) {
    private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");
    private static final Set<Kind> NO_CODE = Set.of(Kind.BLANK, Kind.COMMENT, Kind.HINT);
    private static final Set<Kind> QUOTED = Set.of(Kind.STRING, Kind.QUOTED_NAME, Kind.COMMENT, Kind.HINT);

    public StatementText {
        tokens = List.copyOf(tokens);
    }

    /**
     * Why a text is not one statement.
     *
     * @param offset where that shows, from the start of the text
     */
    public record Flaw(int offset, String message) {}

    /** What came of a text: the statement, or what is wrong with it. */
    public record Scanned(StatementText statement, Optional<Flaw> flaw) {}

    /** Finds the parameters in a text of SQL. */
    public static Scanned scan(String text) {
        SqlLexer.Scanned scanned = SqlLexer.scan(text);
        List<Token> tokens = new ArrayList<>();
        int semicolon = -1;
        int offset = 0;
        for (Token token : scanned.tokens()) {
            Token last = tokens.isEmpty() ? token : tokens.get(tokens.size() - 1);
            if (semicolon >= 0 && !NO_CODE.contains(token.kind())) {
                return flawed(tokens, semicolon, "another statement follows (write one statement for each name)");
            } else if (token.isSymbol(";")) {
                semicolon = offset;
            } else if (semicolon < 0
                    && last.isSymbol(":")
                    && NAME.matcher(token.text()).matches()) {
                tokens.set(tokens.size() - 1, new Token(Kind.NAMED, ":" + token.text(), last.apart()));
            } else if (semicolon < 0 && last.isSymbol(":") && token.kind() == Kind.WORD) {
                String why = "':" + token.text() + "' is not a name of a parameter (allowed: letters, digits and _)";
                return flawed(tokens, offset - 1, why);
            } else if (semicolon < 0) {
                tokens.add(token);
            }
            offset += token.text().length();
        }
        if (!scanned.unended().isEmpty()) {
            return flawed(tokens, scanned.end(), scanned.unended() + " begins here and does not end");
        }
        return tokens.stream().allMatch(token -> NO_CODE.contains(token.kind()))
                ? flawed(tokens, 0, "holds no statement (write some SQL)")
                : new Scanned(new StatementText(tokens), Optional.empty());
    }

    private static Scanned flawed(List<Token> tokens, int offset, String message) {
        return new Scanned(new StatementText(tokens), Optional.of(new Flaw(offset, message)));
    }

    /** The names of the parameters, each once, in the order of the text. */
    public List<String> parameters() {
        return places().stream().distinct().toList();
    }

    /** The name of the parameter at each place that has one. */
    public List<String> places() {
        List<String> names = new ArrayList<>();
        places((name, offset) -> names.add(name));
        return names;
    }

    /** Tells the name of the parameter at each place that has one, and the offset of its colon from the start of the text. */
    public void places(ObjIntConsumer<String> place) {
        int offset = 0;
        for (Token token : tokens) {
            if (token.kind() == Kind.NAMED) {
                place.accept(token.text().substring(1), offset);
            }
            offset += token.text().length();
        }
    }

    /** The text in the notation of scenarios. */
    public String written() {
        return written(code -> code, name -> ":" + name);
    }

    /**
     * The text for a database.
     *
     * @param code changes what is neither quoted nor a parameter
     * @param parameter what stands in the place of a parameter, by its name
     */
    public String written(UnaryOperator<String> code, UnaryOperator<String> parameter) {
        StringBuilder text = new StringBuilder();
        for (Token token : tokens) {
            text.append(
                    token.kind() == Kind.NAMED
                            ? parameter.apply(token.text().substring(1))
                            : QUOTED.contains(token.kind()) ? token.text() : code.apply(token.text()));
        }
        return text.toString();
    }
}
