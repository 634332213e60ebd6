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
    private static final Pattern BLANK = Pattern.compile("\\s++");
    private static final Pattern LINE_COMMENT = Pattern.compile("--[^\\n]*+\\n?+");
    private static final Pattern WORD =
            Pattern.compile("[\\p{L}_\\x{80}-\\x{10ffff}][\\p{L}\\p{N}_$\\x{80}-\\x{10ffff}]*+");
    private static final Pattern NUMBER = Pattern.compile(
            "0[xX][0-9a-fA-F_]++|0[oO][0-7_]++|0[bB][01_]++|(?:[0-9][0-9_]*+(?:\\.(?![.])[0-9_]*+)?+|\\.[0-9][0-9_]*+)(?:[eE][+-]?[0-9]++)?+");
    private static final Pattern PARAMETER = Pattern.compile("\\$[0-9]{1,9}");
    private static final Pattern DOLLARS = Pattern.compile("\\$(?:[\\p{L}_][\\p{L}\\p{N}_]*+)?+\\$");
    private static final String OPERATORS = "+-*/<>=~!@#%^&|`?";
    /** An operator that has none of these does not end with a sign: {@code =-1} is two of them. */
    private static final Pattern MAY_END_WITH_SIGN = Pattern.compile("[~!@#%^&|`?]");

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
        COMMENT
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
        char here = sql.charAt(at);
        if (Character.isWhitespace(here)) {
            return token(Kind.BLANK, matched(BLANK).orElse(at + 1));
        } else if (sql.startsWith("--", at)) {
            return token(Kind.COMMENT, matched(LINE_COMMENT).orElseThrow());
        } else if (sql.startsWith("/*", at)) {
            return token(sql.startsWith("/*+", at) ? Kind.HINT : Kind.COMMENT, endOfComment());
        } else if (here == '\'') {
            return token(Kind.STRING, endOfString(at));
        } else if (here == '"') {
            return token(Kind.QUOTED_NAME, endOf('"', at, "a name in quotes"));
        } else if (here == '$') {
            return dollar();
        }
        Optional<Integer> number = matched(NUMBER);
        if (number.isPresent()) {
            return token(Kind.NUMBER, number.get());
        }
        Optional<Integer> word = matched(WORD);
        return word.isPresent()
                ? word(word.get())
                : token(Kind.SYMBOL, OPERATORS.indexOf(here) >= 0 ? endOfOperator() : endOfOther());
    }

    /** A word, or what it makes of the string behind it. */
    private Optional<Token> word(int end) {
        String word = sql.substring(at, end).toLowerCase(Locale.ROOT);
        boolean quote = end < sql.length() && sql.charAt(end) == '\'';
        if (quote && word.equals("e")) {
            return token(Kind.STRING, endOfEscaped(end));
        } else if (quote && (word.equals("b") || word.equals("x") || word.equals("n"))) {
            return token(Kind.STRING, endOfString(end));
        } else if (word.equals("u") && sql.startsWith("&'", end)) {
            return token(Kind.STRING, endOfString(end + 1));
        } else if (word.equals("u") && sql.startsWith("&\"", end)) {
            return token(Kind.QUOTED_NAME, endOf('"', end + 1, "a name in quotes"));
        }
        return token(Kind.WORD, end);
    }

    private Optional<Token> dollar() {
        Optional<Integer> parameter = matched(PARAMETER);
        if (parameter.isPresent()) {
            return token(Kind.PARAMETER, parameter.get());
        }
        Optional<Integer> begin = matched(DOLLARS);
        if (begin.isEmpty()) {
            return token(Kind.SYMBOL, at + 1);
        }
        String tag = sql.substring(at, begin.get());
        int end = sql.indexOf(tag, begin.get());
        return token(Kind.STRING, end < 0 ? unended(at, "a string in " + tag) : end + tag.length());
    }

    private Optional<Token> token(Kind kind, int end) {
        if (end < 0) {
            return Optional.empty();
        }
        Token token = new Token(kind, sql.substring(at, end), false);
        at = end;
        return Optional.of(token);
    }

    private int unended(int begin, String what) {
        at = begin;
        unended = what;
        return -1;
    }

    /** Comments may stand in comments. */
    private int endOfComment() {
        int depth = 0;
        for (int i = at; i < sql.length(); i++) {
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
        return unended(at, "a comment");
    }

    private int endOfOperator() {
        int end = at;
        while (end < sql.length()
                && OPERATORS.indexOf(sql.charAt(end)) >= 0
                && !sql.startsWith("--", end)
                && !sql.startsWith("/*", end)) {
            end++;
        }
        while (end > at + 1
                && "+-".indexOf(sql.charAt(end - 1)) >= 0
                && !MAY_END_WITH_SIGN.matcher(sql.substring(at, end)).find()) {
            end--;
        }
        return end;
    }

    private int endOfOther() {
        return sql.startsWith("::", at) ? at + 2 : at + Character.charCount(sql.codePointAt(at));
    }

    private int endOfString(int begin) {
        return endOf('\'', begin, "a string");
    }

    /** A quote that stands twice is a part of what is quoted. */
    private int endOf(char quote, int begin, String what) {
        for (int i = begin + 1; i < sql.length(); i++) {
            if (sql.charAt(i) == quote) {
                if (i + 1 == sql.length() || sql.charAt(i + 1) != quote) {
                    return i + 1;
                }
                i++;
            }
        }
        return unended(begin, what);
    }

    /** Of E'...', in which a backslash takes away the meaning of a quote. */
    private int endOfEscaped(int begin) {
        for (int i = begin + 1; i < sql.length(); i++) {
            char here = sql.charAt(i);
            if (here == '\\') {
                i++;
            } else if (here == '\'') {
                if (!sql.startsWith("''", i)) {
                    return i + 1;
                }
                i++;
            }
        }
        return unended(begin, "a string");
    }

    private Optional<Integer> matched(Pattern pattern) {
        Matcher matcher = pattern.matcher(sql).region(at, sql.length());
        return matcher.lookingAt() ? Optional.of(matcher.end()) : Optional.empty();
    }
}
