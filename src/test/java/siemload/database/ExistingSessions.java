package siemload.database;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.assertj.core.api.ThrowingConsumer;
import siemload.database.SearchSession.ResultCursor;
import siemload.database.Target.TargetOptions;
import siemload.query.Criterion;
import siemload.query.Order;
import siemload.query.Page;
import siemload.query.PageKey;
import siemload.query.Paging;
import siemload.query.Search;
import siemload.query.SearchName;
import siemload.query.Statement;
import siemload.query.Window;

/** Asks a database that is there already, over connections that are closed again. Stateless. */
public final class ExistingSessions {
    private ExistingSessions() {}

    /** Opens these statements. */
    public static void open(Target target, List<Statement> statements, ThrowingConsumer<Store> asking) {
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
    public static void events(TargetPlugin plugin, ServerAddress address, LayoutFolder layout, Consumer<Store> asking) {
        Variant variant = new Variant(
                layout.label(), Partitions.NONE, IndexSet.NATIVE, Hint.NONE, Paging.OFFSET, Optional.of(layout));
        try (Target target = plugin.connectExisting(address, new TargetOptions(variant, Duration.ofSeconds(20), 4));
                Store store = target.openEvents()) {
            asking.accept(store);
        }
    }

    /** The ids of the events that a search finds, in their order; their number is the one that the session tells. */
    public static List<String> ids(Store store, Search search) {
        List<String> ids = new ArrayList<>();
        try (SearchSession session = store.openSession()) {
            assertThat(session.search(search, row -> ids.add(row.id()))).isEqualTo(ids.size());
        }
        return ids;
    }

    /**
     * Reads pages and a cursor of the newest events that meet a criterion.
     *
     * @param all their ids in that order, 60 or more
     */
    public static void pagesHaveTheOrderOf(List<String> all, Store store, Criterion criterion) {
        assertThat(ids(store, newest(criterion, new Page.Numbered(20, 3)))).isEqualTo(all.subList(40, 60));
        assertThat(ids(store, newest(criterion, new Page.Last(7)))).isEqualTo(all.subList(all.size() - 7, all.size()));
        List<PageKey> keys = new ArrayList<>();
        try (SearchSession session = store.openSession()) {
            session.search(newest(criterion, new Page.Numbered(20, 1)), row -> keys.add(row.key()));
            assertThat(ids(store, newest(criterion, new Page.After(20, keys.get(19)))))
                    .isEqualTo(all.subList(20, 40));
            List<String> read = new ArrayList<>();
            try (ResultCursor cursor = session.open(newest(criterion, new Page.Whole()))) {
                cursor.next(30, row -> read.add(row.id()));
                cursor.next(30, row -> read.add(row.id()));
            }
            assertThat(read).isEqualTo(all.subList(0, 60));
            assertThat(session.count(newest(criterion, new Page.Whole()))).isEqualTo(all.size());
        }
    }

    private static Search newest(Criterion criterion, Page page) {
        return new Search(new SearchName("HAWAT4"), Window.ALWAYS, List.of(criterion), Order.NEWEST_FIRST, page);
    }
}
