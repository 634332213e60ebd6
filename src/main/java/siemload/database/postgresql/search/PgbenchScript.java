package siemload.database.postgresql.search;

import java.util.ArrayList;
import java.util.List;

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
            int value = 0;
            for (String part : statement.text().split("\\?", -1)) {
                if (value > 0) {
                    String name = "v" + definitions.size() / 2;
                    definitions.addAll(
                            List.of("-D", name + "=" + statement.values().get(value - 1)));
                    text.append(':').append(name);
                }
                text.append(part);
                value++;
            }
            text.append(";\n");
        }
        return new PgbenchScript(text.toString(), definitions);
    }
}
