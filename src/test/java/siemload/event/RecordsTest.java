package siemload.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import java.util.zip.ZipException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import siemload.GoldenFile;

class RecordsTest {
    @TempDir
    private Path directory;

    @Test
    void theFirstValueTellsWhatTheRecordsAre() throws IOException {
        GoldenFile.of("events/records.txt").assertEach(content -> {
            List<String> read = new ArrayList<>();
            try (Records records =
                    Records.open(file("records", content.replace('\'', '"').replace('/', '\n')))) {
                while (records.next()) {
                    read.add(records.line() + " "
                            + records.text().replace('"', '\'').replace('\n', '/'));
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            return String.join("\n", read);
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"[%s]", "{\"Records\":[%s]}", "{\"Records\":[\n%s\n],\"x\":1}"})
    void manyRecordsOfOneLineAreReadWithoutTheMemoryForAll(String wrapper) throws IOException {
        String filler = "x".repeat(3_000);
        StringBuilder all = new StringBuilder();
        for (int i = 0; i < 2_000; i++) {
            all.append(i == 0 ? "" : ",")
                    .append("{\"n\":")
                    .append(i)
                    .append(",\"f\":\"")
                    .append(filler)
                    .append("\"}");
        }
        all.append(",{\"long\":\"").append("y".repeat(Records.LONGEST)).append("\"},{\"last\":1}");
        Path file = file("many", wrapper.formatted(all));
        List<String> read = new ArrayList<>();
        int tooLong = 0;
        try (Records records = Records.open(file)) {
            while (records.next()) {
                tooLong += records.isTooLong() ? 1 : 0;
                read.add(records.text());
                assertThat(records.buffer.length).isLessThanOrEqualTo(4 * Records.LONGEST);
            }
        }

        assertThat(tooLong).isEqualTo(1);
        assertThat(read).hasSize(2_002);
        for (int i = 0; i < 2_000; i++) {
            assertThat(read.get(i)).isEqualTo("{\"n\":" + i + ",\"f\":\"" + filler + "\"}");
        }
        assertThat(read.get(2_001)).isEqualTo("{\"last\":1}");
    }

    @Test
    void whereAnArrayBreaksAllBeforeWasReadAndTheLineIsTold() throws IOException {
        Path file = file("broken", "[{\"a\":1},\n{\"a\":2},\n{\"a\":3\n");
        List<LineProblem> problems = new ArrayList<>();
        EventReader reader = reader();
        int events = 0;
        try (EventLineReader lines = EventLineReader.open(file, reader, problems::add)) {
            while (lines.next().isPresent()) {
                events++;
            }
        }

        assertThat(events).isEqualTo(2);
        assertThat(problems).singleElement().satisfies(problem -> {
            assertThat(problem.line()).isGreaterThanOrEqualTo(3);
            assertThat(problem.reason()).startsWith("the JSON is damaged here").doesNotContain("Feature");
        });
    }

    @ParameterizedTest
    @CsvSource({
        "'', 3, false",
        "000000, 3, false",
        "47415242, 3, true",
        "1f8b0800, 3, true",
        "00001f8b, 3, true",
        "1f8b080000000000000303000000000000000000, 3, false",
        "1f8b080000000000000303000000000000000001, 3, true",
    })
    void whatFollowsAMemberIsAMemberOrZerosOrTold(String after, int lines, boolean isTold) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (int i = 0; i < 3; i++) {
            bytes.writeBytes(packed("line\n".getBytes(StandardCharsets.UTF_8)));
        }
        bytes.writeBytes(HexFormat.of().parseHex(after));
        Path file = Files.write(directory.resolve("members.gz"), bytes.toByteArray());
        int read = 0;
        boolean isBroken = false;
        try (Records records = Records.open(file)) {
            while (records.next()) {
                read++;
            }
        } catch (IOException broken) {
            isBroken = true;
        }

        assertThat(read).isEqualTo(lines);
        assertThat(isBroken).isEqualTo(isTold);
    }

    @Test
    void aWrongChecksumIsTold() throws IOException {
        byte[] wrong = packed("line\n".getBytes(StandardCharsets.UTF_8));
        wrong[wrong.length - 8] ^= 1;
        Path file = Files.write(directory.resolve("wrong.gz"), wrong);

        try (Records records = Records.open(file)) {
            assertThat(records.next()).isTrue();
            assertThatThrownBy(records::next).isInstanceOf(ZipException.class);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "28b52ffd00 | is packed with zstd (convert it to lines: zstd -d ",
                "504b030414 | is a zip archive (convert it to lines: unzip ",
                "fffe43004500 | is in UTF-16 (convert it to lines: iconv -f UTF-16 -t UTF-8 ",
                "7b0022006100 | is in UTF-16 (convert it to lines: iconv -f UTF-16LE -t UTF-8 ",
                "007b00220061 | is in UTF-16 (convert it to lines: iconv -f UTF-16BE -t UTF-8 ",
                "fffe00004300 | is in UTF-32 (convert it to lines: iconv -f UTF-32 -t UTF-8 ",
                "0000feff0000 | is in UTF-32 (convert it to lines: iconv -f UTF-32 -t UTF-8 ",
                "789c4b4c4a06 | is packed with zlib (convert it to lines: pigz -dc < ",
                "504b05060000 | is a zip archive (convert it to lines: unzip ",
                "456c6646696c6500 | is a Windows event log (convert it to lines: evtx_dump -o jsonl ",
                "5041523115 | is a Parquet file (convert it to lines: parquet cat ",
            })
    void aFileThatHasNoLinesIsNamedWithTheCommandThatMakesSome(String hex, String message) throws IOException {
        byte[] bytes = HexFormat.of().parseHex(hex);
        for (byte[] content : List.of(bytes, packed(bytes))) {
            Path file = Files.write(directory.resolve("foreign"), content);

            assertThat(catchThrowableOfType(ByteLines.ForeignFileException.class, () -> Records.open(file))
                            .about(file))
                    .startsWith(message)
                    .contains(file.toString());
        }
    }

    /** Makes an event of any object. */
    private static EventReader reader() {
        return new EventReader() {
            @Override
            public SecurityEvent read(byte[] bytes, int offset, int length, long position) {
                EventJson.STRICT.object(bytes, offset, length);
                return new IdeaReader().read("{\"ID\":\"e\",\"DetectTime\":\"2016-06-06T12:00:00Z\"}");
            }

            @Override
            public String identity() {
                return "any";
            }
        };
    }

    private Path file(String name, String content) throws IOException {
        return Files.writeString(directory.resolve(name), content);
    }

    private static byte[] packed(byte[] content) throws IOException {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (OutputStream out = new GZIPOutputStream(packed)) {
            out.write(content);
        }
        return packed.toByteArray();
    }
}
