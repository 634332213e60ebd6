package siemload.run;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import siemload.database.SearchSession;
import siemload.database.Store;
import siemload.dataset.EventSource;
import siemload.event.EventFormatException;
import siemload.event.IdeaReader;
import siemload.query.Order;
import siemload.query.Page;
import siemload.query.Search;
import siemload.query.SearchName;
import siemload.query.Window;

/**
 * What the newest row of a store shows. Immutable.
 *
 * @param contents what stands beside id and detect time
 */
@SuppressWarnings("ArrayRecordComponent") // Never compared.
record SeenRow(byte[] contents) {

    /**
     * Asks for it; empty where there is none.
     *
     * @throws siemload.database.SearchException if it cannot be had
     */
    static Optional<SeenRow> of(Store store, EventSource events) {
        Window all = new Window(events.first(), events.until());
        Search newest =
                new Search(new SearchName("MENTAT"), all, List.of(), Order.NEWEST_FIRST, new Page.Numbered(1, 1));
        List<SeenRow> rows = new ArrayList<>();
        try (SearchSession session = store.openSession()) {
            session.search(newest, row -> rows.add(new SeenRow(row.idea())));
        }
        return rows.stream().findFirst();
    }

    /** Why it cannot be read as an IDEA event; empty if it can. */
    Optional<String> refusal() {
        try {
            var unused = new IdeaReader().read(contents);
            return Optional.empty();
        } catch (EventFormatException wrong) {
            return Optional.of(String.valueOf(wrong.getMessage()));
        }
    }
}
