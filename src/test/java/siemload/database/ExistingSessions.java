package siemload.database;

import java.util.List;
import org.assertj.core.api.ThrowingConsumer;
import siemload.query.Statement;

/** Asks a database that is there already, over connections that are closed again. Stateless. */
public final class ExistingSessions {
    private ExistingSessions() {}

    /** Opens these statements. */
    public static void open(
            ExistingTarget target, List<Statement> statements, ThrowingConsumer<StatementStore> asking) {
        try (target;
                StatementStore store = target.open(statements)) {
            asking.accept(store);
        }
    }

    /** Opens a session in which these statements can be asked. */
    public static void ask(ExistingTarget target, List<Statement> statements, ThrowingConsumer<SearchSession> asking) {
        open(target, statements, store -> {
            try (SearchSession session = store.openSession()) {
                asking.accept(session);
            }
        });
    }
}
