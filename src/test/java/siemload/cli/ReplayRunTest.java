package siemload.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import siemload.config.directory.DirectoryTree;
import siemload.database.ServerAddress;
import siemload.database.postgresql.PostgresqlTestServer;
import siemload.database.querylog.HeardQueries;
import siemload.database.querylog.QueryLog;
import siemload.database.querylog.QueryLog.QueryLogListener.LoggedStatement;
import siemload.query.Statement.Effect;

@Tag("database")
@Tag("exhaustive")
class ReplayRunTest {
    @RegisterExtension
    static final PostgresqlTestServer SERVER = new PostgresqlTestServer("replay", 60, Map.of());

    @TempDir
    private Path directory;

    @BeforeAll
    static void startServer() throws Exception {
        SERVER.makeUser("reader");
        SERVER.execute("GRANT pg_read_all_data, pg_read_all_stats TO reader");
        for (String parameter : List.of(
                "logging_collector = on",
                "log_destination = 'csvlog,jsonlog'",
                "log_filename = 'queries.log'",
                "log_min_duration_statement = 0",
                "log_disconnections = on",
                "lc_messages = 'C'",
                "log_timezone = 'Europe/Prague'")) {
            SERVER.execute("ALTER SYSTEM SET " + parameter);
        }
    }

    /** A log of what comes now alone. */
    private static void startLog() {
        SERVER.restart(() -> {
            try {
                DirectoryTree.delete(log("csv").getParent());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }

    private static Path log(String format) {
        return SERVER.embedded().files().orElseThrow().resolve("log").resolve("queries." + format);
    }

    /** The logs so far, as files of their own: that of csv. */
    private Path taken(String name) throws IOException {
        SERVER.restart(() -> {});
        Files.copy(log("json"), directory.resolve(name + ".json"));
        return Files.copy(log("csv"), directory.resolve(name + ".csv"));
    }

    /** What each session has asked, in its order. */
    private static final class Sessions {
        private final Map<String, List<String>> asked = new TreeMap<>();
        private final List<String> inOrder = new ArrayList<>();
        private final String database;

        private Sessions(String database) {
            this.database = database;
        }

        static Sessions of(Path log, String database) throws IOException {
            HeardQueries heard = new HeardQueries();
            new QueryLog(heard, Effect.READS).read(log);
            assertThat(heard.unreadable()).isEmpty();
            Sessions sessions = new Sessions(database);
            heard.executed().forEach(sessions::add);
            return sessions;
        }

        Collection<List<String>> each() {
            return asked.values();
        }

        /** Whether these ended in this order, whatever others did between. */
        boolean endedInOrder(List<String> statements) {
            Iterator<String> ended = inOrder.iterator();
            return statements.stream().allMatch(statement -> {
                while (ended.hasNext()) {
                    if (ended.next().equals(statement)) {
                        return true;
                    }
                }
                return false;
            });
        }

        /** Of events alone: what siemload looks at beside them is another thing in each run. */
        private void add(LoggedStatement statement) {
            String text = statement.text().written(code -> code, name -> ":" + name);
            if (statement.client().database().equals(database) && text.contains("events")) {
                String executed = text + " " + statement.values();
                asked.computeIfAbsent(statement.client().session(), unused -> new ArrayList<>())
                        .add(executed);
                inOrder.add(executed);
            }
        }
    }

    private static Map<String, Integer> counts(Collection<List<String>> sessions) {
        Map<String, Integer> counts = new HashMap<>();
        sessions.forEach(asked -> asked.forEach(statement -> counts.merge(statement, 1, Integer::sum)));
        return counts;
    }

    @Test
    void aRunOfHawatIsAskedAgainStatementByStatementInTheOrderOfEachSession() throws Exception {
        startLog();
        ChildProcess.Ended hawat = run(
                SERVER.address(),
                "run hawat --dataset src/test/resources/datasets/tiny.yaml --users 60 --set analysts.all.thinkTime.mean=100ms --eps 40"
                        + " --set feeder.batch=10 --warmup 0s --duration 6s --allowBusyServer --yes --failOn breakdown");
        assertThat(hawat.exitCode()).as(hawat.output()).isZero();
        Path then = taken("then");
        String copied = onlyDatabaseIn(then, "siemload_run_");
        Path scenario = directory.resolve("again.yaml");

        ChildProcess.Ended learnt = run(
                SERVER.address(),
                "learn-queries --replay " + directory.resolve("then.json") + " --from " + copied
                        + " --program siemload --output " + scenario);
        assertThat(learnt.exitCode()).as(learnt.output()).isZero();
        assertThat(learnt.output())
                .contains("  writes, locks rows or calls a function that writes: ", "recording: " + directory);
        startLog();
        ChildProcess.Ended again = run(
                reader(keptData()),
                "run " + scenario + " --data existing --checks 0 --allowBusyServer --failOn breakdown");
        assertThat(again.exitCode()).as(again.output()).isZero();
        Path now = taken("now");

        Collection<List<String>> recorded = Sessions.of(then, copied).each();
        Sessions replayed = Sessions.of(now, "again");
        assertThat(counts(recorded).values().stream().mapToInt(count -> count).sum())
                .isGreaterThan(50);
        assertThat(counts(replayed.each())).isEqualTo(counts(recorded));
        assertThat(recorded).allMatch(replayed::endedInOrder);
        JsonNode replay = LatestRun.json(directory).at("/replays/0");
        assertThat(replay.at("/ended").asLong())
                .isEqualTo(replay.at("/recorded").asLong())
                .isEqualTo(replay.at("/due").asLong());
        assertThat(replay.at("/statements/0/thenMicros/p50").asLong()).isPositive();
        assertThat(replay.at("/statements/0/medianRatio").asDouble()).isPositive();
        assertThat(again.output()).contains("replayed, times in ms", "now/then");
    }

    /** A log that was taken while the server went on: its last line may be half of one. */
    private static String onlyDatabaseIn(Path log, String prefix) throws IOException {
        try (Stream<String> lines = Files.lines(log)) {
            List<String> found = lines.flatMap(
                            line -> Stream.of(line.split(",", 4)).skip(2).limit(1))
                    .map(name -> name.replace("\"", ""))
                    .filter(name -> name.startsWith(prefix))
                    .distinct()
                    .toList();
            assertThat(found).hasSize(1);
            return found.get(0);
        }
    }

    /** The url of a database with the data set that hawat has left on the server, to which nobody can connect. */
    private static String keptData() throws SQLException {
        List<String> kept = SERVER.databases("siemload_data_");
        assertThat(kept).hasSize(1);
        SERVER.execute("DROP DATABASE IF EXISTS again");
        SERVER.execute("CREATE DATABASE again TEMPLATE " + kept.get(0));
        return SERVER.url("again");
    }

    private static ServerAddress reader(String url) {
        return new ServerAddress(url, "reader", "reader");
    }

    private ChildProcess.Ended run(ServerAddress address, String command) throws Exception {
        return Siemload.run(
                directory, address, List.of(), Stream.of(command.split(" ", -1)).toList());
    }
}
