package siemload.query;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import siemload.config.YamlRecords.Misfit;

/**
 * Splits SQL into its tokens by the rules of the standard (ISO 9075-2, 5.3 and 5.4), with dollar quotes and escape strings, as the
 * server's {@code scan.l} does with {@code standard_conforming_strings} on. Stateless.
 */
public final class SqlLexer {
    /** The text between two parts of a string: blanks and comments with at least one line end. */
    private static final String GAP = "(?:[ \\t\\f\\x0B]|--[^\\n\\r]*+)*+[\\n\\r](?:\\s|--[^\\n\\r]*+[\\n\\r])*+";

    private static final String TAG = "(?:[a-zA-Z_\\x{80}-\\x{10ffff}][a-zA-Z0-9_\\x{80}-\\x{10ffff}]*+)?+";

    /** A doubled quote is part of the quoted text; in E'...' a backslash also escapes a quote. */
    private static final Pattern TOKEN = Pattern.compile("(?<BLANK>\\s++)|(?<COMMENT>--[^\\n\\r]*+)"
            + "|(?<STRING>[eE]" + string("(?:[^'\\\\]|\\\\[\\s\\S]|'')*+")
            + "|(?:[bBxXnN]|[uU]&)?+" + string("(?:[^']|'')*+")
            + "|\\$(?<tag>" + TAG + ")\\$[\\s\\S]*?\\$\\k<tag>\\$)"
            + "|(?<QUOTEDNAME>(?:[uU]&)?+\"(?:[^\"]|\"\")*+\")|(?<PARAMETER>\\$[0-9]++)"
            + "|(?<unended>[eEbBxXnN]?+'|[uU]&['\"]|\"|\\$" + TAG + "\\$)"
            + "|(?<NUMBER>0[xX][0-9a-fA-F_]++|0[oO][0-7_]++|0[bB][01_]++"
            + "|(?:[0-9][0-9_]*+(?:\\.(?![.])[0-9_]*+)?+|\\.[0-9][0-9_]*+)(?:[eE][+-]?[0-9]++)?+)"
            + "|(?<WORD>[a-zA-Z_\\x{80}-\\x{10ffff}][a-zA-Z0-9_$\\x{80}-\\x{10ffff}]*+)"
            + "|(?<SYMBOL>::|:=|(?:(?!--|/\\*)[-+*/<>=~!@#%^&|`?])++|[\\s\\S])");

    /** A doubled quote within a string, or, as a group, the quotes and the gap between two parts of the string. */
    private static final Pattern QUOTE = Pattern.compile("''|('" + GAP + "')");

    private static final Pattern QUOTE_OR_ESCAPE = Pattern.compile("\\\\[\\s\\S]|" + QUOTE);

    private static final Pattern COMMENT_MARK = Pattern.compile("/\\*|\\*/");

    /** An operator of only these characters does not end with a sign: {@code =-} is two operators. */
    private static final Pattern WITH_SIGN = Pattern.compile("[-+*/<>=]++(?<=.[-+])");

    private SqlLexer() {}

    /** A string of one part, or of several parts on separate lines; all parts have the escapes of the first one. */
    private static String string(String quoted) {
        return "'" + quoted + "'(?:" + GAP + "'" + quoted + "')*+";
    }

    /** A piece of SQL as it is written; {@code apart} if blanks or a comment precede it. Immutable. */
    public record Token(Kind kind, String text, boolean apart) {

        boolean isSilent() {
            return kind == Kind.BLANK || kind == Kind.COMMENT;
        }

        /** Returns whether the token is this keyword, given in lower case. */
        public boolean isWord(String keyword) {
            return kind == Kind.WORD && text.equalsIgnoreCase(keyword);
        }

        /** Returns whether the token is this operator or character. */
        public boolean isSymbol(String symbol) {
            return kind == Kind.SYMBOL && text.equals(symbol);
        }

        /** The text of the token: an unquoted word in lower case, anything else as it is written. */
        public String folded() {
            return kind == Kind.WORD ? text.toLowerCase(Locale.ROOT) : text;
        }
    }

    /** The kind of a token. */
    public enum Kind {
        /** A keyword or an unquoted name. */
        WORD,
        /** A name in quotes. */
        QUOTED_NAME,
        /** A string of any notation, with its delimiters. */
        STRING,
        /** A number without a sign. */
        NUMBER,
        /** {@code $1}. */
        PARAMETER,
        /** {@code :name}, only in a {@link StatementText}. */
        NAMED,
        /** A comment with a hint for the planner. */
        HINT,
        /** An operator, or a single character. */
        SYMBOL,
        BLANK,
        COMMENT;

        private String group() {
            return name().replace("_", "");
        }
    }

    /** The tokens without blanks and comments, each string in one part; empty if a quote or comment does not end. */
    public static Optional<List<Token>> tokens(String sql) {
        try {
            return Optional.of(scan(sql).stream()
                    .filter(token -> !token.isSilent())
                    .map(SqlLexer::joined)
                    .toList());
        } catch (Misfit unended) {
            return Optional.empty();
        }
    }

    private static Token joined(Token token) {
        int content = token.text().indexOf('\'') + 1;
        if (token.kind() != Kind.STRING || content == 0 || token.text().startsWith("$")) {
            return token;
        }
        Pattern quote = Character.toUpperCase(token.text().charAt(0)) == 'E' ? QUOTE_OR_ESCAPE : QUOTE;
        String rest = quote.matcher(token.text().substring(content))
                .replaceAll(found -> found.group(1) == null ? Matcher.quoteReplacement(found.group()) : "");
        return new Token(token.kind(), token.text().substring(0, content) + rest, token.apart());
    }

    /** All tokens, including blanks and comments. @throws Misfit at the start of a quote or comment that does not end */
    static List<Token> scan(String sql) {
        List<Token> tokens = new ArrayList<>();
        Matcher matcher = TOKEN.matcher(sql);
        boolean apart = false;
        int at = 0;
        while (at < sql.length()) {
            boolean isComment = sql.startsWith("/*", at);
            if (!isComment && !matcher.region(at, sql.length()).lookingAt()) {
                throw new IllegalStateException("no token at " + at);
            }
            if (isComment ? endOfComment(sql, at) < 0 : matcher.start("unended") >= 0) {
                String begin = isComment ? "/*" : matcher.group();
                throw new Misfit("", at, "the quote or comment that begins here with " + begin + " does not end");
            }
            Kind kind = sql.startsWith("/*+", at) ? Kind.HINT : isComment ? Kind.COMMENT : kind(matcher);
            int end = isComment ? endOfComment(sql, at) : matcher.end();
            while (kind == Kind.SYMBOL && WITH_SIGN.matcher(sql).region(at, end).matches()) {
                end--;
            }
            Token token = new Token(kind, sql.substring(at, end), apart);
            tokens.add(token);
            apart = token.isSilent();
            at = end;
        }
        return tokens;
    }

    private static Kind kind(Matcher token) {
        for (Kind kind : Kind.values()) {
            if (kind != Kind.HINT && kind != Kind.NAMED && token.start(kind.group()) >= 0) {
                return kind;
            }
        }
        throw new IllegalStateException("no kind of token: " + token.group());
    }

    /** Returns the offset after a comment, which may contain nested comments; negative if the comment does not end. */
    private static int endOfComment(String sql, int begin) {
        Matcher mark = COMMENT_MARK.matcher(sql).region(begin, sql.length());
        int depth = 0;
        while (mark.find()) {
            depth += mark.group().equals("/*") ? 1 : -1;
            if (depth == 0) {
                return mark.end();
            }
        }
        return -1;
    }
}
