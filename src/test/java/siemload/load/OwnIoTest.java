package siemload.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import siemload.database.Counters.CounterReading.Category;
import siemload.database.Counters.CounterReading.Io;
import siemload.database.SearchException;
import siemload.database.SearchSession.RowReader;
import siemload.database.TargetPlugin.OwnCounts;
import siemload.database.UnaskedSession;
import siemload.measure.TickIo;
import siemload.query.Order;
import siemload.query.Page;
import siemload.query.PageClass;
import siemload.query.Search;
import siemload.query.SearchName;
import siemload.query.Window;
import siemload.results.SearchResult.Asked;

class OwnIoTest {
    private static final Search ANY =
            new Search(SearchName.HAWAT1, Window.ALWAYS, List.of(), Order.NEWEST_FIRST, new Page.Numbered(1, 1));
    private static final SearchRequest OF_USER =
            new SearchRequest(ANY, PageClass.FIRST, Asked.FIRST, 0, 0, SearchRequest.Keep.NOTHING, Optional.empty(), 0);
    private static final SearchRequest OF_TICK = OF_USER.counting(true);

    private final ReadingSession session = new ReadingSession();
    private final OwnIo own = OwnIo.of(session);

    @Test
    void aTickIsCountedWhereItsSessionIsAtNothing() {
        assertThat(blocksRead(searched(OF_TICK)))
                .as("at nothing from the start")
                .isEqualTo(10);
        assertThat(blocksRead(searched(OF_TICK)))
                .as("it needs no rest after itself")
                .isEqualTo(10);
    }

    @Test
    void aTickBehindTheSearchOfAUserIsCountedAfterARestOnly() {
        searched(OF_USER);
        assertThat(searched(OF_TICK)).isEqualTo(TickIo.NONE);
        own.rest();

        assertThat(blocksRead(searched(OF_TICK))).isEqualTo(10);
    }

    @Test
    void ofATickWithACountBothAreTold() {
        TickIo rows = OwnIo.tickIo(Map.of(Category.DATA, new Io(3, 0, 0, 0, 4), Category.REDO, new Io(0, 0, 0, 5, 0)));
        TickIo count =
                OwnIo.tickIo(Map.of(Category.DATA, new Io(30, 0, 0, 0, 40), Category.REDO, new Io(0, 0, 0, 50, 0)));

        assertThat(rows.plus(count).figures())
                .containsExactlyInAnyOrderEntriesOf(
                        Map.of("dataBlocksRead", 33L, "dataBlocksHit", 44L, "redoBytes", 55L));
        assertThat(rows.plus(TickIo.NONE)).isEqualTo(TickIo.NONE);
    }

    private TickIo searched(SearchRequest request) {
        own.begin(request);
        session.search(ANY, row -> {});
        return own.answered();
    }

    private static Long blocksRead(TickIo io) {
        return io.figures().get("dataBlocksRead");
    }

    /** Each search reads ten blocks; counts are handed in when they are asked for alone. */
    private static final class ReadingSession extends UnaskedSession implements OwnCounts {
        private long blocks = 10;
        private int asked;
        private boolean refuses;

        @Override
        public long search(Search search, RowReader rows) {
            blocks += 10;
            return 0;
        }

        @Override
        public Optional<OwnCounts> ownCounts() {
            return Optional.of(this);
        }

        @Override
        public boolean reset() {
            asked++;
            if (refuses) {
                throw new SearchException(SearchException.Kind.OTHER, "", "this user may not see that");
            }
            blocks = 0;
            return true;
        }

        @Override
        public void start() {
            asked++;
        }

        @Override
        public Map<Category, Io> take() {
            asked++;
            Map<Category, Io> counted = Map.of(Category.DATA, new Io(blocks, 0, 0, 0, 0));
            blocks = 0;
            return counted;
        }
    }
}
