package siemload.run.procedure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import siemload.database.CounterReading;
import siemload.database.CounterReading.Category;
import siemload.database.CounterReading.Io;
import siemload.database.Counters;
import siemload.database.EventSink;
import siemload.database.RowReader;
import siemload.database.SearchException;
import siemload.database.SearchSession;
import siemload.database.Store;
import siemload.database.UnaskedSession;
import siemload.query.Order;
import siemload.query.Page;
import siemload.query.Search;
import siemload.query.SearchName;
import siemload.query.Window;
import siemload.results.DatabaseActivity;

class ServersIoTest {
    private static final Search ANY =
            new Search(SearchName.HAWAT1, Window.ALWAYS, List.of(), Order.NEWEST_FIRST, new Page.Numbered(1, 1));

    private final ServersIo io = new ServersIo();

    @Test
    void whatAllSessionsOfAllServersReadIsAddedUpOnceTheyHaveHandedItIn() {
        Server first = server(2, 10);
        Server second = server(1, 100);
        first.search(0);
        io.start();
        first.search(0);
        first.search(1);
        second.search(0);

        assertThat(counted()).containsExactly(new DatabaseActivity.Io("data", 120, 0, 0, 0, 0));
    }

    @Test
    void eachJobHasItsOwn() {
        Server server = server(1, 10);
        io.start();
        server.search(0);
        assertThat(counted()).extracting(DatabaseActivity.Io::reads).containsExactly(10L);
        io.start();
        server.search(0);
        server.search(0);

        assertThat(counted()).extracting(DatabaseActivity.Io::reads).containsExactly(20L);
    }

    @Test
    void nothingIsToldWhereOneServerDoesNot() {
        Server tells = server(1, 10);
        Server refuses = server(1, 10);
        refuses.refuses = true;
        io.start();
        tells.search(0);

        assertThat(counted()).isEmpty();
    }

    private List<DatabaseActivity.Io> counted() {
        Step step = new Step("job");
        io.addTo(step);
        return step.done().io();
    }

    private Server server(int sessions, long blocksOfSearch) {
        Server server = new Server(sessions, blocksOfSearch);
        io.add(server, server.sessions.stream().map(SearchSession.class::cast).toList());
        return server;
    }

    /** Its sessions keep what they counted until they are asked for it. */
    private static final class Server implements Store {
        private final List<KeepingSession> sessions;
        private long blocks;
        private boolean refuses;

        Server(int sessions, long blocksOfSearch) {
            this.sessions = Stream.generate(() -> new KeepingSession(blocksOfSearch))
                    .limit(sessions)
                    .toList();
        }

        void search(int session) {
            long unused = sessions.get(session).search(ANY, row -> {});
        }

        private final class KeepingSession extends UnaskedSession {
            private final long blocksOfSearch;
            private long kept;

            KeepingSession(long blocksOfSearch) {
                this.blocksOfSearch = blocksOfSearch;
            }

            @Override
            public long search(Search search, RowReader rows) {
                kept += blocksOfSearch;
                return 0;
            }

            @Override
            public boolean handInCounts() {
                blocks += kept;
                kept = 0;
                return true;
            }
        }

        @Override
        public Optional<Counters> openCounters() {
            return Optional.of(new Counters() {
                @Override
                public CounterReading read() {
                    if (refuses) {
                        throw new SearchException(SearchException.Kind.OTHER, "", "this user may not see that");
                    }
                    return new CounterReading(Map.of(Category.DATA, new Io(blocks, 0, 0, 0, 0)), Map.of(), Map.of());
                }

                @Override
                public List<String> gaps() {
                    return List.of();
                }

                @Override
                public void close() {}
            });
        }

        @Override
        public SearchSession openSession() {
            throw new UnsupportedOperationException();
        }

        @Override
        public EventSink openSink() {
            throw new UnsupportedOperationException();
        }

        @Override
        public long events() {
            return 0;
        }

        @Override
        public Presence presenceOf(Collection<String> ids) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void close() {}
    }
}
