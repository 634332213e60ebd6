package siemload.database.querylog;

import java.math.BigInteger;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import siemload.query.SqlLexer;
import siemload.query.SqlLexer.Kind;
import siemload.query.SqlLexer.Token;
import siemload.query.Statement;
import siemload.query.StatementText;

/** Classifies a logged statement: its form and its values, or why it is left out. Remembers recent texts. Not thread-safe. */
final class StatementForms {
    private static final int REMEMBERED = 500;
    /** A longer text would be no use in a file for people, and many of them could fill the memory. */
    private static final int LONGEST = 100_000;

    private static final Pattern VALUE =
            Pattern.compile("\\G(?:[Pp]arameters: |, )\\$(\\d{1,6}) = (?:'((?:[^']|'')*+)'|NULL)");

    private static final String WRITES = "writes, locks rows or calls a function that writes";
    private static final String CUT = "...";

    private static final String SEVERAL = "is one of several that were sent as one";

    private final Statement.Effect most;
    private final Map<String, Form> remembered = new QueryLog.LatestUsed<>(REMEMBERED);

    /** @param most whether statements that write are included */
    StatementForms(Statement.Effect most) {
        this.most = most;
    }

    /** The classification of a statement. Immutable. */
    sealed interface Form {
        /** It is left out for this reason, a phrase that can be counted. */
        record LeftOut(String reason) implements Form {}

        /** It can be replayed with these values, in the order of its parameters; empty where they stand in the detail of the record. */
        record Asked(StatementText text, List<String> values, Statement.Effect effect) implements Form {}
    }

    /** @param detail of its record, with the values of its parameters */
    Form of(String sql, String detail) {
        Form form = sql.length() > LONGEST
                ? new Form.LeftOut("is longer than 100,000 characters")
                : remembered.computeIfAbsent(sql, this::form);
        return form instanceof Form.Asked asked && asked.values().isEmpty() ? filled(asked, detail) : form;
    }

    private Form form(String sql) {
        Optional<Tokens> read = Tokens.of(sql);
        if (read.isEmpty()) {
            return new Form.LeftOut("is cut off within quotes or a comment");
        }
        Tokens tokens = read.get();
        String refused = tokens.refusal().orElse("");
        boolean writes = most == Statement.Effect.WRITES && refused.equals(WRITES);
        if (writes && tokens.places().anyMatch(at -> tokens.isSymbol(at, ";"))) {
            return new Form.LeftOut(SEVERAL);
        } else if (!refused.isEmpty() && !writes) {
            return new Form.LeftOut(refused);
        } else if (!writes && tokens.areHousekeeping()) {
            return new Form.LeftOut("monitors the server, reads only its catalogue, or is a ping");
        }
        Tokens.Normal normal = tokens.new Normal();
        int values = normal.values.size();
        Statement.Effect effect = writes ? Statement.Effect.WRITES : Statement.Effect.READS;
        return StatementText.TYPE
                .tryParse(normal.text.toString())
                .filter(text -> values == 0 || text.parameters().size() == values)
                .filter(text -> text.parameters().stream().allMatch(name -> name.matches("p[0-9]+")))
                .<Form>map(text -> new Form.Asked(text, normal.values, effect))
                .orElseGet(() -> new Form.LeftOut("cannot be written in the notation of scenarios"));
    }

    /** With the logged values: {@code Parameters: $1 = 'it''s', $2 = NULL}, with a small p up to version 15. */
    private static Form filled(Form.Asked asked, String detail) {
        List<String> parameters = asked.text().parameters();
        if (parameters.isEmpty()) {
            return asked;
        }
        Map<String, String> logged = new HashMap<>();
        int end = 0;
        for (Matcher value = VALUE.matcher(detail); value.find(); end = value.end()) {
            String text = Objects.requireNonNullElse(value.group(2), CUT);
            logged.put("p" + value.group(1), text.replace("''", "'"));
        }
        List<String> values = parameters.stream()
                .map(name -> logged.getOrDefault(name, CUT))
                .filter(value -> !value.endsWith(CUT))
                .toList();
        return values.size() == parameters.size() && detail.substring(end).isBlank()
                ? new Form.Asked(asked.text(), values, asked.effect())
                : new Form.LeftOut(
                        "has a parameter that is NULL, cut off or not in the log (log_parameter_max_length)");
    }

    /**
     * The tokens of one statement without its final semicolons, and the clause of each. The sign of a number belongs to it unless it is an
     * operator between two values. Positions before the first and after the last token are empty tokens. Immutable.
     */
    static final class Tokens {
        private static final Token NOTHING = new Token(Kind.SYMBOL, "", false);
        private static final Set<String> WRITING_INTO = Set.of("insert", "merge");

        /** After these words a literal is a value. After others it may be part of a typed literal: {@code interval '1 day'}. */
        private static final Set<String> BEFORE_VALUES = words(
                "where and or not on like ilike in between any all some limit" + " offset from first next similar to");

        /** Keywords that begin a clause. */
        private static final Set<String> CLAUSES =
                words("select from join table where on having group order limit offset"
                        + " fetch window union intersect except returning values set");

        private static final Set<String> BEFORE_RELATIONS = Set.of("from", "join", "table");

        /** Words that may stand between these and a relation. */
        private static final Set<String> BESIDE_RELATIONS = Set.of("(", "only", "lateral", "rows");

        /** Functions whose arguments are separated by FROM. */
        private static final Set<String> WITH_FROM = words("extract trim substring overlay position");

        private static final Set<String> QUERIES = words("select with values table");
        private static final Set<String> LOCKING = words("update share no key");
        /** Functions of the server that change something, or affect other sessions. */
        private static final Pattern WRITING_FUNCTION = Pattern.compile(
                "nextval|setval|set_config|lo_\\w+|dblink\\w*|pg_(try_)?advisory_\\w+|pg_notify|pg_file_\\w+"
                        + "|pg_(cancel|terminate)_backend|pg_current_xact_id|txid_current");

        /** Relations of the server that may be named without a schema; those of extensions may be in any. */
        private static final Pattern OF_SERVER =
                Pattern.compile("(pg_catalog|information_schema)\\..*|pg_\\w+|\\w+\\.pg_(stat_\\w+|buffercache\\w*)");

        /** Functions that return only something about the session, the server and its clock. */
        private static final Pattern INFORMING = Pattern.compile(
                "pg_(?!sleep)\\w+|version|current_\\w+|now|\\w+_timestamp"
                        + "|inet_(client|server)_\\w+|session_user|txid_\\w+|has_\\w+_privilege|(obj|col|shobj)_description|to_reg\\w+"
                        + "|to_char|extract|date_part|date_trunc|coalesce|greatest|least|round|count|max|min|sum|cast|numeric|array");

        /** Keywords that may be followed by parentheses. */
        private static final Set<String> OPERATING =
                words("in any all some exists and or not when then else as over filter case like between"
                        + " operator using lateral row distinct interval");

        /** Words in the place of a relation that are none. */
        private static final Set<String> NO_RELATIONS = words("from only lateral rows select values with table");

        private final List<Token> tokens = new ArrayList<>();
        private final List<Level> levels = new ArrayList<>();
        /** The position of the first statement with values to write, or the end. */
        private final int writing;

        /**
         * The context between two parentheses.
         *
         * @param clause the keyword of the clause here, folded; that around the parentheses where none is within
         * @param function the word before the parenthesis, folded; empty where there is none, or a clause begins within
         */
        private record Level(String clause, String function) {}

        private Tokens(List<Token> read) {
            for (Token token : read) {
                int last = tokens.size() - 1;
                if (token.kind() == Kind.NUMBER && last > 0 && isSymbol(last, "-") && isBeforeValue(last - 1)) {
                    tokens.add(new Token(
                            Kind.NUMBER, "-" + token.text(), tokens.remove(last).apart()));
                } else {
                    tokens.add(token);
                }
            }
            while (isSymbol(tokens.size() - 1, ";")) {
                tokens.remove(tokens.size() - 1);
            }
            this.writing = places().filter(at -> isWritingVerb(at) && !isWord(at, "delete"))
                    .findFirst()
                    .orElse(tokens.size());
            Deque<Level> open = new ArrayDeque<>(List.of(new Level("", "")));
            for (int at = 0; at < tokens.size(); at++) {
                if ((isSymbol(at, ")") || isSymbol(at, "]")) && open.size() > 1) {
                    open.pop();
                } else if (isClause(at, open.element())) {
                    open.pop();
                    open.push(new Level(at(at).folded(), ""));
                }
                levels.add(open.element());
                if (isSymbol(at, "(") || isSymbol(at, "[")) {
                    Token before = at(at - 1);
                    boolean called = before.kind() == Kind.WORD && !BEFORE_VALUES.contains(before.folded());
                    open.push(new Level(isTypeModifier(at) ? "" : clause(at), called ? before.folded() : ""));
                }
            }
        }

        /** The tokens of a text; empty where a quoted string or a comment does not end. */
        static Optional<Tokens> of(String sql) {
            return SqlLexer.tokens(sql).map(Tokens::new);
        }

        private static Set<String> words(String words) {
            return Set.of(words.split(" "));
        }

        IntStream places() {
            return IntStream.range(0, tokens.size());
        }

        private boolean isClause(int at, Level level) {
            return isWord(at, CLAUSES)
                    && !isSymbol(at - 1, ".")
                    && !isWord(at - 1, "distinct")
                    && !(isWord(at, "from") && WITH_FROM.contains(level.function()))
                    && !(isWord(at, "set") && writing >= at);
        }

        /** {@code ::numeric(10, 2)}, {@code CAST(x AS varchar(20))}, {@code interval(0) '1 hour'}: literals here are no values. */
        private boolean isTypeModifier(int open) {
            int close = open + 1;
            while (at(close).kind() == Kind.NUMBER || isSymbol(close, ",")) {
                close++;
            }
            if (isSymbol(close, ")") && at(close + 1).kind() == Kind.STRING) {
                return true;
            }
            for (int word = open - 1; at(word).kind() == Kind.WORD; word--) {
                if (isSymbol(word - 1, "::") || isWord(word - 1, "as")) {
                    return true;
                }
            }
            return false;
        }

        private Token at(int place) {
            return place >= 0 && place < tokens.size() ? tokens.get(place) : NOTHING;
        }

        private boolean isWord(int place, String keyword) {
            return at(place).isWord(keyword);
        }

        private boolean isWord(int place, Set<String> keywords) {
            return at(place).kind() == Kind.WORD && keywords.contains(at(place).folded());
        }

        boolean isSymbol(int place, String symbol) {
            return at(place).isSymbol(symbol);
        }

        private boolean isName(int place) {
            return at(place).kind() == Kind.WORD || at(place).kind() == Kind.QUOTED_NAME;
        }

        private String name(int place) {
            String text = at(place).text();
            return at(place).kind() == Kind.QUOTED_NAME
                    ? text.substring(1, text.length() - 1)
                    : text.toLowerCase(Locale.ROOT);
        }

        /** The keyword of the clause at this position, folded; empty where there is none. */
        private String clause(int place) {
            return levels.get(place).clause();
        }

        /** The word before the parentheses around this position, folded; empty where there is none. */
        private String function(int place) {
            return levels.get(place).function();
        }

        /** Whether a literal after this token is a value of its own. */
        private boolean isBeforeValue(int place) {
            return at(place).kind() == Kind.SYMBOL
                    ? !isSymbol(place, ")") && !isSymbol(place, "]")
                    : isWord(place, BEFORE_VALUES);
        }

        /** Whether a relation, or a function that returns rows, is expected here. */
        private boolean awaitsRelation(int place) {
            Token before = at(place - 1);
            if (before.kind() == Kind.HINT || BESIDE_RELATIONS.contains(before.folded())) {
                return awaitsRelation(place - 1);
            }
            boolean inList = place > 0
                    && function(place - 1).isEmpty()
                    && (BEFORE_RELATIONS.contains(clause(place - 1))
                            || clause(place - 1).equals("on"));
            return inList && (before.isSymbol(",") || BEFORE_RELATIONS.contains(before.folded()));
        }

        /**
         * Whether an INSERT, UPDATE, DELETE or MERGE here is a command, and not a name: at the start, at the start of a query in
         * parentheses, or after the queries of a WITH (documentation, 7.8.4).
         */
        private boolean isWritingVerb(int at) {
            boolean begins =
                    at == 0 || at(at - 1).kind() == Kind.HINT || isSymbol(at - 1, "(") || isSymbol(at - 1, ")");
            return (isWord(at, WRITING_INTO) && isWord(at + 1, "into"))
                    || (begins && isWord(at, "delete") && isWord(at + 1, "from"))
                    || (begins && isWord(at, "update") && isName(at + 1) && !isWord(at + 1, "as"));
        }

        /**
         * Why a statement is left out, in a few words; empty if its text only reads. The server keeps replays from writing in any case:
         * this leaves out what is known to be refused.
         */
        Optional<String> refusal() {
            int first = 0;
            while (isSymbol(first, "(") || at(first).kind() == Kind.HINT) {
                first++;
            }
            if (first == tokens.size()) {
                return Optional.of("holds no statement");
            } else if (!isWord(first, QUERIES) && !isWritingVerb(first)) {
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
            boolean locks = isWord(at, "for") && isWord(at + 1, LOCKING);
            boolean calls = at(at).kind() == Kind.WORD
                    && isSymbol(at + 1, "(")
                    && WRITING_FUNCTION.matcher(at(at).folded()).matches();
            if (isWritingVerb(at) || locks || calls) {
                return Optional.of(WRITES);
            } else if (isSymbol(at, ";")) {
                return Optional.of(SEVERAL);
            }
            boolean makes = isWord(at, "into") && !isSymbol(at - 1, ".") && at + 1 < tokens.size();
            return makes ? Optional.of("makes a table (SELECT INTO)") : Optional.empty();
        }

        /**
         * Whether a read-only statement does not come from a user of an application: it comes from a monitoring agent, is a catalogue query
         * of drivers, psql and mappers, or a ping. A statement that reads a user's table does, and so does one with a WITH, whose queries
         * are taken for tables.
         */
        boolean areHousekeeping() {
            boolean readsCatalogue = false;
            boolean callsOthers = false;
            for (int at = 0; at < tokens.size(); at++) {
                int last = at;
                while (isSymbol(last + 1, ".") && last + 2 < tokens.size()) {
                    last += 2;
                }
                if (isName(at) && isSymbol(at + 1, "(")) {
                    boolean ofServer = isSymbol(at - 1, ".")
                            ? name(at - 2).equals("pg_catalog")
                            : INFORMING.matcher(name(at)).matches();
                    callsOthers |= !ofServer && !isWord(at, OPERATING) && !isWord(at, CLAUSES);
                } else if (isName(at) && awaitsRelation(at) && !isWord(at, NO_RELATIONS) && !isSymbol(last + 1, "(")) {
                    String schema = last > at ? name(last - 2) + "." : "";
                    if (!OF_SERVER.matcher(schema + name(last)).matches()) {
                        return false;
                    }
                    readsCatalogue = true;
                }
            }
            return readsCatalogue || !callsOthers;
        }

        /**
         * The form that all statements have which differ in values alone: without comments, with one blank where there were some, and with a
         * parameter in place of each literal that may differ.
         *
         * <p>Literals become parameters where a value is compared or counted by, in WHERE, ON, LIMIT and OFFSET, and where one is
         * written: in SET and in VALUES of INSERT and MERGE. Everywhere else they stay, since {@code GROUP BY 1}, {@code numeric(10, 2)} and
         * {@code SELECT date_trunc('day', t) ... GROUP BY date_trunc('day', t)} mean something else with a parameter. A number gets the type
         * that the server gives to the literal (documentation, 4.1.2.6), so that its plan is the same; a string has no type of its own in
         * either form, and stays where nothing gives it one. A text that has parameters already keeps its literals.
         */
        final class Normal {
            /** Types whose name may precede a string literal. */
            private static final Set<String> TYPES =
                    words("date time timestamp timestamptz timetz interval inet cidr uuid numeric json jsonb");

            private static final Set<String> PARTS_OF_INTERVALS = words("year month day hour minute second");
            private static final Set<String> VALUED = words("where on limit offset");
            private static final Set<String> ROWS = Set.of("row", "rows");
            private static final Set<String> WRITTEN = Set.of("set", "values");

            /** Functions that take arguments of any type. */
            private static final Set<String> OF_ANY = words("concat concat_ws format num_nulls num_nonnulls"
                    + " json_build_array json_build_object jsonb_build_array jsonb_build_object");

            /** In the notation of scenarios: {@code :p1}. */
            final StringBuilder text = new StringBuilder();
            /** The values of parameters that were literals, in order. */
            final List<String> values = new ArrayList<>();

            Normal() {
                boolean replaces = tokens.stream().noneMatch(token -> token.kind() == Kind.PARAMETER);
                for (int at = 0; at < tokens.size(); at++) {
                    Token token = at(at);
                    boolean valued =
                            replaces && (VALUED.contains(clause(at)) || (WRITTEN.contains(clause(at)) && writing < at));
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
                if (at(at).text().matches("-?0[xXoObB].*") || !isBeforeValue(at - 1) || isWord(at + 1, ROWS)) {
                    return false;
                }
                String number = at(at).text().replace("_", "");
                int bits = number.matches("-?[0-9]+")
                        ? new BigInteger(number).abs().bitLength()
                        : Long.SIZE;
                String type = bits < Integer.SIZE ? "::integer" : bits < Long.SIZE ? "::bigint" : "::numeric";
                append(at, parameter(number) + type);
                return true;
            }

            private boolean replacesString(int at) {
                Token before = at(at - 1);
                Optional<String> value = stringValue(at(at).text());
                boolean inParts = before.kind() == Kind.STRING || at(at + 1).kind() == Kind.STRING;
                boolean isFieldOfTime = function(at).equals("extract") && before.isSymbol("(");
                boolean isUntyped = OF_ANY.contains(function(at)) || isWord(at + 1, "is");
                if (value.isEmpty() || inParts || isFieldOfTime || isUntyped) {
                    return false;
                } else if (isBeforeValue(at - 1)) {
                    append(at, parameter(value.get()));
                    return true;
                }
                boolean typed = isWord(at - 1, TYPES)
                        && !isSymbol(at - 2, ".")
                        && !PARTS_OF_INTERVALS.contains(at(at + 1).folded());
                if (typed) {
                    text.setLength(text.length() - before.text().length());
                    text.append(parameter(value.get())).append("::").append(before.folded());
                }
                return typed;
            }

            /** The value of a string; empty for bit strings and strings with escapes, which stay as they are. */
            private static Optional<String> stringValue(String token) {
                return switch (token.charAt(0)) {
                    case '\'' ->
                        Optional.of(token.substring(1, token.length() - 1).replace("''", "'"));
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

            /**
             * With a blank that distinguishes a parameter from a slice of an array, and the line feed between two strings that joins them.
             */
            private void append(int at, String written) {
                boolean colon = isSymbol(at - 1, ":") && !written.startsWith("=");
                if ((at(at).apart() && at > 0) || colon) {
                    boolean continued =
                            at(at).kind() == Kind.STRING && at(at - 1).kind() == Kind.STRING;
                    text.append(continued ? '\n' : ' ');
                }
                text.append(written);
            }
        }
    }
}
