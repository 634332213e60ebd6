package siemload.database.querylog;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import siemload.query.SqlLexer.Kind;
import siemload.query.SqlLexer.Token;

/** The tokens of one statement. Before the first and behind the last one there is nothing, which may be asked for, too. Immutable. */
record Tokens(List<Token> all) {
    private static final Token NOTHING = new Token(Kind.SYMBOL, "", false);
    private static final Set<String> WRITING = Set.of("insert", "update", "delete", "merge");
    private static final Set<String> READING = Set.of("select", "values", "table");

    Tokens {
        all = List.copyOf(all);
    }

    int size() {
        return all.size();
    }

    Token at(int place) {
        return place >= 0 && place < all.size() ? all.get(place) : NOTHING;
    }

    boolean isWord(int place, String keyword) {
        return at(place).isWord(keyword);
    }

    boolean isSymbol(int place, String symbol) {
        return at(place).isSymbol(symbol);
    }

    /**
     * The places where INSERT, UPDATE, DELETE and MERGE are what the statement does, and no names: at its begin, at the begin of a query in
     * parentheses, and behind the queries of a WITH (documentation, 7.8.4). None where it only reads.
     */
    List<Integer> writingVerbs() {
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
