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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import siemload.GoldenFile;
import siemload.database.querylog.QueryLog.QueryLogListener.LoggedStatement;
import siemload.query.Statement.Effect;

/** Records of csvlog, jsonlog and stderr logs, whole and broken ones. */
@Tag("every-java")
class QueryLogTest {
    /** Of versions 9.0 to 12, 13, 14 and later, and of one that has a column more. */
    private static final String[] REST = {
        "", ",\"client backend\"", ",\"client backend\",,0", ",\"client backend\",,0,x"
    };

    /** The columns between the time and the severity. */
    private static final String CSV =
            ",\"ann\",\"shop\",77,\"127.0.0.1:5\",65e1.4d,1,\"SELECT\",2024-03-01 11:00:00 CET,3/0,0,";

    @TempDir
    private Path directory;

    private final HeardQueries heard = new HeardQueries();
    private final QueryLog log = new QueryLog(heard, Effect.READS);

    private static String record(int columns, String time, String session, String message, String detail) {
        return time + ",\"ann\",\"shop\",77,\"127.0.0.1:5\"," + session
                + ",1,\"SELECT\",2024-03-01 11:00:00 CET,3/0,0,LOG,00000," + quoted(message) + "," + quoted(detail)
                + ",,,,,,,,\"till\"" + REST[columns] + "\n";
    }

    private static String record(String message, String detail) {
        return record(2, "2024-03-01 12:00:00.500 CET", "65e1.4d", message, detail);
    }

    private static String quoted(String text) {
        return text.isEmpty() ? "" : '"' + text.replace("\"", "\"\"") + '"';
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3})
    void aStatementHasItsTimeAndItsValuesWhateverColumnsFollow(int columns) throws IOException {
        read(record(
                columns,
                "2024-03-01 12:00:00.500 CET",
                "65e1.4d",
                "duration: 1.250 ms  execute <unnamed>: SELECT \"a\"\nFROM t WHERE b = $1 AND c = $2",
                "Parameters: $1 = 'it''s, $2 = ''x''', $2 = '2'"));

        LoggedStatement found = heard.only();
        assertThat(found.client().session()).isEqualTo("65e1.4d");
        assertThat(found.client().database()).isEqualTo("shop");
        assertThat(found.client().program()).isEqualTo("till");
        // 12:00:00.5 in Prague is 11:00:00.5 of UTC.
        assertThat(found.endMicros()).isEqualTo(1_709_290_800_500_000L);
        assertThat(found.durationMicros()).isEqualTo(1_250);
        assertThat(found.values()).containsExactly("it's, $2 = 'x'", "2");
        assertThat(written(heard, 0)).isEqualTo("SELECT \"a\" FROM t WHERE b = :p1 AND c = :p2");
    }

    /** In {@code golden/query-log.txt}: a message and its detail, and what comes of it for whom only wants reads, and for whom wants writes, too. */
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

    /** In {@code golden/query-logs.txt}: the text of a log, and what comes of it. */
    @Test
    void logsAreReadAsServersWriteThem() throws IOException {
        GoldenFile.of("query-logs.txt").assertEach(line -> {
            String text = line.replace("<csv>", CSV).replace("</csv>", ",,,,,,,,\"till\",\"client backend\",,0");
            HeardQueries all = new HeardQueries();
            try {
                long unused = new QueryLog(all, Effect.READS)
                        .read(Files.writeString(directory.resolve("log"), text.translateEscapes()));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            return all.told();
        });
    }

    @Test
    void aRecordThatIsCutIsLostAlone() throws IOException {
        String whole = record("duration: 1 ms  statement: SELECT a\nFROM t\nWHERE b = 'x'", "");
        String end = whole.substring(whole.indexOf("FROM t"));
        String begin = whole.substring(0, whole.indexOf("WHERE"));

        read(end + whole + begin + "\n" + whole + begin);

        assertThat(heard.executed()).hasSize(2);
        assertThat(heard.unreadable())
                .containsExactly(
                        "1: no record begins here: the file begins within one, or is no log of PostgreSQL",
                        "2: no record begins here: the file begins within one, or is no log of PostgreSQL",
                        "6: the record does not end",
                        "12: the record does not end");
    }

    @Test
    void aJsonlogHasTheSame() throws IOException {
        String line = "{\"timestamp\":\"2024-03-01 12:00:00.500 CET\",\"dbname\":\"shop\",\"session_id\":\"65e1.4d\","
                + "\"error_severity\":\"LOG\",\"message\":\"duration: 1.250 ms  execute <unnamed>: SELECT a\\nFROM t WHERE b = $1\","
                + "\"detail\":\"Parameters: $1 = '1'\",\"application_name\":\"till\"}\n";

        read("\n" + line + "{\"a\":1}\n" + line.substring(0, 90) + "\n" + line + line.substring(0, 40));

        assertThat(heard.executed()).hasSize(2).allMatch(found -> found.endMicros() == 1_709_290_800_500_000L);
        assertThat(heard.unreadable())
                .containsExactly(
                        "3: no time, session or severity (%m, [%p] or %c)",
                        "4: the line is no JSON, or ends early", "6: the line is no JSON, or ends early");
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

        log.read(packed);

        assertThat(heard.executed()).hasSizeBetween(5_000, 19_999);
        assertThat(heard.unreadable()).last().asString().contains("the gzip data is damaged or ends early here");
    }

    @Test
    void aSessionGoesOnInTheNextFileAcrossTheChangeToSummerTime() throws IOException {
        read(record(2, "2024-03-29 01:59:59.000 IST", "1.2", "duration: 1 ms  parse x: SELECT 1 FROM t", ""));
        read(record(2, "2024-03-29 03:00:01.000 IDT", "1.2", "duration: 1 ms  execute x: SELECT 1 FROM t", "")
                + record(2, "2024-03-29 00:00:02.000 UTC", "1.2", "duration: 1 ms  execute x: SELECT 1 FROM t", "")
                + record(2, "2024-03-29 05:30:03.000 +0530", "1.2", "duration: 1 ms  execute x: SELECT 1 FROM t", ""));

        assertThat(heard.executed().get(0).durationMicros()).isEqualTo(2_000);
        assertThat(heard.executed())
                .extracting(found -> found.endMicros() % 60_000_000)
                .containsExactly(1_000_000L, 2_000_000L, 3_000_000L);
        assertThat(heard.executed().get(2).endMicros() - heard.executed().get(0).endMicros())
                .isEqualTo(2_000_000);
    }

    private void read(String text) throws IOException {
        log.read(Files.writeString(directory.resolve("log"), text));
    }

    private static String written(HeardQueries heard, int index) {
        return heard.executed().get(index).text().written(code -> code, name -> ":" + name);
    }
}
