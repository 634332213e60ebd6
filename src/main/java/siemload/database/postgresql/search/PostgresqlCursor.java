package siemload.database.postgresql.search;

import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import siemload.database.ResultCursor;
import siemload.database.RowReader;
import siemload.database.SearchException;
import siemload.database.postgresql.connection.SqlTemplate;

/** A cursor of the server in a transaction of its own, which stays open between two pages. */
final class PostgresqlCursor implements ResultCursor {
    private final SearchConnection connection;
    private boolean closed;

    private PostgresqlCursor(SearchConnection connection) {
        this.connection = connection;
    }

    static PostgresqlCursor declare(SearchConnection connection, PostgresqlSearchSql sql) {
        String declare = SqlTemplate.read("server/declare-cursor.sql", Map.of("statement", sql.text()))
                .sql();
        return connection.answer(() -> {
            connection.begin();
            try {
                connection.prepare(declare, sql.values()).execute();
                return new PostgresqlCursor(connection);
            } catch (SQLException e) {
                connection.rollBack();
                throw e;
            }
        });
    }

    @Override
    public long next(int size, RowReader rows) {
        if (closed) {
            throw new IllegalStateException("the cursor is closed: its session did something else, or a page failed");
        }
        String fetch = SqlTemplate.read("server/fetch-page.sql", Map.of("size", Integer.toString(size)))
                .sql();
        try {
            return connection.answer(() -> PostgresqlRow.readAll(connection.prepare(fetch, List.of()), rows));
        } catch (SearchException e) {
            close();
            throw e;
        }
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            connection.rollBack();
        }
    }
}
