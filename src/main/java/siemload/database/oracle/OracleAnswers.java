package siemload.database.oracle;

import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.util.List;
import java.util.Objects;
import java.util.function.BiFunction;
import java.util.function.Function;
import siemload.database.Plan;
import siemload.database.sql.SearchRows;
import siemload.event.AddressRange;
import siemload.query.Field;

/**
 * What answers to searches mean. Immutable and thread-safe.
 *
 * @param rows reads the rows
 * @param values reads a value of a summary
 * @param plans reads the lines of a plan
 * @param transactions in what statements run
 */
record OracleAnswers(
        SearchRows rows,
        BiFunction<Field, String, String> values,
        Function<List<String>, Plan> plans,
        Transactions transactions) {
    private static final int EVENT = 3;

    private static final SearchRows OF_EVENTS =
            new SearchRows(row -> ColumnValues.readId(row.getBytes(1)), OracleAnswers::time, OracleErrors.INSTANCE);

    /** Of tables that nobody here has made: ids and events are text. */
    static final OracleAnswers OF_OTHERS = new OracleAnswers(
            new SearchRows(
                    row -> row.getString(1),
                    OracleAnswers::time,
                    row -> Objects.requireNonNullElse(row.getString(EVENT), "").getBytes(StandardCharsets.UTF_8),
                    OracleErrors.INSTANCE),
            (field, text) -> field == Field.SOURCE ? AddressRange.parse(text).toString() : text,
            PlanText::readOfOthers,
            Transactions.READING);

    /** In what a statement runs. */
    enum Transactions {
        /** In none but its own. */
        NONE,
        /** In one that begins as READ ONLY. */
        READING
    }

    /** Of the tables of a run. */
    static OracleAnswers of(TableGroup tables) {
        return new OracleAnswers(
                OF_EVENTS,
                ColumnValues::readValue,
                lines -> PlanText.read(lines, tables.prefix(), tables.layout().tableNames()),
                Transactions.NONE);
    }

    private static Instant time(ResultSet row) throws SQLException {
        return ColumnValues.readTime(row.getObject(2, LocalDateTime.class));
    }
}
