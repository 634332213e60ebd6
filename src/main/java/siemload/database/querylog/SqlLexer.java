package siemload.database.querylog;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import siemload.database.querylog.SqlToken.Kind;
import siemload.query.StatementText;

/**
 * Cuts SQL into its tokens by the rules of PostgreSQL (documentation, 4.1), with {@code standard_conforming_strings} on. Used for one
 * text.
 */
final class SqlLexer {
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
    private final List<SqlToken> tokens = new ArrayList<>();
    private int at;
    private boolean apart;

    private SqlLexer(String sql) {
        this.sql = sql;
    }

    /** The tokens; empty where something in quotes or a comment does not end. */
    static Optional<List<SqlToken>> tokens(String sql) {
        SqlLexer lexer = new SqlLexer(sql);
        while (lexer.at < sql.length()) {
            if (!lexer.step()) {
                return Optional.empty();
            }
        }
        return Optional.of(List.copyOf(lexer.tokens));
    }

    /** False where what begins here does not end. */
    private boolean step() {
        char here = sql.charAt(at);
        if (Character.isWhitespace(here)) {
            at++;
            apart = true;
            return true;
        }
        if (sql.startsWith("--", at)) {
            int end = sql.indexOf('\n', at);
            at = end < 0 ? sql.length() : end + 1;
            apart = true;
            return true;
        }
        if (sql.startsWith("/*", at)) {
            return comment();
        }
        if (here == '\'') {
            return token(Kind.STRING, endOfString(at));
        }
        if (here == '"') {
            return token(Kind.QUOTED_NAME, endOfQuoted(at));
        }
        return here == '$' ? dollar() : plain(here);
    }

    private boolean plain(char here) {
        Optional<Integer> number = matched(NUMBER);
        if (number.isPresent()) {
            return token(Kind.NUMBER, number.get());
        }
        Optional<Integer> word = matched(WORD);
        if (word.isPresent()) {
            return word(word.get());
        }
        return token(Kind.SYMBOL, OPERATORS.indexOf(here) >= 0 ? endOfOperator() : endOfOther());
    }

    /** A word, or what it makes of the string behind it. */
    private boolean word(int end) {
        String word = sql.substring(at, end);
        boolean quote = end < sql.length() && sql.charAt(end) == '\'';
        if (quote && word.equalsIgnoreCase("e")) {
            return token(Kind.STRING, endOfEscaped(end));
        }
        if (quote && (word.equalsIgnoreCase("b") || word.equalsIgnoreCase("x") || word.equalsIgnoreCase("n"))) {
            return token(Kind.STRING, endOfString(end));
        }
        if (word.equalsIgnoreCase("u") && sql.startsWith("&'", end)) {
            return token(Kind.STRING, endOfString(end + 1));
        }
        if (word.equalsIgnoreCase("u") && sql.startsWith("&\"", end)) {
            return token(Kind.QUOTED_NAME, endOfQuoted(end + 1));
        }
        return token(Kind.WORD, end);
    }

    private boolean dollar() {
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
        return token(Kind.STRING, end < 0 ? -1 : end + tag.length());
    }

    private boolean comment() {
        int end = StatementText.endOfComment(sql, at);
        if (end < 0) {
            return false;
        }
        if (sql.startsWith("/*+", at)) {
            return token(Kind.HINT, end);
        }
        at = end;
        apart = true;
        return true;
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

    /** @param quote where the quote stands that begins it; negative is returned where it does not end */
    private int endOfString(int quote) {
        return endOf('\'', quote);
    }

    private int endOfQuoted(int quote) {
        return endOf('"', quote);
    }

    private int endOf(char quote, int begin) {
        for (int i = begin + 1; i < sql.length(); i++) {
            if (sql.charAt(i) == quote) {
                if (i + 1 == sql.length() || sql.charAt(i + 1) != quote) {
                    return i + 1;
                }
                i++;
            }
        }
        return -1;
    }

    private int endOfEscaped(int quote) {
        for (int i = quote + 1; i < sql.length(); i++) {
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
        return -1;
    }

    private Optional<Integer> matched(Pattern pattern) {
        Matcher matcher = pattern.matcher(sql).region(at, sql.length());
        return matcher.lookingAt() ? Optional.of(matcher.end()) : Optional.empty();
    }

    private boolean token(Kind kind, int end) {
        if (end < 0) {
            return false;
        }
        tokens.add(new SqlToken(kind, sql.substring(at, end), apart));
        apart = false;
        at = end;
        return true;
    }
}
