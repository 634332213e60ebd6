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
            Target target, List<Statement> statements, ThrowingConsumer<Store> asking) {
        try (target;
                Store store = target.openStatements(statements)) {
            asking.accept(store);
        }
    }

    /** Opens a session in which these statements can be asked. */
    public static void ask(Target target, List<Statement> statements, ThrowingConsumer<SearchSession> asking) {
        open(target, statements, store -> {
            try (SearchSession session = store.openSession()) {
                asking.accept(session);
            }
        });
    }

    /** Opens events that a layout of one's own searches, with native indexes and by offset. */
    public static void events(
            TargetPlugin plugin, ServerAddress address, LayoutFolder layout, Consumer<Store> asking) {
        events(plugin, address, layout, Duration.ofSeconds(20), asking);
    }

    /** The same with another timeout of searches. */
    public static void events(
            TargetPlugin plugin,
            ServerAddress address,
            LayoutFolder layout,
            Duration timeout,
            Consumer<Store> asking) {
        TargetOptions options = new TargetOptions(variant(layout), timeout, 4);
        try (Target target = plugin.connectExisting(address, options);
                Store store = target.openEvents()) {
            asking.accept(store);
        }
    }

    /** Searches by a layout of one's own, with native indexes and by offset. */
    public static Variant variant(LayoutFolder layout) {
        return new Variant(
                layout.label(), Partitions.NONE, IndexSet.NATIVE, Hint.NONE, Paging.OFFSET, Optional.of(layout));
    }

    /** The ids of the events that a search finds, in their order; their number is the one that the session tells. */
    public static List<String> ids(Store store, Search search) {
        List<String> ids = new ArrayList<>();
        try (SearchSession session = store.openSession()) {
            assertThat(session.search(search, row -> ids.add(row.id()))).isEqualTo(ids.size());
        }
        return ids;
    }
}
