package siemload.database.postgresql.search;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.util.List;
import siemload.database.PlainLookup;
import siemload.database.postgresql.connection.PostgresqlErrors;
import siemload.database.sql.RunConnection;
import siemload.query.Criterion;
import siemload.query.Order;
import siemload.query.Page;
import siemload.query.Search;
import siemload.query.SearchName;
import siemload.query.Window;

/** The driver's prepared statement with the text of the search by id, and nothing else. */
public final class PostgresqlLookup implements PlainLookup {
    private static final int EVENT = 3;

    private final RunConnection connection;
    private final String statement;

    public PostgresqlLookup(RunConnection connection, PostgresqlSearchStatements statements) {
        Search search = new Search(
                SearchName.DETAIL,
                Window.ALWAYS,
                List.of(new Criterion.IdIs("")),
                Order.NEWEST_FIRST,
                new Page.Numbered(1, 1));
        this.connection = connection;
        this.statement = statements.of(search).text();
    }

    @Override
    public int lookUp(String id) {
        return PostgresqlErrors.INSTANCE.attemptInRun(() -> {
            PreparedStatement prepared = connection.statement(statement);
            prepared.setString(1, id);
            try (ResultSet row = prepared.executeQuery()) {
                return row.next() ? row.getBytes(EVENT).length : 0;
            }
        });
    }

    @Override
    public void close() {
        connection.close();
    }
}
