package siemload.database.querylog;

import java.math.BigInteger;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import siemload.query.SqlLexer.Kind;
import siemload.query.SqlLexer.Token;

/**
 * A statement in the form that all have which differ in values alone: without comments, with one blank where there were some, and with
 * a parameter in place of each literal that may differ. Immutable.
 *
 * <p>Literals become parameters where a value is compared or counted by, in WHERE, ON, LIMIT, OFFSET and FETCH, and where one is written:
 * in SET and in VALUES of INSERT and MERGE. Everywhere else they stay, since {@code GROUP BY 1}, {@code numeric(10, 2)} and {@code SELECT date_trunc('day', t) ... GROUP BY date_trunc('day', t)} mean
 * something else with a parameter. A number gets the type that the server gives to the literal (documentation, 4.1.2.6), so that its
 * plan is the same; a string has no type of its own in either form. A text that has parameters already keeps its literals.
 *
 * @param text in the notation of scenarios: {@code :p1}
 * @param values of the parameters that were literals, in their order
 */
record NormalStatement(String text, List<String> values) {
    NormalStatement {
        values = List.copyOf(values);
    }

    /** Makes it of the tokens of one statement. */
    static NormalStatement of(Tokens tokens) {
        boolean hasParameters = tokens.all().stream().anyMatch(token -> token.kind() == Kind.PARAMETER);
        return new Writer(tokens, !hasParameters).write();
    }

    /** Goes through the tokens once. */
    private static final class Writer {
        /** Behind these words a literal is a value. Behind others it may belong to them: {@code interval '1 day'}. */
        private static final Set<String> BEFORE_VALUES = Set.of(
                "where", "and", "or", "not", "on", "like", "ilike", "in", "between", "any", "all", "some", "limit",
                "offset", "from", "first", "next", "similar", "to");

        /** Types whose name may stand before a string of one. */
        private static final Set<String> TYPES =
                Set.of("date time timestamp timestamptz timetz interval inet cidr uuid numeric json jsonb".split(" "));

        private static final Set<String> PARTS_OF_INTERVALS =
                Set.of("year", "month", "day", "hour", "minute", "second");
        private static final Set<String> VALUED = Set.of("where", "on", "limit", "offset", "fetch");
        private static final Set<String> WRITING = Set.of("insert", "update", "merge");
        private static final Set<String> WRITTEN = Set.of("set", "values");
        private static final Set<String> VALUELESS =
                Set.of("select having group order window union intersect except returning values join".split(" "));

        /**
         * What holds between two parentheses.
         *
         * @param valued whether literals are values here
         * @param function the word before the parenthesis, folded; empty where there is none
         */
        private record Scope(boolean valued, String function) {}

        private final Tokens tokens;
        private final boolean replaces;
        private final List<Integer> verbs;
        private final Deque<Scope> scopes = new ArrayDeque<>();
        private final StringBuilder text = new StringBuilder();
        private final List<String> values = new ArrayList<>();
        private boolean writes;
        private int at;

        Writer(Tokens tokens, boolean replaces) {
            this.tokens = new Tokens(signed(tokens.all()));
            this.replaces = replaces;
            this.verbs = this.tokens.writingVerbs();
            scopes.push(new Scope(false, ""));
        }

        /** With the sign of a number as a part of it, where it is no operator between two values. */
        private static List<Token> signed(List<Token> tokens) {
            List<Token> signed = new ArrayList<>();
            for (Token token : tokens) {
                int last = signed.size() - 1;
                boolean isSigned = token.kind() == Kind.NUMBER
                        && last > 0
                        && signed.get(last).isSymbol("-")
                        && isBeforeValue(signed.get(last - 1));
                if (isSigned) {
                    Token sign = signed.remove(last);
                    signed.add(new Token(Kind.NUMBER, "-" + token.text(), sign.apart()));
                } else {
                    signed.add(token);
                }
            }
            return signed;
        }

        private static boolean isBeforeValue(Token token) {
            return token.kind() == Kind.SYMBOL
                    ? !token.isSymbol(")") && !token.isSymbol("]")
                    : token.kind() == Kind.WORD && BEFORE_VALUES.contains(token.folded());
        }

        NormalStatement write() {
            int end = tokens.size();
            while (tokens.isSymbol(end - 1, ";")) {
                end--;
            }
            for (at = 0; at < end; at++) {
                write(tokens.at(at));
            }
            return new NormalStatement(text.toString(), values);
        }

        private void write(Token token) {
            switch (token.kind()) {
                case WORD -> word(token);
                case PARAMETER -> append(token, ":p" + token.text().substring(1));
                case NUMBER -> number(token);
                case STRING -> string(token);
                case SYMBOL -> symbol(token);
                case QUOTED_NAME, HINT, BLANK, COMMENT -> append(token, token.text());
            }
        }

        private void word(Token token) {
            String word = token.folded();
            writes |= verbs.contains(at) && WRITING.contains(word);
            boolean isField = before(1).isSymbol(".");
            boolean afterDistinct = before(1).isWord("distinct");
            boolean isWritten = writes && WRITTEN.contains(word);
            if (!isField && (VALUED.contains(word) || isWritten) && !afterDistinct) {
                setValued(true);
            } else if (!isField && VALUELESS.contains(word)) {
                setValued(false);
            } else if (word.equals("from")
                    && !afterDistinct
                    && here().function().isEmpty()) {
                setValued(false);
            }
            append(token, token.text());
        }

        private void setValued(boolean valued) {
            scopes.push(new Scope(valued, scopes.pop().function()));
        }

        private Scope here() {
            return scopes.element();
        }

        private void symbol(Token token) {
            if (token.isSymbol("(") || token.isSymbol("[")) {
                scopes.push(new Scope(here().valued() && !isTypeModifier(), function()));
            } else if ((token.isSymbol(")") || token.isSymbol("]")) && scopes.size() > 1) {
                scopes.pop();
            }
            append(token, token.text());
        }

        private String function() {
            Token before = before(1);
            boolean named = before.kind() == Kind.WORD && !BEFORE_VALUES.contains(before.folded());
            return named ? before.folded() : "";
        }

        /** {@code ::numeric(10, 2)}, {@code CAST(x AS varchar(20))}: what stands there are no values. */
        private boolean isTypeModifier() {
            int word = 1;
            while (before(word).kind() == Kind.WORD) {
                if (before(word + 1).isSymbol("::") || before(word + 1).isWord("as")) {
                    return true;
                }
                word++;
            }
            return false;
        }

        private Token before(int places) {
            return tokens.at(at - places);
        }

        private Token after() {
            return tokens.at(at + 1);
        }

        private void number(Token token) {
            boolean isDecimal = !token.text().matches("-?0[xXoObB].*");
            if (!replaces || !here().valued() || !isDecimal || !isBeforeValue(before(1))) {
                append(token, token.text());
                return;
            }
            String number = token.text().replace("_", "");
            int bits = number.matches("-?[0-9]+") ? new BigInteger(number).abs().bitLength() : Long.SIZE;
            value(token, number, bits < Integer.SIZE ? "::integer" : bits < Long.SIZE ? "::bigint" : "::numeric");
        }

        private void string(Token token) {
            Optional<String> value = stringValue(token.text());
            Token before = before(1);
            boolean inParts = before.kind() == Kind.STRING || after().kind() == Kind.STRING;
            boolean isFieldOfTime = here().function().equals("extract") && before.isSymbol("(");
            if (!replaces || !here().valued() || value.isEmpty() || inParts || isFieldOfTime) {
                append(token, token.text());
            } else if (before.kind() != Kind.WORD || BEFORE_VALUES.contains(before.folded())) {
                value(token, value.get(), "");
            } else if (isTypeOfWholeString(before)) {
                text.setLength(text.length() - before.text().length());
                value(new Token(Kind.STRING, "", false), value.get(), "::" + before.folded());
            } else {
                append(token, token.text());
            }
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

        private boolean isTypeOfWholeString(Token type) {
            return TYPES.contains(type.folded())
                    && !before(2).isSymbol(".")
                    && !PARTS_OF_INTERVALS.contains(after().folded());
        }

        private void value(Token place, String value, String cast) {
            values.add(value);
            String parameter = ":p" + values.size() + cast;
            append(place, isRowCount() && !cast.isEmpty() ? "(" + parameter + ")" : parameter);
        }

        /** {@code FETCH FIRST 5 ROWS}, {@code OFFSET 5 ROWS}: there the grammar takes no cast outside of parentheses. */
        private boolean isRowCount() {
            boolean fetched = before(1).isWord("first") || before(1).isWord("next");
            boolean passed = before(1).isWord("offset") && (after().isWord("row") || after().isWord("rows"));
            return passed || (fetched && before(2).isWord("fetch"));
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
}
