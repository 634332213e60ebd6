package siemload.database.querylog;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import siemload.query.SqlLexer;
import siemload.query.SqlLexer.Kind;
import siemload.query.SqlLexer.Token;

/**
 * The tokens of one statement, and the clause that each of them stands in. The sign of a number is a part of it, where it is no
 * operator between two values. Before the first and behind the last token there is nothing, which may be asked for, too. Immutable.
 */
final class Tokens {
    private static final Token NOTHING = new Token(Kind.SYMBOL, "", false);
    private static final Set<String> WRITING = Set.of("insert", "update", "delete", "merge");
    private static final Set<String> READING = Set.of("select", "values", "table");

    /** Behind these words a literal is a value. Behind others it may belong to them: {@code interval '1 day'}. */
    private static final Set<String> BEFORE_VALUES = Set.of(
            ("where and or not on like ilike in between any all some limit" + " offset from first next similar to")
                    .split(" "));

    /** Keywords that begin a clause. */
    static final Set<String> CLAUSES = Set.of(("select from join table where on having group order limit offset fetch"
                    + " window union intersect except returning values set")
            .split(" "));

    private static final Set<String> BEFORE_RELATIONS = Set.of("from", "join", "table");

    /** Functions whose arguments are told apart by FROM. */
    private static final Set<String> WITH_FROM = Set.of("extract", "trim", "substring", "overlay", "position");

    private final List<Token> tokens = new ArrayList<>();
    private final List<Integer> verbs;
    private final List<Level> levels = new ArrayList<>();

    /**
     * What holds between two parentheses.
     *
     * @param clause the keyword that governs what stands here, folded; of the text around the parentheses where none is within
     * @param own whether that keyword, or a list of relations, begins within the parentheses
     * @param function the word before the parenthesis, folded; empty where there is none
     */
    private record Level(String clause, boolean own, String function) {}

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
        verbs = findVerbs();
        Deque<Level> open = new ArrayDeque<>(List.of(new Level("", true, "")));
        for (int at = 0; at < tokens.size(); at++) {
            boolean closes = isSymbol(at, ")") || isSymbol(at, "]");
            if (closes && open.size() > 1) {
                open.pop();
            } else if (isClause(at, open.element())) {
                open.push(new Level(at(at).folded(), true, open.pop().function()));
            }
            levels.add(open.element());
            if (isSymbol(at, "(") || isSymbol(at, "[")) {
                Token before = at(at - 1);
                boolean named = before.kind() == Kind.WORD && !BEFORE_VALUES.contains(before.folded());
                String clause = isTypeModifier(at) ? "" : clause(at);
                open.push(new Level(clause, awaitsRelation(at), named ? before.folded() : ""));
            }
        }
    }

    /** Those of a text; empty where something in quotes or a comment does not end. */
    static Optional<Tokens> of(String sql) {
        return SqlLexer.tokens(sql).map(Tokens::new);
    }

    private boolean isClause(int at, Level level) {
        String word = at(at).folded();
        return at(at).kind() == Kind.WORD
                && CLAUSES.contains(word)
                && !isSymbol(at - 1, ".")
                && !isWord(at - 1, "distinct")
                && !(word.equals("from") && WITH_FROM.contains(level.function()))
                && !(word.equals("set") && !writesBefore(at));
    }

    /** {@code ::numeric(10, 2)}, {@code CAST(x AS varchar(20))}: what stands there are no values. */
    private boolean isTypeModifier(int open) {
        for (int word = open - 1; at(word).kind() == Kind.WORD; word--) {
            if (isSymbol(word - 1, "::") || isWord(word - 1, "as")) {
                return true;
            }
        }
        return false;
    }

    int size() {
        return tokens.size();
    }

    Token at(int place) {
        return place >= 0 && place < tokens.size() ? tokens.get(place) : NOTHING;
    }

    boolean isWord(int place, String keyword) {
        return at(place).isWord(keyword);
    }

    boolean isSymbol(int place, String symbol) {
        return at(place).isSymbol(symbol);
    }

    boolean isName(int place) {
        return at(place).kind() == Kind.WORD || at(place).kind() == Kind.QUOTED_NAME;
    }

    /** The keyword that governs what stands here, folded; empty where there is none. */
    String clause(int place) {
        return levels.get(place).clause();
    }

    /** The word before the parentheses that this stands in, folded; empty where there is none. */
    String function(int place) {
        return levels.get(place).function();
    }

    /** Whether a literal behind this token is a value of its own. */
    boolean isBeforeValue(int place) {
        Token token = at(place);
        return token.kind() == Kind.SYMBOL
                ? !token.isSymbol(")") && !token.isSymbol("]")
                : token.kind() == Kind.WORD && BEFORE_VALUES.contains(token.folded());
    }

    /** Whether a relation, or a function that makes rows, is to be named here. */
    boolean awaitsRelation(int place) {
        Token before = at(place - 1);
        if (before.kind() == Kind.HINT
                || before.isSymbol("(")
                || before.isWord("only")
                || before.isWord("lateral")
                || before.isWord("rows")) {
            return awaitsRelation(place - 1);
        }
        boolean inList = place > 0
                && levels.get(place - 1).own()
                && (BEFORE_RELATIONS.contains(clause(place - 1))
                        || clause(place - 1).equals("on"));
        return inList && (before.isSymbol(",") || BEFORE_RELATIONS.contains(before.folded()));
    }

    /**
     * The places where INSERT, UPDATE, DELETE and MERGE are what the statement does, and no names: at its begin, at the begin of a query in
     * parentheses, and behind the queries of a WITH (documentation, 7.8.4). None where it only reads.
     */
    List<Integer> writingVerbs() {
        return verbs;
    }

    /** Whether one of them that has values stands before this. */
    boolean writesBefore(int place) {
        return verbs.stream().anyMatch(verb -> verb < place && !isWord(verb, "delete"));
    }

    private List<Integer> findVerbs() {
        List<Integer> places = new ArrayList<>();
        int begin = 0;
        while (at(begin).kind() == Kind.HINT) {
            begin++;
        }
        boolean awaitsVerb = isWord(begin, "with");
        int depth = 0;
        for (int place = begin; place < size(); place++) {
            depth += isSymbol(place, "(") ? 1 : isSymbol(place, ")") ? -1 : 0;
            boolean writes = WRITING.contains(at(place).folded())
                    && at(place + 1).kind() != Kind.SYMBOL
                    && !isWord(place + 1, "as");
            // A query of a WITH may have any of these as its name, behind which stands AS or a list of columns.
            boolean reads = READING.contains(at(place).folded()) && !isWord(place + 1, "as");
            boolean isBehindWith = awaitsVerb && depth == 0 && (writes || reads);
            if (writes && (place == begin || isSymbol(place - 1, "(") || isBehindWith)) {
                places.add(place);
            }
            awaitsVerb = awaitsVerb && !isBehindWith;
        }
        return places;
    }
}
