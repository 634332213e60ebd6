package siemload.database.sql;

import java.time.Instant;
import java.time.OffsetDateTime;
import siemload.database.Target.ServerClock;

/**
 * The clock of a server, or of that of its instances which answers, to the microsecond, over a connection that stays open.
 *
 * @param question asks for its time, with an offset from UTC
 */
public record SqlClock(RunConnection connection, SqlStatement question) implements ServerClock {

    @Override
    public Instant now() {
        return connection.answer(open -> SqlStatement.row(
                        connection.statement(question.sql()), row -> row.getObject(1, OffsetDateTime.class))
                .toInstant());
    }

    @Override
    public void close() {
        connection.close();
    }
}
