package siemload.database;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.assertj.core.api.ThrowingConsumer;
import siemload.database.Target.TargetOptions;
import siemload.query.Paging;
import siemload.query.Search;
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

    /** Opens events that a layout of one's own searches, with native indexes and by offset. */
    public static void events(
            TargetPlugin plugin, ServerAddress address, LayoutFolder layout, Consumer<ExistingEvents> asking) {
        events(plugin, address, layout, Duration.ofSeconds(20), asking);
    }

    /** The same with another timeout of searches. */
    public static void events(
            TargetPlugin plugin,
            ServerAddress address,
            LayoutFolder layout,
            Duration timeout,
            Consumer<ExistingEvents> asking) {
        TargetOptions options = new TargetOptions(variant(layout), timeout, 4);
        try (ExistingTarget target = plugin.connectExisting(address, options);
                ExistingEvents store = target.openEvents()) {
            asking.accept(store);
        }
    }

    /** Searches by a layout of one's own, with native indexes and by offset. */
    public static Variant variant(LayoutFolder layout) {
        return new Variant(
                layout.label(), Partitions.NONE, IndexSet.NATIVE, Hint.NONE, Paging.OFFSET, Optional.of(layout));
    }

    /** The ids of the events that a search finds, in their order; their number is the one that the session tells. */
    public static List<String> ids(ExistingEvents store, Search search) {
        List<String> ids = new ArrayList<>();
        try (SearchSession session = store.openSession()) {
            assertThat(session.search(search, row -> ids.add(row.id()))).isEqualTo(ids.size());
        }
        return ids;
    }
}
