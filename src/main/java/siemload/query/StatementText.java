package siemload.query;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import siemload.config.ValueType;
import siemload.config.YamlRecords.Misfit;
import siemload.query.SqlLexer.Kind;
import siemload.query.SqlLexer.Token;

/**
 * The text of one statement, split at its parameters. Text in quotes, dollar quotes and comments has no parameters, and the type of a cast
 * is not a parameter. Immutable.
 *
 * @param tokens in order, including blanks and comments, without the final semicolons
 */
public record StatementText(List<Token> tokens) {
    private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");
    private static final Set<Kind> NO_CODE = Set.of(Kind.BLANK, Kind.COMMENT, Kind.HINT);
    private static final Set<Kind> QUOTED = Set.of(Kind.STRING, Kind.QUOTED_NAME, Kind.COMMENT, Kind.HINT);

    /** Any text of one statement. */
    public static final ValueType<StatementText> TYPE =
            new ValueType<>("text", parse("SELECT 1"), StatementText::parse);

    public StatementText {
        tokens = List.copyOf(tokens);
    }

    /** Finds the parameters. @throws Misfit at the first wrong character if the text is not one statement, with the reason */
    public static StatementText parse(String text) {
        List<Token> tokens = new ArrayList<>();
        int semicolon = -1;
        int offset = 0;
        for (Token token : SqlLexer.scan(text)) {
            Token last = tokens.isEmpty() ? token : tokens.get(tokens.size() - 1);
            if (token.isSymbol(";")) {
                semicolon = semicolon < 0 ? offset : semicolon;
            } else if (semicolon >= 0 && !NO_CODE.contains(token.kind())) {
                throw new Misfit("", semicolon, "another statement follows (write one statement for each name)");
            } else if (token.kind() == Kind.PARAMETER) {
                throw new Misfit("", offset, token.text() + " is not a parameter here (write :name)");
            } else if (semicolon < 0
                    && last.isSymbol(":")
                    && NAME.matcher(token.text()).matches()) {
                tokens.set(tokens.size() - 1, new Token(Kind.NAMED, ":" + token.text(), last.apart()));
            } else if (semicolon < 0 && last.isSymbol(":") && token.kind() == Kind.WORD) {
                throw new Misfit(
                        "",
                        offset - 1,
                        "':" + token.text() + "' is not a name of a parameter (allowed: letters, digits and _)");
            } else if (semicolon < 0) {
                tokens.add(token);
            }
            offset += token.text().length();
        }
        if (tokens.stream().allMatch(token -> NO_CODE.contains(token.kind()))) {
            throw new Misfit("", 0, "holds no statement (write some SQL)");
        }
        return new StatementText(tokens);
    }

    /** The names of the parameters, each once, in order of appearance. */
    public List<String> parameters() {
        return places().stream().distinct().toList();
    }

    /** The names of the parameters at all places where they occur, in order. */
    public List<String> places() {
        return tokens.stream()
                .filter(token -> token.kind() == Kind.NAMED)
                .map(token -> token.text().substring(1))
                .toList();
    }

    /** The offset of a parameter's first colon from the start of the text. */
    public int offset(String parameter) {
        return tokens.stream()
                .takeWhile(token -> token.kind() != Kind.NAMED || !token.text().equals(":" + parameter))
                .mapToInt(token -> token.text().length())
                .sum();
    }

    /** The text in the notation of scenarios. */
    public String written() {
        return written(code -> code, name -> ":" + name);
    }

    /** The text for a database, with changes to code, which is neither quoted nor a parameter, and to parameters by their names. */
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
