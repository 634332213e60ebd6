package siemload.database.querylog;

import java.util.Locale;

/**
 * One word of SQL. Immutable.
 *
 * @param text as it is written
 * @param apart whether blanks or a comment stand before it
 */
record SqlToken(Kind kind, String text, boolean apart) {

    /** What a token is to the lexer of PostgreSQL (scan.l). */
    enum Kind {
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
        /** A comment that tells the planner something: all others are no tokens. */
        HINT,
        /** An operator, or a single character. */
        SYMBOL
    }

    /** Whether it is this keyword, in lower case. */
    boolean isWord(String keyword) {
        return kind == Kind.WORD && text.equalsIgnoreCase(keyword);
    }

    boolean isSymbol(String symbol) {
        return kind == Kind.SYMBOL && text.equals(symbol);
    }

    /** A word without quotes in lower case, as the server takes it; anything else as it is written. */
    String folded() {
        return kind == Kind.WORD ? text.toLowerCase(Locale.ROOT) : text;
    }
}
