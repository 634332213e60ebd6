package siemload.database.querylog;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import siemload.query.SqlLexer.Kind;
import siemload.query.SqlLexer.Token;

/**
 * Writes a statement in the form that all have which differ in values alone: without comments, with one blank where there were some, and
 * with a parameter in place of each literal that may differ. Used for one statement.
 *
 * <p>Literals become parameters where a value is compared or counted by, in WHERE, ON, LIMIT, OFFSET and FETCH, and where one is written:
 * in SET and in VALUES of INSERT and MERGE. Everywhere else they stay, since {@code GROUP BY 1}, {@code numeric(10, 2)} and {@code SELECT date_trunc('day', t) ... GROUP BY date_trunc('day', t)} mean
 * something else with a parameter. A number gets the type that the server gives to the literal (documentation, 4.1.2.6), so that its
 * plan is the same; a string has no type of its own in either form. A text that has parameters already keeps its literals.
 */
final class NormalStatement {
    /** Types whose name may stand before a string of one. */
    private static final Set<String> TYPES =
            Set.of("date time timestamp timestamptz timetz interval inet cidr uuid numeric json jsonb".split(" "));

    private static final Set<String> PARTS_OF_INTERVALS = Set.of("year", "month", "day", "hour", "minute", "second");
    private static final Set<String> VALUED = Set.of("where", "on", "limit", "offset", "fetch");
    private static final Set<String> WRITTEN = Set.of("set", "values");

    private final Tokens tokens;
    private final boolean replaces;
    private final StringBuilder text = new StringBuilder();
    private final List<String> values = new ArrayList<>();

    /** Of the tokens of one statement. */
    NormalStatement(Tokens tokens) {
        this.tokens = tokens;
        this.replaces =
                IntStream.range(0, tokens.size()).noneMatch(at -> tokens.at(at).kind() == Kind.PARAMETER);
        int end = tokens.size();
        while (tokens.isSymbol(end - 1, ";")) {
            end--;
        }
        for (int at = 0; at < end; at++) {
            write(at);
        }
    }

    /** In the notation of scenarios: {@code :p1}. */
    String text() {
        return text.toString();
    }

    /** Of the parameters that were literals, in their order. */
    List<String> values() {
        return List.copyOf(values);
    }

    private void write(int at) {
        Token token = tokens.at(at);
        boolean valued = replaces
                && (VALUED.contains(tokens.clause(at))
                        || (WRITTEN.contains(tokens.clause(at)) && tokens.writesBefore(at)));
        boolean replaced = valued
                && ((token.kind() == Kind.NUMBER && replacesNumber(at))
                        || (token.kind() == Kind.STRING && replacesString(at)));
        if (!replaced) {
            append(token, token.kind() == Kind.PARAMETER ? ":p" + token.text().substring(1) : token.text());
        }
    }

    private boolean replacesNumber(int at) {
        Token token = tokens.at(at);
        if (token.text().matches("-?0[xXoObB].*") || !tokens.isBeforeValue(at - 1)) {
            return false;
        }
        String number = token.text().replace("_", "");
        int bits = number.matches("-?[0-9]+") ? new BigInteger(number).abs().bitLength() : Long.SIZE;
        String parameter =
                parameter(number) + (bits < Integer.SIZE ? "::integer" : bits < Long.SIZE ? "::bigint" : "::numeric");
        append(token, isRowCount(at) ? "(" + parameter + ")" : parameter);
        return true;
    }

    /** {@code FETCH FIRST 5 ROWS}, {@code OFFSET 5 ROWS}: there the grammar takes no cast outside of parentheses. */
    private boolean isRowCount(int at) {
        boolean fetched = tokens.isWord(at - 1, "first") || tokens.isWord(at - 1, "next");
        boolean passed =
                tokens.isWord(at - 1, "offset") && (tokens.isWord(at + 1, "row") || tokens.isWord(at + 1, "rows"));
        return passed || (fetched && tokens.isWord(at - 2, "fetch"));
    }

    private boolean replacesString(int at) {
        Token before = tokens.at(at - 1);
        Optional<String> value = stringValue(tokens.at(at).text());
        boolean inParts = before.kind() == Kind.STRING || tokens.at(at + 1).kind() == Kind.STRING;
        boolean isFieldOfTime = tokens.function(at).equals("extract") && before.isSymbol("(");
        if (value.isEmpty() || inParts || isFieldOfTime) {
            return false;
        } else if (before.kind() != Kind.WORD || tokens.isBeforeValue(at - 1)) {
            append(tokens.at(at), parameter(value.get()));
            return true;
        }
        boolean typed = TYPES.contains(before.folded())
                && !tokens.isSymbol(at - 2, ".")
                && !PARTS_OF_INTERVALS.contains(tokens.at(at + 1).folded());
        if (typed) {
            text.setLength(text.length() - before.text().length());
            append(new Token(Kind.STRING, "", false), parameter(value.get()) + "::" + before.folded());
        }
        return typed;
    }

    /** What a string stands for; empty of bits, and of one with escapes, which stays as it is. */
    private static Optional<String> stringValue(String token) {
        return switch (token.charAt(0)) {
            case '\'' -> Optional.of(token.substring(1, token.length() - 1).replace("''", "'"));
            case '$' -> {
                int tag = token.indexOf('$', 1) + 1;
                yield Optional.of(token.substring(tag, token.length() - tag));
            }
            default -> Optional.empty();
        };
    }

    private String parameter(String value) {
        values.add(value);
        return ":p" + values.size();
    }

    /** With the blank that tells a parameter from a slice of an array. */
    private void append(Token token, String written) {
        boolean colon = !text.isEmpty()
                && text.charAt(text.length() - 1) == ':'
                && (text.length() < 2 || text.charAt(text.length() - 2) != ':');
        if ((token.apart() && !text.isEmpty()) || colon) {
            text.append(' ');
        }
        text.append(written);
    }
}
