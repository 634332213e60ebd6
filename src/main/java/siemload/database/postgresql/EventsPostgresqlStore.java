package siemload.database.postgresql;

import java.sql.SQLException;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import siemload.database.ExistingEvents;
import siemload.database.Hint;
import siemload.database.SearchException;
import siemload.database.SearchSession;
import siemload.database.TargetException;
import siemload.database.postgresql.connection.PostgresqlConnections;
import siemload.database.postgresql.layout.Layout;
import siemload.database.postgresql.search.EventQueries;
import siemload.database.postgresql.search.PlannerGuide;
import siemload.database.postgresql.search.PostgresqlSearchStatements;
import siemload.database.postgresql.search.PostgresqlSession;
import siemload.database.postgresql.search.PostgresqlSession.Transactions;
import siemload.query.CountedValue;
import siemload.query.PageClass;
import siemload.query.Search;
import siemload.query.ValueField;

/** One whose events are searched by a layout without loading. Each search is a transaction of its own, which begins as READ ONLY. */
final class EventsPostgresqlStore extends ExistingPostgresqlStore implements ExistingEvents {
    private final Layout layout;
    private final PlannerGuide guide;
    private final PostgresqlSearchStatements statements;

    EventsPostgresqlStore(PostgresqlConnections connections, Layout layout, PlannerGuide guide) throws SQLException {
        super(connections);
        this.layout = layout;
        this.guide = guide;
        this.statements = new PostgresqlSearchStatements(layout, guide);
    }

    @Override
    public SearchSession openSession() {
        return session(guide, statements);
    }

    @Override
    public SearchSession openSession(Hint hint) {
        PlannerGuide other = new PlannerGuide(hint, guide.workersAtLeast());
        return session(other, new PostgresqlSearchStatements(layout, other));
    }

    private PostgresqlSession session(PlannerGuide told, PostgresqlSearchStatements written) {
        return new PostgresqlSession(
                watched(connections().searchingExisting(told.settings())), watchers(), written, Transactions.ALWAYS);
    }

    @Override
    public Span span() {
        try (EventQueries queries = queries()) {
            return queries.span();
        } catch (SearchException wrong) {
            throw new TargetException("times.sql failed in " + place() + ": " + wrong.getMessage(), wrong);
        }
    }

    @Override
    public Map<ValueField, List<CountedValue>> values(int most) {
        Map<ValueField, List<CountedValue>> values = new EnumMap<>(ValueField.class);
        try (EventQueries queries = queries()) {
            for (ValueField field : queries.fields()) {
                values.put(field, values(queries, field, most));
            }
        }
        return values;
    }

    private List<CountedValue> values(EventQueries queries, ValueField field, int most) {
        try {
            return queries.values(field, most);
        } catch (SearchException wrong) {
            throw new TargetException(
                    "values.sql failed in " + place() + ", query " + field.label() + ": " + wrong.getMessage(), wrong);
        }
    }

    private EventQueries queries() {
        return new EventQueries(watched(connections().searchingExisting(List.of())), watchers(), layout);
    }

    @Override
    public Optional<String> refusal(Search search, PageClass page) {
        return statements.missingFile(search, page);
    }
}
