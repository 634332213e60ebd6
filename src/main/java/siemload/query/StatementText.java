package siemload.query;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The text of one statement, cut where its parameters stand. In SQL what looks like a parameter within quotes, comments and dollar
 * quotes is none, nor is the type of a cast. Immutable.
 *
 * @param pieces in the order of the text, without the semicolon at its end
 */
public record StatementText(List<Piece> pieces) {

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
        return new Scanner(text).scan();
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

    /**
     * Where a comment in SQL ends; comments may stand in comments.
     *
     * @param begin where its first sign stands
     * @return behind its last sign; negative where it does not end
     */
    public static int endOfComment(String sql, int begin) {
        int depth = 0;
        for (int i = begin; i < sql.length(); i++) {
            if (sql.startsWith("/*", i)) {
                depth++;
                i++;
            } else if (sql.startsWith("*/", i)) {
                depth--;
                i++;
                if (depth == 0) {
                    return i + 1;
                }
            }
        }
        return -1;
    }

    /**
     * Goes through a text once. The rules are those of standard SQL (ISO 9075-2, 5.3 and 5.4), with what dialects add to it: E'...',
     * dollar quotes, casts by two colons.
     */
    private static final class Scanner {
        private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");
        private static final Pattern DOLLARS = Pattern.compile("\\$(?:[\\p{L}_][\\p{L}\\p{N}_]*)?\\$");

        private final String text;
        private final List<Piece> pieces = new ArrayList<>();
        private final StringBuilder code = new StringBuilder();
        private int at;

        Scanner(String text) {
            this.text = text;
        }

        Scanned scan() {
            Optional<Flaw> flaw = Optional.empty();
            while (at < text.length() && flaw.isEmpty()) {
                flaw = step();
            }
            flushCode();
            return new Scanned(new StatementText(pieces), flaw.or(this::nothing));
        }

        private Optional<Flaw> nothing() {
            boolean empty = pieces.stream()
                    .allMatch(piece ->
                            (piece instanceof Piece.Code plain && plain.text().isBlank())
                                    || (piece instanceof Piece.Quoted quoted && isComment(quoted.text())));
            return empty ? Optional.of(new Flaw(0, "holds no statement (write some SQL)")) : Optional.empty();
        }

        private static boolean isComment(String quoted) {
            return quoted.startsWith("--") || quoted.startsWith("/*");
        }

        private Optional<Flaw> step() {
            char here = text.charAt(at);
            if (text.startsWith("--", at)) {
                int end = text.indexOf('\n', at);
                return quoted(end < 0 ? text.length() : end + 1);
            } else if (text.startsWith("/*", at)) {
                return ended(endOfComment(text, at), "a comment");
            } else if (here == '\'') {
                return ended(endOfString(), "a string");
            } else if (here == '"') {
                return ended(endOf('"'), "a name in quotes");
            } else if (here == '$' && !isInName(at - 1)) {
                return dollars();
            } else if (here == ':') {
                return colon();
            } else if (here == ';') {
                return semicolon();
            }
            code.append(here);
            at++;
            return Optional.empty();
        }

        private Optional<Flaw> quoted(int end) {
            flushCode();
            pieces.add(new Piece.Quoted(text.substring(at, end)));
            at = end;
            return Optional.empty();
        }

        /** @param end behind the piece; negative where it has none */
        private Optional<Flaw> ended(int end, String what) {
            return end < 0 ? Optional.of(new Flaw(at, what + " begins here and does not end")) : quoted(end);
        }

        /** A quote that stands twice is a part of what is quoted: as if the next piece began with the second. */
        private int endOf(char quote) {
            int end = text.indexOf(quote, at + 1);
            return end < 0 ? -1 : end + 1;
        }

        private int endOfString() {
            return hasEscapes() ? endOfEscaped() : endOf('\'');
        }

        /** E'...', in which a backslash takes away the meaning of a quote. */
        private boolean hasEscapes() {
            return at > 0 && (text.charAt(at - 1) == 'E' || text.charAt(at - 1) == 'e') && !isInName(at - 2);
        }

        private int endOfEscaped() {
            for (int i = at + 1; i < text.length(); i++) {
                if (text.charAt(i) == '\\') {
                    i++;
                } else if (text.charAt(i) == '\'') {
                    if (!text.startsWith("''", i)) {
                        return i + 1;
                    }
                    i++;
                }
            }
            return -1;
        }

        private Optional<Flaw> dollars() {
            Matcher tag = DOLLARS.matcher(text).region(at, text.length());
            if (!tag.lookingAt()) {
                code.append('$');
                at++;
                return Optional.empty();
            }
            int end = text.indexOf(tag.group(), tag.end());
            return ended(end < 0 ? -1 : end + tag.group().length(), "a string in " + tag.group());
        }

        private Optional<Flaw> colon() {
            if (text.startsWith("::", at)) {
                code.append("::");
                at += 2;
                return Optional.empty();
            }
            Matcher name = NAME.matcher(text).region(at + 1, text.length());
            if (name.lookingAt()) {
                flushCode();
                pieces.add(new Piece.Parameter(name.group(), at));
                at = name.end();
            } else {
                code.append(':');
                at++;
            }
            return Optional.empty();
        }

        /** At the end it may stand, with comments behind it. */
        private Optional<Flaw> semicolon() {
            int semicolon = at;
            at++;
            flushCode();
            int before = pieces.size();
            while (at < text.length()) {
                boolean comment = text.startsWith("--", at) || text.startsWith("/*", at);
                if (!comment && !Character.isWhitespace(text.charAt(at))) {
                    return Optional.of(
                            new Flaw(semicolon, "another statement follows (write one statement for each name)"));
                }
                Optional<Flaw> flaw = step();
                if (flaw.isPresent()) {
                    return flaw;
                }
            }
            code.setLength(0);
            pieces.subList(before, pieces.size()).clear();
            return Optional.empty();
        }

        private boolean isInName(int index) {
            return index >= 0
                    && (Character.isLetterOrDigit(text.charAt(index)) || "_$".indexOf(text.charAt(index)) >= 0);
        }

        private void flushCode() {
            if (!code.isEmpty()) {
                pieces.add(new Piece.Code(code.toString()));
                code.setLength(0);
            }
        }
    }
}
