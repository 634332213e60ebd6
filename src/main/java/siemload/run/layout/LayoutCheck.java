package siemload.run.layout;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntConsumer;
import siemload.database.SearchException;
import siemload.database.SearchSession;
import siemload.database.Store;
import siemload.database.Store.DayRemoval;
import siemload.database.Store.EventSink;
import siemload.database.TargetException;
import siemload.event.SecurityEvent;
import siemload.query.Order;
import siemload.query.Page;
import siemload.query.Search;
import siemload.query.SearchName;
import siemload.query.Window;

/** Feeds a store of a layout, and holds its answers against the right ones. Stateless. */
public final class LayoutCheck {
    private static final String UNKNOWN_ID = "no event has this id";

    private LayoutCheck() {}

    /**
     * Feeds events as the feeder does, the first half of them twice, as it does when it does not know whether they were stored.
     *
     * @return what is wrong then; empty where nothing is
     */
    public static Optional<String> feed(Store store, List<SecurityEvent> loaded, List<SecurityEvent> fed) {
        try (EventSink sink = store.openSink()) {
            List<SecurityEvent> half = fed.subList(0, fed.size() / 2);
            sink.write(half);
            sink.write(half);
            sink.write(fed.subList(fed.size() / 2, fed.size()));
        } catch (SearchException failed) {
            return Optional.of("feeding fails: " + failed.getMessage());
        }
        long unknown = store.presenceOf(List.of(UNKNOWN_ID)).found();
        if (unknown != 0) {
            return Optional.of("the file presence finds " + unknown + " events with an id that none has");
        }
        List<String> ids = new ArrayList<>(fed.stream().map(SecurityEvent::id).toList());
        ids.add(UNKNOWN_ID);
        Store.Presence presence = store.presenceOf(ids);
        if (presence.found() != fed.size() || presence.duplicated() != 0) {
            return Optional.of("of " + fed.size() + " fed events the file presence finds " + presence.found() + ", "
                    + presence.duplicated() + " of them more than once (right: all of them, each once)");
        }
        long events = store.events();
        int all = loaded.size() + fed.size();
        return events == all
                ? Optional.empty()
                : Optional.of("counting all events gives " + events + " instead of " + all);
    }

    /**
     * Asks all questions.
     *
     * @param progress hears how many more answers were looked at
     * @return the first wrong answer; empty where all are right
     */
    public static Optional<String> check(Store store, LayoutQuestions questions, IntConsumer progress) {
        try (SearchSession session = store.openSession()) {
            return questions.firstWrong(session, progress);
        }
    }

    /**
     * Removes the events of a day, and looks whether these are gone and all others are there.
     *
     * @param all the events of the store
     * @return what is wrong then; empty where nothing is
     */
    public static Optional<String> removeDay(Store store, DayRemoval removal, Window day, List<SecurityEvent> all) {
        try {
            var unused = removal.remove(day);
        } catch (TargetException refused) {
            return Optional.of("it fails: " + refused.getMessage());
        }
        List<SecurityEvent> left =
                all.stream().filter(event -> !day.contains(event.detectTime())).toList();
        List<String> gone = all.stream()
                .filter(event -> day.contains(event.detectTime()))
                .map(SecurityEvent::id)
                .toList();
        Store.Presence still = store.presenceOf(gone);
        Store.Presence others =
                store.presenceOf(left.stream().map(SecurityEvent::id).toList());
        if (still.found() != 0 || others.found() != left.size()) {
            return Optional.of(still.found() + " of the " + gone.size() + " events of the day are still there, and "
                    + others.found() + " of the " + left.size() + " others (right: none, and all of them)");
        }
        return store.events() == left.size() ? found(store, left) : counted(store, left);
    }

    private static Optional<String> counted(Store store, List<SecurityEvent> left) {
        return Optional.of("counting all events gives " + store.events() + " instead of " + left.size());
    }

    private static Optional<String> found(Store store, List<SecurityEvent> left) {
        Search everything =
                new Search(new SearchName("MENTAT"), Window.ALWAYS, List.of(), Order.UNSORTED, new Page.Whole());
        Set<String> ids = new HashSet<>();
        left.forEach(event -> ids.add(event.id()));
        try (SearchSession session = store.openSession()) {
            long rows = session.search(everything, row -> ids.remove(row.id()));
            return rows == left.size() && ids.isEmpty()
                    ? Optional.empty()
                    : Optional.of("a search for all events finds " + rows + " instead of " + left.size());
        } catch (SearchException failed) {
            return Optional.of("the search for all events fails: " + failed.getMessage());
        }
    }
}
