package siemload.database.querylog;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import siemload.query.SqlLexer.Kind;
import siemload.query.SqlLexer.Token;

/**
 * Where INSERT, UPDATE, DELETE and MERGE are what a statement does, and no names: at its begin, at the begin of a query in parentheses,
 * and behind the queries of a WITH (documentation, 7.8.4). Stateless and thread-safe.
 */
final class WritingVerbs {
    private static final Set<String> WRITING = Set.of("insert", "update", "delete", "merge");
    private static final Set<String> READING = Set.of("select", "values", "table");

    private WritingVerbs() {}

    /** The places of the verbs among the tokens of one statement, in their order; none where it only reads. */
    static List<Integer> places(List<Token> tokens) {
        List<Integer> places = new ArrayList<>();
        int begin = 0;
        while (begin < tokens.size() && tokens.get(begin).kind() == Kind.HINT) {
            begin++;
        }
        boolean awaitsVerb = begin < tokens.size() && tokens.get(begin).isWord("with");
        int depth = 0;
        for (int at = begin; at < tokens.size(); at++) {
            Token here = tokens.get(at);
            depth += here.isSymbol("(") ? 1 : here.isSymbol(")") ? -1 : 0;
            boolean isBegin = at == begin || tokens.get(at - 1).isSymbol("(");
            boolean isBehindWith = awaitsVerb && depth == 0 && isVerb(tokens, at);
            if (isWriting(tokens, at) && (isBegin || isBehindWith)) {
                places.add(at);
            }
            awaitsVerb = awaitsVerb && !isBehindWith;
        }
        return places;
    }

    private static boolean isWriting(List<Token> tokens, int at) {
        return WRITING.contains(tokens.get(at).folded()) && isFollowedByName(tokens, at);
    }

    /** A query of a WITH may have any of these as its name, behind which stands AS or a list of columns. */
    private static boolean isVerb(List<Token> tokens, int at) {
        return isWriting(tokens, at)
                || (READING.contains(tokens.get(at).folded())
                        && !tokens.get(at + 1 < tokens.size() ? at + 1 : at).isWord("as"));
    }

    private static boolean isFollowedByName(List<Token> tokens, int at) {
        return at + 1 < tokens.size()
                && tokens.get(at + 1).kind() != Kind.SYMBOL
                && !tokens.get(at + 1).isWord("as");
    }
}
