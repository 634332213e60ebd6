package siemload.database.oracle;

import java.util.List;
import siemload.database.sql.SqlStatement;

/** The tables, indexes and statements of which a run reads what the instance counts. Immutable and thread-safe. */
record CountedObjects(Question segments, Question statements) {

    /** Those of any user, and the statements of the run's own user: whose a table is that was there before, nobody says. */
    static final CountedObjects OF_USERS = new CountedObjects(
            new Question("v$segment_statistics or dba_tablespaces", "segments-of-users", List.of()),
            new Question("v$sql or v$sqlstats", "statements-of-user", List.of()));

    /** Those of one data set or of one run's copy of it. */
    static CountedObjects of(TableGroup tables) {
        return new CountedObjects(
                new Question("v$segment_statistics", "segments", List.of(tables.prefix() + "%")),
                new Question("v$sqlstats", "statements", List.of("%" + tables.prefix() + "%")));
    }

    /**
     * What is asked of views that not every user may see.
     *
     * @param views for people
     * @param file what the name of its file ends with
     * @param values of the file
     */
    record Question(String views, String file, List<String> values) {
        Question {
            values = List.copyOf(values);
        }

        SqlStatement statement() {
            return TableGroup.FILES.read("server/counters-" + file + ".sql");
        }

        Object[] given() {
            return values.toArray();
        }
    }
}
