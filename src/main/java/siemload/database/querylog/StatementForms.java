package siemload.database.querylog;

import java.math.BigInteger;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import siemload.config.RegularFile;
import siemload.query.SqlLexer;
import siemload.query.SqlLexer.Kind;
import siemload.query.SqlLexer.Token;
import siemload.query.Statement;
import siemload.query.StatementText;

/** Classifies a logged statement: its form and its values, or why it is left out. Remembers recent texts. Not thread-safe. */
final class StatementForms {
    private static final int REMEMBERED = 500;
    /** The longest text, in characters. A longer text would be useless in a file for people, and many could fill the memory. */
    private static final int LONGEST = 100_000;
    /** The most tokens of a row whose type is looked for; longer rows are lists of IN. */
    private static final int LONGEST_ROW = 1_000;

    /** The values in a record's detail. The first word begins in lower case up to version 15. */
    private static final Pattern VALUE =
            Pattern.compile("\\G(?:[Pp]arameters: |, )\\$(\\d{1,6}) = (?:'((?:[^']|'')*+)'|NULL)");

    /** The lists of {@code words.txt}. */
    private static final Map<String, LinkedHashSet<String>> WORDS = RegularFile.resource(
                    StatementForms.class, "words.txt")
            .lines()
            .filter(line -> !line.isBlank() && !line.startsWith("#"))
            .collect(Collectors.groupingBy(
                    line -> line.substring(0, line.indexOf(':')),
                    Collectors.flatMapping(
                            line -> Stream.of(line.split(" ")).skip(1), Collectors.toCollection(LinkedHashSet::new))));

    private static final String WRITES = "writes, locks rows or calls a function that writes";

    /** The text at the end of a value that the server has cut. */
    static final String CUT = "...";

    static final Form NOT_LOGGED =
            new Form.LeftOut("has a parameter that is NULL, cut off or not in the log (log_parameter_max_length)");

    private final Statement.Effect most;
    private final Map<String, Form> remembered = QueryLog.latestUsed(REMEMBERED);

    /** @param most whether statements that write are included */
    StatementForms(Statement.Effect most) {
        this.most = most;
    }

    /** The classification of a statement. Immutable. */
    sealed interface Form {
        /** The statement is left out for this reason, one of a few phrases that can be counted. */
        record LeftOut(String reason) implements Form {}

        /** The statement can be replayed with these values, in its parameters' order; empty if they are in the record's detail. */
        record Asked(StatementText text, List<String> values, Statement.Effect effect) implements Form {}
    }

    static Set<String> words(String list) {
        return Objects.requireNonNull(WORDS.get(list), list);
    }

    /** @param detail the detail of the statement's record, with the values of its parameters */
    Form of(String sql, String detail) {
        Form form = sql.length() > LONGEST
                ? new Form.LeftOut("is longer than 100,000 characters")
                : remembered.computeIfAbsent(sql, this::form);
        if (!(form instanceof Form.Asked asked) || !asked.values().isEmpty()) {
            return form;
        }
        Map<String, String> logged = logged(detail);
        List<String> parameters = asked.text().parameters();
        return logged.keySet().containsAll(parameters)
                ? new Form.Asked(
                        asked.text(), parameters.stream().map(logged::get).toList(), asked.effect())
                : NOT_LOGGED;
    }

    private Form form(String sql) {
        Optional<Tokens> read = SqlLexer.tokens(sql).map(Tokens::new);
        if (read.isEmpty()) {
            return new Form.LeftOut("is cut off within quotes or a comment");
        }
        Tokens tokens = read.get();
        String refused = tokens.refusal().orElse("");
        boolean writes = most == Statement.Effect.WRITES && refused.equals(WRITES);
        if (!refused.isEmpty() && !writes) {
            return new Form.LeftOut(refused);
        } else if (!writes && tokens.areHousekeeping()) {
            return new Form.LeftOut("monitors the server, reads only its catalogue, or is a ping");
        }
        Tokens.Normal normal = tokens.new Normal();
        Statement.Effect effect = writes ? Statement.Effect.WRITES : Statement.Effect.READS;
        return StatementText.TYPE
                .tryParse(normal.text.toString())
                .filter(text -> normal.values.isEmpty() || text.parameters().size() == normal.values.size())
                .filter(text -> text.parameters().stream().allMatch(name -> name.matches("p[0-9]+")))
                .<Form>map(text -> new Form.Asked(text, normal.values, effect))
                .orElseGet(() -> new Form.LeftOut("cannot be written in the notation of scenarios"));
    }

    /** The values that are not NULL, by the names of their parameters: {@code Parameters: $1 = 'it''s', $2 = NULL}. */
    static Map<String, String> logged(String detail) {
        Map<String, String> logged = new HashMap<>();
        Matcher value = VALUE.matcher(detail);
        int end = 0;
        for (; value.find(); end = value.end()) {
            if (value.group(2) != null) {
                logged.put("p" + value.group(1), value.group(2).replace("''", "'"));
            }
        }
        return end == detail.length() ? logged : Map.of();
    }

    /**
     * The tokens of one statement without its first and last semicolons, and the clause of each token. A minus sign belongs to its number
     * unless it is an operator between two values. Positions before the first and after the last token hold empty tokens. Immutable.
     */
    static final class Tokens {
        private static final Token NOTHING = new Token(Kind.SYMBOL, "", false);
        private static final Pattern WRITING_FUNCTION = Pattern.compile(String.join("|", words("writing-functions")));
        private static final Pattern OF_SERVER = Pattern.compile(String.join("|", words("of-server")));
        private static final Pattern INFORMING = Pattern.compile(String.join("|", words("informing")));

        private final List<Token> tokens = new ArrayList<>();
        private final List<Level> levels = new ArrayList<>();
        /** The position of the first command that writes values, or the end if there is none. */
        private final int writing;

        /**
         * The context between two parentheses.
         *
         * @param clause the keyword of the clause inside the parentheses or, if there is none, around them; folded
         * @param function the name before the parenthesis, folded; {@code row} if the parentheses are an argument of a
         *     function; empty if there is none, or a clause begins inside
         * @param isQuery whether this is outside all parentheses, or a clause begins inside
         */
        private record Level(String clause, String function, boolean isQuery) {}

        Tokens(List<Token> read) {
            for (Token token : read) {
                int last = tokens.size() - 1;
                if (token.kind() == Kind.NUMBER && last > 0 && isSymbol(last, "-") && isBeforeValue(last - 1)) {
                    tokens.add(new Token(
                            Kind.NUMBER, "-" + token.text(), tokens.remove(last).apart()));
                } else {
                    tokens.add(token);
                }
            }
            while (isSymbol(0, ";") || isSymbol(tokens.size() - 1, ";")) {
                tokens.remove(isSymbol(0, ";") ? 0 : tokens.size() - 1);
            }
            this.writing = places().filter(at -> isWritingVerb(at) && !isWord(at, "delete"))
                    .findFirst()
                    .orElse(tokens.size());
            Deque<Level> open = new ArrayDeque<>(List.of(new Level("", "", true)));
            for (int at = 0; at < tokens.size(); at++) {
                Level level = open.element();
                if ((isSymbol(at, ")") || isSymbol(at, "]")) && open.size() > 1) {
                    open.pop();
                } else if (isClause(at, level)) {
                    open.pop();
                    open.push(new Level(at(at).folded(), "", true));
                } else if (isSymbol(at, ",") && level.equals(new Level("on", "", true))) {
                    open.pop();
                    open.push(new Level("from", "", true));
                }
                levels.add(open.element());
                if (isSymbol(at, "(") || isSymbol(at, "[")) {
                    boolean called = isName(at - 1) && !isOf(at - 1, "before-values");
                    boolean argument = !level.function().isEmpty() && (isSymbol(at - 1, "(") || isSymbol(at - 1, ","));
                    open.push(new Level(
                            isTypeModifier(at) ? "" : levels.get(at).clause(),
                            called ? name(at - 1) : argument ? "row" : "",
                            false));
                }
            }
        }

        private IntStream places() {
            return IntStream.range(0, tokens.size());
        }

        private boolean isClause(int at, Level level) {
            return (isOf(at, "clauses") || (isWord(at, "conflict") && isWord(at - 1, "on")))
                    && !isSymbol(at - 1, ".")
                    && !isWord(at - 1, "distinct")
                    && !(isWord(at, "from") && words("with-from").contains(level.function()))
                    && !(isWord(at, "where") && level.clause().equals("conflict"))
                    && !(isWord(at, "set") && writing >= at);
        }

        /**
         * {@code ::numeric(10, 2)}, {@code CAST(x AS pg_catalog.varchar(20))}, {@code interval(0) '1 hour'}, {@code localtime(3)}: literals
         * in a type modifier are not values.
         */
        private boolean isTypeModifier(int open) {
            int close = open + 1;
            while (at(close).kind() == Kind.NUMBER || isSymbol(close, ",")) {
                close++;
            }
            if (isOf(open - 1, "with-precision")
                    || (isSymbol(close, ")") && at(close + 1).kind() == Kind.STRING)) {
                return true;
            }
            int name = open - 1;
            while ((isName(name) && !isOf(name, "clauses") && !isOf(name, "before-values")) || isSymbol(name, ".")) {
                name--;
            }
            return IntStream.range(name, open).anyMatch(at -> isSymbol(at, "::") || isWord(at, "as"));
        }

        private Token at(int place) {
            return place >= 0 && place < tokens.size() ? tokens.get(place) : NOTHING;
        }

        private boolean isWord(int place, String keyword) {
            return at(place).isWord(keyword);
        }

        private boolean isOf(int place, String list) {
            return at(place).kind() == Kind.WORD
                    && words(list).contains(at(place).folded());
        }

        private boolean isSymbol(int place, String symbol) {
            return at(place).isSymbol(symbol);
        }

        private boolean isName(int place) {
            return at(place).kind() == Kind.WORD || at(place).kind() == Kind.QUOTED_NAME;
        }

        /** A name in the server's form, without the quotes of a quoted name. */
        private String name(int place) {
            return at(place).folded().replace("\"", "");
        }

        /** Returns whether a literal after this token is a separate value. */
        private boolean isBeforeValue(int place) {
            return at(place).kind() == Kind.SYMBOL
                    ? !isSymbol(place, ")") && !isSymbol(place, "]")
                    : isOf(place, "before-values");
        }

        /** Returns whether this token is the name of a relation, or of a function that returns rows. */
        private boolean isRelation(int at) {
            int before = at - 1;
            while (words("beside-relations").contains(at(before).folded())) {
                before--;
            }
            return isName(at)
                    && !isOf(at, "no-relations")
                    && (isOf(before, "before-relations") || isSymbol(before, ","))
                    && levels.get(before).function().isEmpty()
                    && words("before-relations").contains(levels.get(before).clause());
        }

        /**
         * Returns whether this token is an INSERT, UPDATE, DELETE or MERGE that is a command, not a name. A command is at the start, at the
         * start of a query in parentheses, or after the queries of a WITH (PostgreSQL documentation, 7.8.4).
         */
        private boolean isWritingVerb(int at) {
            boolean begins =
                    at == 0 || at(at - 1).kind() == Kind.HINT || isSymbol(at - 1, "(") || isSymbol(at - 1, ")");
            return (isOf(at, "writing-into") && isWord(at + 1, "into"))
                    || (begins && isWord(at, "delete") && isWord(at + 1, "from"))
                    || (begins && isWord(at, "update") && isName(at + 1) && !isWord(at + 1, "as"));
        }

        /**
         * The reason why a statement is left out, in a few words; empty if its text only reads. The server keeps replays from writing in
         * any case. This method leaves out statements that the server is known to refuse.
         */
        Optional<String> refusal() {
            int first = 0;
            while (isSymbol(first, "(") || at(first).kind() == Kind.HINT) {
                first++;
            }
            if (first == tokens.size()) {
                return Optional.of("holds no statement");
            } else if (places().anyMatch(at -> isSymbol(at, ";"))) {
                return Optional.of("is one of several statements that were sent together");
            } else if (places().anyMatch(at -> isWord(at, "current") && isWord(at + 1, "of"))) {
                return Optional.of("needs a cursor (CURRENT OF)");
            } else if (!isOf(first, "queries") && !isWritingVerb(first)) {
                String begin = at(first).folded();
                return Optional.of("is not a query"
                        + (begin.matches("[a-z]{1,20}") ? " (" + begin.toUpperCase(Locale.ROOT) + ")" : ""));
            }
            return IntStream.range(first, tokens.size())
                    .mapToObj(this::refusal)
                    .flatMap(Optional::stream)
                    .findFirst();
        }

        private Optional<String> refusal(int at) {
            boolean locks = isWord(at, "for") && isOf(at + 1, "locking");
            boolean calls = at(at).kind() == Kind.WORD
                    && isSymbol(at + 1, "(")
                    && WRITING_FUNCTION.matcher(at(at).folded()).matches();
            if (isWritingVerb(at) || locks || calls) {
                return Optional.of(WRITES);
            } else if (isSymbol(at, ":") && levels.get(at).isQuery()) {
                return Optional.of("is not a statement");
            }
            boolean makes = isWord(at, "into") && !isSymbol(at - 1, ".") && at + 1 < tokens.size();
            return makes ? Optional.of("creates a table (SELECT INTO)") : Optional.empty();
        }

        /**
         * Returns whether a read-only statement comes from a monitoring agent, is a catalogue query of a driver, psql or a mapper, or is a
         * ping. A statement is none of these if it reads a user's table, has a WITH, whose queries are taken for tables, or calculates
         * without a table and without facts of the session.
         */
        boolean areHousekeeping() {
            List<String> relations = places().filter(this::isRelation)
                    .filter(at -> !isSymbol(isSymbol(at + 1, ".") ? at + 3 : at + 1, "("))
                    .mapToObj(at -> isSymbol(at + 1, ".") ? name(at) + "." + name(at + 2) : name(at))
                    .toList();
            if (!relations.isEmpty()) {
                return relations.stream().allMatch(OF_SERVER.asMatchPredicate());
            }
            List<String> called = places().filter(at -> isName(at) && isSymbol(at + 1, "("))
                    .mapToObj(at -> isSymbol(at - 1, ".") ? name(at - 2) + "." + name(at) : name(at))
                    .toList();
            return called.isEmpty()
                    ? places().count() == 2
                            || (places().noneMatch(at -> isWord(at, "where"))
                                    && places().anyMatch(at ->
                                            isName(at) && words("session").contains(name(at))))
                    : called.stream().allMatch(INFORMING.asMatchPredicate())
                            && places().noneMatch(at -> isWord(at, "where"));
        }

        /**
         * The common form of all statements that differ only in values: without comments, with single blanks, and with a parameter in place
         * of each literal that may differ.
         *
         * <p>Literals become parameters where values are compared or counted, in WHERE, ON, LIMIT and OFFSET, and where values are written,
         * in SET and in VALUES of INSERT and MERGE. Everywhere else literals stay, since {@code GROUP BY 1}, {@code numeric(10, 2)} and
         * {@code SELECT date_trunc('day', t) ... GROUP BY date_trunc('day', t)} mean something else with a parameter. A number gets the
         * type that the server gives to the literal (PostgreSQL documentation, 4.1.2.6), so that its plan is the same. A string has no type
         * in either form, and stays a literal where its context gives it none. A text that already has parameters keeps its literals.
         */
        final class Normal {
            /** The text in the notation of scenarios: {@code :p1}. */
            final StringBuilder text = new StringBuilder();
            /** The values of parameters that were literals, in order. */
            final List<String> values = new ArrayList<>();

            Normal() {
                boolean replaces = tokens.stream().noneMatch(token -> token.kind() == Kind.PARAMETER);
                for (int at = 0; at < tokens.size(); at++) {
                    Token token = at(at);
                    String clause = levels.get(at).clause();
                    boolean valued = replaces
                            && (words("valued").contains(clause)
                                    || (words("written").contains(clause) && writing < at));
                    boolean replaced = valued
                            && ((token.kind() == Kind.NUMBER && replacesNumber(at))
                                    || (token.kind() == Kind.STRING && replacesString(at)));
                    if (!replaced) {
                        boolean given = token.kind() == Kind.PARAMETER;
                        append(at, given ? ":p" + token.text().substring(1) : token.text());
                    }
                }
            }

            private boolean replacesNumber(int at) {
                // Before ROWS the grammar allows no cast.
                if (at(at).text().matches("-?0[xXoObB].*") || !isBeforeValue(at - 1) || isOf(at + 1, "rows")) {
                    return false;
                }
                String number = at(at).text().replace("_", "");
                int bits = number.matches("-?[0-9]+") ? new BigInteger(number).bitLength() : Long.SIZE;
                String type = bits < Integer.SIZE ? "::integer" : bits < Long.SIZE ? "::bigint" : "::numeric";
                append(at, parameter(number) + type);
                return true;
            }

            /** Strings in other notations stay: bit strings, strings with escapes, dollar quotes. So do casts such as {@code mood('x')}. */
            private boolean replacesString(int at) {
                String literal = at(at).text();
                String name = levels.get(at).function();
                boolean isAlone = isSymbol(at - 1, "(") && isSymbol(at + 1, ")") && !name.isEmpty();
                if (literal.charAt(0) != '\''
                        || words("of-any").contains(name)
                        || (isAlone && !words("no-types").contains(name))
                        || isTested(at)) {
                    return false;
                }
                String value = literal.substring(1, literal.length() - 1).replace("''", "'");
                if (isBeforeValue(at - 1)) {
                    append(at, parameter(value));
                    return true;
                }
                boolean typed = isOf(at - 1, "types")
                        && !isSymbol(at - 2, ".")
                        && !words("parts-of-intervals").contains(at(at + 1).folded());
                if (typed) {
                    String type = at(at - 1).folded();
                    text.setLength(text.length() - type.length());
                    text.append(parameter(value)).append("::").append(type);
                }
                return typed;
            }

            /** Whether nothing but {@code IS NULL} or the like determines the type of this string, or of the row that it is a part of. */
            private boolean isTested(int at) {
                int behind = at + 1;
                boolean isPart = (isSymbol(at - 1, "(") || isSymbol(at - 1, ",")) && isSymbol(behind, ",");
                for (int depth = 0;
                        isPart
                                && behind < Math.min(tokens.size(), at + LONGEST_ROW)
                                && (depth > 0 || !isSymbol(behind, ")"));
                        behind++) {
                    depth += isSymbol(behind, "(") ? 1 : isSymbol(behind, ")") ? -1 : 0;
                }
                while (isSymbol(behind, ")")) {
                    behind++;
                }
                return isOf(behind, "tests");
            }

            private String parameter(String value) {
                values.add(value);
                return ":p" + values.size();
            }

            /**
             * Appends a token, after a blank if there was one, or if two tokens would become one or a parameter: {@code :p1 and},
             * {@code x[1: y]}. In a replay, the parameter is a question mark to the driver, and so may be the operator after it.
             */
            private void append(int at, String written) {
                boolean joins = text.length() > 0
                        && isOfNames(text.charAt(text.length() - 1))
                        && (isOfNames(written.charAt(0)) || written.startsWith("?"));
                text.append((at(at).apart() && at > 0) || isSymbol(at - 1, ":") || joins ? " " : "")
                        .append(written);
            }

            private static boolean isOfNames(char c) {
                return Character.isLetterOrDigit(c) || c == '_' || c == '$' || c > '\u007F';
            }
        }
    }
}
