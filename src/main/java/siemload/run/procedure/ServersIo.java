package siemload.run.procedure;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import siemload.database.CounterReading;
import siemload.database.CounterReading.Category;
import siemload.database.CounterReading.Io;
import siemload.database.SearchException;
import siemload.database.SearchSession;
import siemload.database.Store;
import siemload.database.TargetException;
import siemload.measure.monitor.SessionIo;

/**
 * What all servers of a procedure read and wrote together for something that several sessions did. Servers that do not let us see
 * their counters search all the same: then nothing is told. Used by one thread, while the sessions do nothing else.
 */
final class ServersIo implements AutoCloseable {
    private final List<Server> servers = new ArrayList<>();
    private boolean counts = true;

    private record Server(SessionIo io, List<SearchSession> sessions) {}

    /** Adds a server, with the sessions that work on it. */
    void add(Store store, List<SearchSession> sessions) {
        servers.add(new Server(new SessionIo(store::openCounters), List.copyOf(sessions)));
    }

    /** Starts to count. */
    void start() {
        try {
            if (counts) {
                servers.forEach(server -> server.io().start(server.sessions()));
            }
        } catch (SearchException | TargetException untold) {
            counts = false;
        }
    }

    /** Adds what was read and written since then to a step, where all servers tell it. */
    void addTo(Step step) {
        try {
            if (counts) {
                sinceStart().ifPresent(step::readAndWritten);
            }
        } catch (SearchException | TargetException untold) {
            counts = false;
        }
    }

    private Optional<CounterReading> sinceStart() {
        Map<Category, Io> sum = new EnumMap<>(Category.class);
        for (Server server : servers) {
            Optional<CounterReading> counted = server.io().sinceStart(server.sessions());
            if (counted.isEmpty()) {
                return Optional.empty();
            }
            counted.orElseThrow().io().forEach((category, io) -> sum.merge(category, io, Io::plus));
        }
        return Optional.of(new CounterReading(sum, Map.of(), Map.of()));
    }

    @Override
    public void close() {
        servers.forEach(server -> server.io().close());
    }
}
