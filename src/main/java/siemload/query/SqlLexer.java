package siemload.query;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Cuts SQL into its tokens by the rules of the standard (ISO 9075-2, 5.3 and 5.4) with dollar quotes and escape strings, with {@code
 * standard_conforming_strings} on. Used for one text.
 */
public final class SqlLexer {
    /** A quote that stands twice is a part of what is quoted; of E'...', a backslash takes away the meaning of one. */
    private static final Pattern TOKEN =
            Pattern.compile("(?<BLANK>[\\s\\p{javaWhitespace}]++)|(?<COMMENT>--[^\\n]*+\\n?+)"
                    + "|(?<STRING>[eE]'(?:[^'\\\\]|\\\\[\\s\\S]|'')*+'|(?:[bBxXnN]|[uU]&)?+'(?:[^']|'')*+'"
                    + "|\\$(?<tag>(?:[\\p{L}_][\\p{L}\\p{N}_]*+)?+)\\$[\\s\\S]*?\\$\\k<tag>\\$)"
                    + "|(?<QUOTEDNAME>(?:[uU]&)?+\"(?:[^\"]|\"\")*+\")|(?<PARAMETER>\\$[0-9]{1,9})"
                    + "|(?<unended>[eEbBxXnN]?+'|[uU]&['\"]|\"|\\$(?:[\\p{L}_][\\p{L}\\p{N}_]*+)?+\\$)"
                    + "|(?<NUMBER>0[xX][0-9a-fA-F_]++|0[oO][0-7_]++|0[bB][01_]++"
                    + "|(?:[0-9][0-9_]*+(?:\\.(?![.])[0-9_]*+)?+|\\.[0-9][0-9_]*+)(?:[eE][+-]?[0-9]++)?+)"
                    + "|(?<WORD>[\\p{L}_\\x{80}-\\x{10ffff}][\\p{L}\\p{N}_$\\x{80}-\\x{10ffff}]*+)"
                    + "|(?<SYMBOL>::|(?:(?!--|/\\*)[-+*/<>=~!@#%^&|`?])++|[\\s\\S])");

    /** An operator that has none of these does not end with a sign: {@code =-1} is two of them. */
    private static final Pattern WITH_SIGN = Pattern.compile("[-+*/<>=]++(?<=.[-+])");

    private final String sql;
    private int at;
    private String unended = "";

    SqlLexer(String sql) {
        this.sql = sql;
    }

    /**
     * A piece of SQL. Immutable.
     *
     * @param text as it is written
     * @param apart whether blanks or a comment stand before it; false where these are tokens themselves
     */
    public record Token(Kind kind, String text, boolean apart) {

        /** Whether it is this keyword, in lower case. */
        public boolean isWord(String keyword) {
            return kind == Kind.WORD && text.equalsIgnoreCase(keyword);
        }

        /** Whether it is this operator or character. */
        public boolean isSymbol(String symbol) {
            return kind == Kind.SYMBOL && text.equals(symbol);
        }

        /** A word without quotes in lower case, as the server takes it; anything else as it is written. */
        public String folded() {
            return kind == Kind.WORD ? text.toLowerCase(Locale.ROOT) : text;
        }
    }

    /** What a token is. */
    public enum Kind {
        /** A keyword or a name without quotes. */
        WORD,
        /** A name in quotes. */
        QUOTED_NAME,
        /** A string of any notation, with what begins and ends it. */
        STRING,
        /** A number without a sign. */
        NUMBER,
        /** {@code $1}. */
        PARAMETER,
        /** A comment that tells the planner something. */
        HINT,
        /** An operator, or a single character. */
        SYMBOL,
        BLANK,
        COMMENT;

        private String group() {
            return name().replace("_", "");
        }
    }

    /** The tokens without blanks and comments; empty where something in quotes or a comment does not end. */
    public static Optional<List<Token>> tokens(String sql) {
        SqlLexer lexer = new SqlLexer(sql);
        List<Token> tokens = new ArrayList<>();
        boolean apart = false;
        while (lexer.hasNext()) {
            Optional<Token> token = lexer.next();
            if (token.isEmpty()) {
                return Optional.empty();
            }
            boolean isSilent = token.get().kind() == Kind.BLANK || token.get().kind() == Kind.COMMENT;
            if (!isSilent) {
                tokens.add(new Token(token.get().kind(), token.get().text(), apart));
            }
            apart = isSilent;
        }
        return Optional.of(List.copyOf(tokens));
    }

    boolean hasNext() {
        return at < sql.length();
    }

    /** Where the next token begins; behind a failure, where that begins which does not end. */
    int offset() {
        return at;
    }

    void skipTo(int offset) {
        at = offset;
    }

    /** What it is that begins at {@link #offset} and does not end. */
    String unended() {
        return unended;
    }

    /** Everything of the text comes in some token. Empty where what begins here does not end. */
    Optional<Token> next() {
        if (sql.startsWith("/*", at)) {
            return comment(sql.startsWith("/*+", at) ? Kind.HINT : Kind.COMMENT);
        }
        Matcher token = TOKEN.matcher(sql).region(at, sql.length());
        if (!token.lookingAt()) {
            throw new IllegalStateException("no token at " + at);
        }
        if (token.start("unended") >= 0) {
            String begin = token.group();
            char quote = begin.charAt(begin.length() - 1);
            at = quote == '$' ? at : token.end() - 1;
            unended = quote == '$' ? "a string in " + begin : quote == '"' ? "a name in quotes" : "a string";
            return Optional.empty();
        }
        for (Kind kind : Kind.values()) {
            if (kind != Kind.HINT && token.start(kind.group()) >= 0) {
                return token(kind, kind == Kind.SYMBOL ? endOfSymbol(token.end()) : token.end());
            }
        }
        throw new IllegalStateException("no kind of token at " + at);
    }

    private int endOfSymbol(int longest) {
        int end = longest;
        while (WITH_SIGN.matcher(sql).region(at, end).matches()) {
            end--;
        }
        return end;
    }

    private Optional<Token> token(Kind kind, int end) {
        Token token = new Token(kind, sql.substring(at, end), false);
        at = end;
        return Optional.of(token);
    }

    /** Comments may stand in comments. */
    private Optional<Token> comment(Kind kind) {
        int depth = 0;
        for (int i = at; i < sql.length() - 1; i++) {
            int change = sql.startsWith("/*", i) ? 1 : sql.startsWith("*/", i) ? -1 : 0;
            depth += change;
            if (change != 0) {
                i++;
            }
            if (depth == 0) {
                return token(kind, i + 1);
            }
        }
        unended = "a comment";
        return Optional.empty();
    }
}
