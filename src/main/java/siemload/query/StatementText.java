package siemload.query;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import siemload.query.SqlLexer.Kind;
import siemload.query.SqlLexer.Token;

/**
 * The text of one statement, cut where its parameters stand. In SQL what looks like a parameter within quotes, comments and dollar
 * quotes is none, nor is the type of a cast. Immutable.
 *
 * @param pieces in the order of the text, without the semicolon at its end
 */
public record StatementText(List<Piece> pieces) {
    private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

    public StatementText {
        pieces = List.copyOf(pieces);
    }

    /** A part of the text. */
    public sealed interface Piece {

        /** What the database reads as it is. */
        record Code(String text) implements Piece {}

        /** A string, a name in quotes or a comment, with what begins and ends it. */
        record Quoted(String text) implements Piece {}

        /**
         * {@code :name}: a value stands here.
         *
         * @param offset of the colon, from the start of the text
         */
        record Parameter(String name, int offset) implements Piece {}
    }

    /**
     * Why a text is not one statement.
     *
     * @param offset where that shows, from the start of the text
     */
    public record Flaw(int offset, String message) {}

    /** What came of a text: the statement, or what is wrong with it. */
    public record Scanned(StatementText statement, Optional<Flaw> flaw) {}

    /** Cuts a text of SQL into its pieces. */
    public static Scanned scan(String text) {
        List<Piece> pieces = new ArrayList<>();
        StringBuilder code = new StringBuilder();
        SqlLexer lexer = new SqlLexer(text);
        Optional<Flaw> flaw = Optional.empty();
        boolean isEmpty = true;
        int semicolon = -1;
        while (lexer.hasNext() && flaw.isEmpty()) {
            int offset = lexer.offset();
            Optional<Token> token = lexer.next();
            if (token.isEmpty()) {
                flaw = Optional.of(new Flaw(lexer.offset(), lexer.unended() + " begins here and does not end"));
                continue;
            }
            Kind kind = token.get().kind();
            boolean isComment = kind == Kind.COMMENT || kind == Kind.HINT;
            boolean isSilent = isComment || kind == Kind.BLANK;
            Matcher name = NAME.matcher(text).region(lexer.offset(), text.length());
            if (semicolon >= 0) {
                flaw = isSilent
                        ? Optional.empty()
                        : Optional.of(
                                new Flaw(semicolon, "another statement follows (write one statement for each name)"));
            } else if (token.get().isSymbol(";")) {
                semicolon = offset;
            } else if (isComment || kind == Kind.STRING || kind == Kind.QUOTED_NAME) {
                flush(code, pieces);
                pieces.add(new Piece.Quoted(token.get().text()));
                isEmpty &= isComment;
            } else if (token.get().isSymbol(":") && name.lookingAt()) {
                flush(code, pieces);
                pieces.add(new Piece.Parameter(name.group(), offset));
                lexer.skipTo(name.end());
                isEmpty = false;
            } else {
                code.append(token.get().text());
                isEmpty &= isSilent;
            }
        }
        flush(code, pieces);
        Optional<Flaw> nothing =
                isEmpty ? Optional.of(new Flaw(0, "holds no statement (write some SQL)")) : Optional.empty();
        return new Scanned(new StatementText(pieces), flaw.or(() -> nothing));
    }

    private static void flush(StringBuilder code, List<Piece> pieces) {
        if (!code.isEmpty()) {
            pieces.add(new Piece.Code(code.toString()));
            code.setLength(0);
        }
    }

    /** The names of the parameters, each once, in the order of the text. */
    public List<String> parameters() {
        return places().stream().distinct().toList();
    }

    /** The name of the parameter at each place that has one. */
    public List<String> places() {
        return pieces.stream()
                .filter(Piece.Parameter.class::isInstance)
                .map(piece -> ((Piece.Parameter) piece).name())
                .toList();
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
        for (Piece piece : pieces) {
            if (piece instanceof Piece.Code plain) {
                text.append(code.apply(plain.text()));
            } else if (piece instanceof Piece.Quoted quoted) {
                text.append(quoted.text());
            } else if (piece instanceof Piece.Parameter place) {
                text.append(parameter.apply(place.name()));
            }
        }
        return text.toString();
    }
}
