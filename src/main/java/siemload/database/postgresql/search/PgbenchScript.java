package siemload.database.postgresql.search;

import java.util.ArrayList;
import java.util.List;
import siemload.database.sql.SqlStatement;

/**
 * A script of statements for pgbench. Immutable.
 *
 * @param text one statement after the other, with a variable for each value
 * @param definitions the arguments that give these variables their values
 */
record PgbenchScript(String text, List<String> definitions) {

    PgbenchScript {
        definitions = List.copyOf(definitions);
    }

    static PgbenchScript of(List<PostgresqlSearchSql> statements) {
        StringBuilder text = new StringBuilder();
        List<String> definitions = new ArrayList<>();
        for (PostgresqlSearchSql statement : statements) {
            text.append(SqlStatement.written(statement.text(), value -> {
                String name = "v" + definitions.size() / 2;
                definitions.addAll(List.of("-D", name + "=" + statement.values().get(value)));
                return ":" + name;
            }));
            text.append(";\n");
        }
        return new PgbenchScript(text.toString(), definitions);
    }
}
