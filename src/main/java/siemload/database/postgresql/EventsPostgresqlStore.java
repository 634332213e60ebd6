package siemload.database.postgresql;

import java.sql.SQLException;
import java.util.List;
import siemload.database.Hint;
import siemload.database.SearchSession;
import siemload.database.postgresql.connection.PostgresqlConnections;
import siemload.database.postgresql.layout.Layout;
import siemload.database.postgresql.search.EventAsking;
import siemload.database.postgresql.search.PlannerGuide;
import siemload.database.postgresql.search.PostgresqlSearchStatements;
import siemload.database.postgresql.search.PostgresqlSession;
import siemload.database.postgresql.search.PostgresqlSession.Transactions;
import siemload.database.sql.layout.EventQueries;
import siemload.database.sql.layout.QueriedEvents;

/** One whose events are searched by a layout without loading. Each search is a transaction of its own, which begins as READ ONLY. */
final class EventsPostgresqlStore extends ExistingPostgresqlStore implements QueriedEvents {
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
    public EventQueries queries() {
        EventAsking asking = new EventAsking(watched(connections().searchingExisting(List.of())), watchers());
        return new EventQueries(asking, layout.texts(), place());
    }
}
