package siemload.database;

import java.util.List;

/**
 * What a database has counted of statements. Immutable.
 *
 * @param statements that can be asked again; the same text may come several times
 * @param leftOut what is not asked again
 * @param notes what must be known of the counts, for people, a line each
 */
public record StatementCounts(List<CountedStatement> statements, List<LeftOut> leftOut, List<String> notes) {
    public StatementCounts {
        statements = List.copyOf(statements);
        leftOut = List.copyOf(leftOut);
        notes = List.copyOf(notes);
    }

    /**
     * Something that is not asked again.
     *
     * @param database it was sent to, as the snapshot calls it; empty where it does not say
     * @param reason one of few, as a group of words that can be counted
     * @param text as the snapshot has it
     * @param calls how often it was executed
     */
    public record LeftOut(String database, String reason, String text, long calls) {}
}
