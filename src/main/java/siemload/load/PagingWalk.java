package siemload.load;

import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import siemload.query.PageKey;
import siemload.query.Paging;
import siemload.query.Window;
import siemload.results.PagingTruth;

/** The rows of one walk through the pages of the newest events. Used by one thread. */
final class PagingWalk {
    private final Paging paging;
    private final Set<String> shown = new LinkedHashSet<>();
    private Optional<PageKey> oldest = Optional.empty();
    private Optional<PageKey> newest = Optional.empty();
    private long pages;
    private long rows;

    PagingWalk(Paging paging) {
        this.paging = paging;
    }

    /** Takes the rows of the next page. */
    void page(List<PageKey> keys) {
        pages++;
        rows += keys.size();
        for (PageKey key : keys) {
            shown.add(key.id());
            oldest = oldest.filter(known -> PageKey.OLDEST_FIRST.compare(known, key) <= 0)
                    .or(() -> Optional.of(key));
            newest = newest.filter(known -> PageKey.OLDEST_FIRST.compare(known, key) >= 0)
                    .or(() -> Optional.of(key));
        }
    }

    /**
     * The detect times from the oldest to the newest row; empty where no row was shown. These need not be the last and the
     * first one: where more events arrive than pages are turned, pages by offset move forward in time.
     */
    Optional<Window> window() {
        return oldest.map(first ->
                new Window(first.detectTime(), newest.orElseThrow().detectTime().plusNanos(1_000)));
    }

    /**
     * Compares the pages with the events that are there.
     *
     * @param between all events of {@link #window}, as they are now
     * @param wasThere whether the event with this id was certainly there before the first page was asked for
     */
    PagingTruth truth(List<PageKey> between, Predicate<String> wasThere) {
        Set<String> missed = new HashSet<>();
        for (PageKey key : between) {
            if (isBetween(key) && !shown.contains(key.id()) && wasThere.test(key.id())) {
                missed.add(key.id());
            }
        }
        return new PagingTruth(paging.label(), 1, pages, rows, missed.size(), rows - shown.size(), 0);
    }

    private boolean isBetween(PageKey key) {
        return PageKey.OLDEST_FIRST.compare(key, oldest.orElseThrow()) >= 0
                && PageKey.OLDEST_FIRST.compare(key, newest.orElseThrow()) <= 0;
    }
}
