package siemload.database.querylog;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import siemload.GoldenFile;
import siemload.query.Statement.Effect;

@Tag("every-java")
class QueryLogTest {
    /** The columns between the time and the severity. */
    private static final String CSV =
            ",\"ann\",\"shop\",77,\"127.0.0.1:5\",65e1.4d,1,\"SELECT\",2024-03-01 11:00:00 CET,3/0,0,";

    /** The columns after the detail. */
    private static final String END = ",,,,,,,,\"till\",\"client backend\",,0";

    @TempDir
    private Path directory;

    private static String record(String message, String detail) {
        return "2024-03-01 12:00:00.500 CET" + CSV + "LOG,00000," + quoted(message) + "," + quoted(detail) + END + "\n";
    }

    private static String quoted(String text) {
        return text.isEmpty() ? "" : '"' + text.replace("\"", "\"\"") + '"';
    }

    /** Each case in {@code golden/query-log.txt} is a message with its detail, and the results without and with statements that write. */
    @Test
    void whatCannotBeAskedAgainIsLeftOutWithItsReason() throws IOException {
        GoldenFile.of("query-log.txt").assertEach(line -> {
            String[] parts = (line + " || ").replace("\\n", "\n").split(" \\|\\| ", -1);
            return Stream.of(Effect.values())
                    .map(effect -> effect + ": " + told(effect, record(parts[0], parts[1])))
                    .collect(Collectors.joining("\n"));
        });
    }

    private String told(Effect wanted, String record) {
        HeardQueries all = new HeardQueries();
        try {
            new QueryLog(all, wanted).read(Files.writeString(directory.resolve("log"), record));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return all.executed().isEmpty()
                ? "left out, it " + String.join(", ", all.leftOut)
                : all.only().effect() + " " + written(all, 0) + " " + all.only().values();
    }

    /** Each case in {@code golden/query-logs.txt} is the text of a log, and the contents that are read from it. */
    @Test
    void logsAreReadAsServersWriteThem() throws IOException {
        GoldenFile.of("query-logs.txt").assertEach(line -> {
            HeardQueries all = new HeardQueries();
            QueryLog log = new QueryLog(all, Effect.READS);
            for (String file : line.replace("<csv>", CSV).replace("</csv>", END).split("<next>", -1)) {
                try {
                    long unused = log.read(Files.writeString(directory.resolve("log"), file.translateEscapes()));
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }
            return all.told();
        });
    }

    @Test
    void ofAPackedFileThatEndsEarlyTheRecordsBeforeTheBreakAreRead() throws IOException {
        Path packed = directory.resolve("log.csv.gz");
        String message = "duration: 1 ms  statement: SELECT 1 FROM t";
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(packed))) {
            for (int i = 0; i < 20_000; i++) {
                out.write(record(message + " -- " + Integer.toHexString(i * 0x9E3779B1), "")
                        .getBytes(StandardCharsets.UTF_8));
            }
        }
        byte[] bytes = Files.readAllBytes(packed);
        Files.write(packed, Arrays.copyOf(bytes, bytes.length * 3 / 4));

        HeardQueries heard = new HeardQueries();
        long unused = new QueryLog(heard, Effect.READS).read(packed);

        assertThat(heard.executed()).hasSizeBetween(5_000, 19_999);
        assertThat(heard.unreadable()).last().asString().contains("the gzip data is damaged or ends early here");
    }

    private static String written(HeardQueries heard, int index) {
        return heard.executed().get(index).text().written(code -> code, name -> ":" + name);
    }
}
