package siemload.dataset.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.time.ZoneOffset;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import siemload.config.ConfigException;
import siemload.event.IdeaWriter;
import siemload.event.SecurityEvent;

/** Other formats as IDEA. The lines are written after the public specifications; none is of a real system. */
class EventFormatsTest {
    private static final Path HOME = Path.of("");
    private static final String CEF =
            "CEF:0|Security|threat\\|manager|1.0|100|Port scan seen|10|rt=1465214400000 src=10.0.0.1 spt=1232 dst=2.1.2.2 "
                    + "dpt=22 proto=TCP cnt=7 act=blocked a \\= b cs1Label=Rule name cs1=five words with an end   ";
    private static final String ECS =
            "{\"@timestamp\":\"2016-06-06T12:00:00Z\",\"ecs\":{\"version\":\"8.11\"},\"event\":"
                    + "{\"category\":[\"authentication\"],\"type\":[\"start\"]},\"source\":{\"ip\":\"10.0.0.1\",\"port\":99999},"
                    + "\"destination.ip\":\"2001:db8::1\",\"message\":\"Failed password\",\"user\":{\"name\":\"root\"}}";
    private static final String OCSF =
            "{\"class_uid\":2004,\"type_uid\":200401,\"time\":1465214400000,\"severity_id\":4,"
                    + "\"finding_info\":{\"title\":\"Port scan\",\"uid\":\"f-1\"},\"evidences\":[{\"src_endpoint\":"
                    + "{\"ip\":\"10.0.0.1\",\"port\":40000}},{\"src_endpoint\":{\"ip\":\"none\"}}],\"metadata\":"
                    + "{\"product\":{\"name\":\"Sensor\",\"vendor_name\":\"Example\"},\"version\":\"1.3.0\"}}";

    @TempDir
    private Path directory;

    private Path file = Path.of("");

    @BeforeEach
    void aFileOfThen() throws IOException {
        file = Files.writeString(directory.resolve("events.log"), "");
        Files.setLastModifiedTime(file, FileTime.from(Instant.parse("2016-06-07T00:00:00Z")));
    }

    @Test
    void cefIsReadWithItsEscapesAndItsValuesOfSeveralWords() {
        SecurityEvent event = read("cef", CEF);

        assertThat(event.detectTime()).isEqualTo("2016-06-06T12:00:00Z");
        assertThat(json(event))
                .contains("\"Category\":[\"Recon.Scanning\"]", "\"Description\":\"Port scan seen\"", "\"ConnCount\":7")
                .contains("\"IP4\":[\"10.0.0.1\"]", "\"Port\":[1232]", "\"Proto\":[\"tcp\"]", "\"Port\":[22]")
                .contains("\"SW\":[\"Security\",\"threat|manager\",\"1.0\"]");
        assertThat(event.other().get("_CEF").toString())
                .isEqualTo("{\"cefVersion\":\"0\",\"deviceEventClassId\":\"100\",\"severity\":\"10\","
                        + "\"act\":\"blocked a = b\",\"cs1Label\":\"Rule name\",\"cs1\":\"five words with an end\"}");
    }

    @Test
    void ecsIsReadAndWhatDoesNotFitIsKept() {
        SecurityEvent event = read("ecs", ECS);

        assertThat(event.categories()).containsExactly("Attempt.Login");
        assertThat(event.description()).isEqualTo("Failed password");
        assertThat(json(event)).contains("\"IP4\":[\"10.0.0.1\"]", "\"IP6\":[\"2001:db8::1\"]");
        assertThat(event.other().get("_ECS").toString())
                .isEqualTo("{\"ecs\":{\"version\":\"8.11\"},\"event\":{\"category\":[\"authentication\"],"
                        + "\"type\":[\"start\"]},\"source\":{\"port\":99999},\"user\":{\"name\":\"root\"}}");
    }

    @Test
    void eachPieceOfEvidenceHasASourceAndATargetOfItsOwn() {
        SecurityEvent event = read(
                "ocsf",
                "{\"class_uid\":2004,\"time\":1465214400000,\"evidences\":["
                        + "{\"src_endpoint\":{\"ip\":\"10.0.0.1\"},\"dst_endpoint\":{\"ip\":\"10.0.0.9\",\"port\":22}},"
                        + "{\"src_endpoint\":{\"ip\":\"10.0.0.2\",\"port\":4000,\"hostname\":\"b\"},\"actor\":{\"a\":1},"
                        + "\"connection_info\":{\"protocol_name\":\"UDP\"}},"
                        + "{\"dst_endpoint\":{\"ip\":\"10.0.0.9\",\"port\":22}}],\"src_endpoint\":{\"ip\":\"10.0.0.3\"}}");

        assertThat(json(event))
                .contains("\"Source\":[{\"IP4\":[\"10.0.0.3\"]},{\"IP4\":[\"10.0.0.1\"]},"
                        + "{\"IP4\":[\"10.0.0.2\"],\"Port\":[4000],\"Proto\":[\"udp\"],\"Hostname\":[\"b\"]}]")
                .contains("\"Target\":[{\"IP4\":[\"10.0.0.9\"],\"Port\":[22]},{\"IP4\":[\"10.0.0.9\"],\"Port\":[22]}]")
                .contains("\"_OCSF\":{\"class_uid\":2004,\"evidences\":[{\"actor\":{\"a\":1}}]}");
    }

    @Test
    void elementsStayTogetherWhereAnotherFieldGoesThroughTheirListToo() throws IOException {
        Path mapping = directory.resolve("datasets/formats/ocsf.yaml");
        Files.createDirectories(mapping.resolveSibling(""));
        Files.writeString(mapping, """
                description: x
                fields: {DetectTime: [time], Source.IP: ['evidences[].ip'],
                         Source.Port: ['evidences[].port', evidences.other]}
                categories: {rules: [], otherwise: Other}
                """);
        byte[] line = ("{\"time\":1465214400000,\"evidences\":[{\"other\":5},"
                        + "{\"ip\":\"10.0.0.1\",\"port\":1},{\"ip\":\"10.0.0.2\",\"port\":2}]}")
                .getBytes(StandardCharsets.UTF_8);

        assertThat(json(EventFile.reader(directory, "ocsf", file).read(line, 0, line.length, 0)))
                .contains("\"Source\":[{\"Port\":[5]},{\"IP4\":[\"10.0.0.1\"],\"Port\":[1]},"
                        + "{\"IP4\":[\"10.0.0.2\"],\"Port\":[2]}]")
                .doesNotContain("evidences");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "rt=1465214400123 | 2016-06-06T12:00:00.123Z",
                "rt=Jun 06 2016 12:00:00 | 2016-06-06T12:00:00Z",
                "rt=Jun 6 2016 12:00:00.250 | 2016-06-06T12:00:00.250Z",
                "rt=Jun 06 2016 14:00:00 CEST | 2016-06-06T12:00:00Z",
                "rt=Jun 06 2016 14:00:00.000 +0200 | 2016-06-06T12:00:00Z",
                "end=Jun 06 12:00:00 | 2016-06-06T12:00:00Z",
                "rt=Dec 31 12:00:00 | 2015-12-31T12:00:00Z",
                "rt=never end=2016-06-06T12:00:00Z | 2016-06-06T12:00:00Z"
            })
    void cefTimesAreReadInAllTheirForms(String field, String time) {
        assertThat(read("cef", "CEF:1|v|p|1|1|n|1|" + field).detectTime()).isEqualTo(time);
    }

    /** Of times without a year. */
    @ParameterizedTest
    @CsvSource({
        "Jan 09 12:00:00, 2025-01-10T00:00:00Z, 2025-01-09T12:00:00Z",
        "Jan 10 23:00:00, 2025-01-10T00:00:00Z, 2025-01-10T23:00:00Z",
        "Jan 12 12:00:00, 2025-01-10T00:00:00Z, 2024-01-12T12:00:00Z",
        "Feb 29 12:00:00, 2025-01-10T00:00:00Z, 2024-02-29T12:00:00Z",
        "Feb 29 12:00:00, 2024-02-29T13:00:00Z, 2024-02-29T12:00:00Z",
        "Feb 29 12:00:00, 2024-02-20T00:00:00Z, 2020-02-29T12:00:00Z",
        "Feb 29 12:00:00, 2103-06-01T00:00:00Z, 2096-02-29T12:00:00Z"
    })
    void theDayIsThatOfTheLastYearThatHasIt(String text, Instant latest, Instant expected) {
        assertThat(new EventFile.EventTimes(ZoneOffset.UTC, latest).parse(text)).contains(expected);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "<134>Jun  6 12:00:00 fw1 ",
                "Jun  6 12:00:00 fw1 ",
                "<134>1 2016-06-06T12:00:00.000Z fw1 app 1 ID7 - ",
                "<134>1 2016-06-06T14:00:00+02:00 fw1 app - - [a@1 b=\"c\"] "
            })
    void syslogHeadersSayTimeAndHost(String header) {
        SecurityEvent event = read("cef", header + "CEF:0|v|p|1|1|n|1|src=10.0.0.1");

        assertThat(event.detectTime()).isEqualTo("2016-06-06T12:00:00Z");
        assertThat(event.detector()).contains("fw1");
    }

    @ParameterizedTest
    @ValueSource(strings = {"cef", "ecs", "ocsf"})
    void equalLinesAtOtherPlacesAreOtherEvents(String format) {
        byte[] line = line(format).getBytes(StandardCharsets.UTF_8);
        var reader = EventFile.reader(HOME, format, file);

        assertThat(reader.read(line, 0, line.length, 0).id())
                .isEqualTo(reader.read(line, 0, line.length, 0).id())
                .isNotEqualTo(reader.read(line, 0, line.length, 9).id())
                .matches("[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}");
    }

    @Test
    void aWrongMappingFileIsToldWithLineAndColumn() throws IOException {
        Path wrong = directory.resolve("datasets/formats/ocsf.yaml");
        Files.createDirectories(wrong.resolveSibling(""));
        Files.writeString(wrong, """
                description: x
                zone: Nowhere/At
                fields:
                  DetectTim: [time]
                  Ref: ['a[].b']
                  Source.IP: ['a[].b[].c']
                categories: {rules: [{field: 'a[].c', is: {x: Other}}], otherwise: Other}
                """);

        assertThatThrownBy(() -> EventFile.reader(directory, "ocsf", file))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("ocsf.yaml:2:7: zone: 'Nowhere/At' is not a time zone")
                .hasMessageContaining("ocsf.yaml:4:3: fields.DetectTim: unknown key (did you mean DetectTime?")
                .hasMessageContaining("ocsf.yaml:5:9: fields.Ref[0]: only fields of Source and Target may have []")
                .hasMessageContaining("ocsf.yaml:6:15: fields.Source.IP[0]: 'a[].b[].c' has [] more than once")
                .hasMessageContaining("ocsf.yaml:7:30: categories.rules[0].field: only fields of Source and Target");
    }

    private SecurityEvent read(String format, String line) {
        byte[] bytes = line.getBytes(StandardCharsets.UTF_8);
        return EventFile.reader(HOME, format, file).read(bytes, 0, bytes.length, 0);
    }

    private static String line(String format) {
        return switch (format) {
            case "ecs" -> ECS;
            case "ocsf" -> OCSF;
            default -> CEF;
        };
    }

    private static String json(SecurityEvent event) {
        return new String(new IdeaWriter().toBytes(event), StandardCharsets.UTF_8).strip();
    }
}
