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
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import siemload.config.ConfigException;
import siemload.event.EventFormatException;
import siemload.event.IdeaWriter;
import siemload.event.SecurityEvent;

/** Other formats as IDEA. The lines are written after the public specifications; none is of a real system. */
@Tag("every-java")
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

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "'when':'06.06.2016 14:00' | 'DetectTime':'2016-06-06T12:00:00Z'",
                "'ts':1465214400.5 | 'DetectTime':'2016-06-06T12:00:00.500Z'",
                "'ts':1465214400,'src':'::ffff:10.0.0.1','sport':'22','proto':17 | 'Source':[{'IP4':['10.0.0.1'],'Port':[22],'Proto':['udp']}]",
                "'ts':1465214400,'src':'10.0.0.1','sport':8,'proto':'ICMP' | 'Source':[{'IP4':['10.0.0.1'],'Proto':['icmp']}]",
                "'ts':1465214400,'src':'10.0.0.1','service':'ssl, http' | 'Proto':['ssl','http']",
                "'ts':1465214400,'in':3,'out':4.0 | 'ByteCount':7",
                "'ts':1465214400,'in':3,'out':4.0 | '_X':{'in':3,'out':4.0}",
                "'ts':1465214400,'who':'me','did':{'what':['sign in']} | 'Description':'me: sign in'",
                "'ts':1465214400,'who':'me' | 'SW':['Thing']",
                "'ts':1465214400,'level':3 | 'AltNames':['low']",
                "'ts':1465214400,'level':9,'flag':true | 'AltNames':['9']",
                "'ts':1465214400,'action':'DeleteTrail' | 'Category':['Anomaly.Behaviour']",
                "'ts':1465214400,'action':'Deleted','service':'x' | 'Category':['Anomaly.Traffic']",
                "'ts':1465214400,'b':{'c':'yes'} | 'Category':['Test']",
                "'ts':1465214400,'b.c':['no','YES'] | 'Category':['Test']",
                "'ts':1985,'old':'1985-01-01T00:00:00Z' | 'DetectTime':'1985-01-01T00:00:00Z'",
                "'old':'1985-01-01T00:00:00Z','when':'06.06.2016 14:00' | 'DetectTime':'2016-06-06T12:00:00Z'",
            })
    void theLanguageOfMappingsSaysAllThis(String fields, String expected) throws IOException {
        Path mapping = Files.writeString(directory.resolve("x.yaml"), """
                description: x
                shows: [[ts, who], [b.c]]
                fields:
                  DetectTime: [{field: ts, unit: seconds, unless: {field: ts, is: 1985}}, old,
                               {field: when, pattern: 'dd.MM.uuuu HH:mm', zone: Europe/Prague}]
                  Description: [{text: '{who}: {did.what}'}]
                  ByteCount: [{sum: [in, out]}]
                  AltNames: [{field: level, values: {3: low}}]
                  Node.SW: [{constant: Thing}]
                  Source.IP: [src]
                  Source.Port: [{field: sport, where: {field: proto, is: [tcp, '17']}}]
                  Source.Proto: [proto, {field: service, split: ','}]
                categories:
                  rules:
                    - {field: [a, b.c], is: {'yes': Test}}
                    - {field: action, where: {field: service}, begins: {delete: Anomaly.Traffic}}
                    - {field: action, contains: {trail: Anomaly.Behaviour}}
                    - {field: flag, present: Other}
                  otherwise: Anomaly
                """);
        byte[] line = ("{" + fields.replace('\'', '"') + "}").getBytes(StandardCharsets.UTF_8);

        SecurityEvent event = EventFile.reader(HOME, mapping.toString(), file).read(line, 0, line.length, 0);

        assertThat(json(event)).contains(expected.replace('\'', '"'));
    }

    @Test
    void aFileOfNoKnownFormatIsRefusedInOneSentenceWithItsKeysAndNoValue() throws IOException {
        Files.writeString(file, "{\"what\":\"secret\",\"ever\":{\"DetectTime\":1}}\n");

        assertThatThrownBy(() -> EventFile.shown(HOME, file))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("no known format was found (looked for IDEA, CEF, ")
                .hasMessageContaining("the first event is JSON with the keys what, ever; ")
                .hasMessageContaining("--format my.yaml")
                .hasMessageNotContaining("secret");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{'@timestamp':'2016-06-06T12:00:00Z','ocsf':{'class_uid':'4001','type_uid':'1','time':1}} | ecs",
                "{'class_uid':2004,'time':1465214400000,'unmapped':{'DetectTime':'x'}} | ocsf",
                "{'@timestamp':'x','class_uid':2004,'time':1465214400000} | ocsf",
                "{'ID':'a','DetectTime':'2016-06-06T12:00:00Z','_x':{'@timestamp':1}} | idea",
                "<134>1 2016-06-06T12:00:00.000Z fw1 app 1 - - \uFEFFCEF:0!V!P!1!1!b!5!msg={'@timestamp':1} | cef",
                "Jun  6 12:00:00 fw1 LEEF:2.0!V!P!1!x!^!src=1 | leef",
                "<14>Jun  6 12:00:00 fw1 app: {'@timestamp':'2016-06-06T12:00:00Z','message':'m'} | ecs",
            })
    void theFormatIsToldByTheEventsOwnKeys(String line, String format) throws IOException {
        Files.writeString(file, line.replace('\'', '"').replace('!', '|') + "\n");

        assertThat(EventFile.shown(HOME, file)).isEqualTo(format);
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

    /** As README lines of users' bug reports have them: an abbreviation is an offset, whatever the season. */
    @ParameterizedTest
    @CsvSource({
        "Jun 06 2016 12:00:00 EST, 2016-06-06T17:00:00Z",
        "Jun 06 2016 12:00:00 EDT, 2016-06-06T16:00:00Z",
        "Jul 06 2016 12:00:00 CET, 2016-07-06T11:00:00Z",
        "Oct 30 2016 02:30:00 CEST, 2016-10-30T00:30:00Z",
        "Oct 30 2016 02:30:00 CET, 2016-10-30T01:30:00Z",
        "Jul 06 2016 12:00:00 BST, 2016-07-06T11:00:00Z",
        "Jul 06 2016 12:00:00 MST, 2016-07-06T19:00:00Z",
        "Jul 06 2016 12:00:00 GMT-07:00, 2016-07-06T19:00:00Z",
        "Jul 06 2016 12:00:00 Europe/Prague, 2016-07-06T10:00:00Z",
        "Jul 06 2016 12:00:00.5 (UTC), 2016-07-06T12:00:00.500Z",
        "Wed Jul  6 12:00:00 CEST 2016, 2016-07-06T10:00:00Z",
        "Wed Jul  6 12:00:00 2016, 2016-07-06T12:00:00Z",
        "06/Jul/2016:12:00:00 +0200, 2016-07-06T10:00:00Z",
        "'Wed, 06 Jul 2016 12:00:00 +0200', 2016-07-06T10:00:00Z",
        "2016-07-06 12:00:00, 2016-07-06T12:00:00Z",
        "2016-07-06T12:00, 2016-07-06T12:00:00Z",
        "2016/07/06 12:00:00.123456789, 2016-07-06T12:00:00.123456789Z",
        "'2016-07-06 12:00:00,5 EDT', 2016-07-06T16:00:00.500Z",
        "2018-07-05T15:07:20.910626-0400, 2018-07-05T19:07:20.910626Z",
        "1465214400, 2016-06-06T12:00:00Z",
        "1465214400.12345678, 2016-06-06T12:00:00.123456780Z",
        "1465214400123, 2016-06-06T12:00:00.123Z",
        "1465214400123456, 2016-06-06T12:00:00.123456Z",
        "1465214400123456789, 2016-06-06T12:00:00.123456789Z",
        "/Date(1465214400123)/, 2016-06-06T12:00:00.123Z",
        "1985-01-01T00:00:00Z, 1985-01-01T00:00:00Z",
        "Jul 06 2016 12:00:00 IST,",
        "Jul 06 2016 12:00:00 CST,",
        "Jul 06 2016 12:00:00 XYZ,",
        "Feb 30 2016 12:00:00,",
        "2016-07-06 25:00:00,",
        "20160606120000,",
        "12345,",
        "0,",
        "soon,",
    })
    void timesAreReadAsTheyAreMeantOrNotAtAll(String text, Instant time) {
        EventTimes times = new EventTimes(ZoneOffset.UTC, Map.of(), Instant.parse("2016-06-07T00:00:00Z"));

        assertThat(times.parse(text)).isEqualTo(Optional.ofNullable(time));
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
        assertThat(new EventTimes(ZoneOffset.UTC, Map.of(), latest).parse(text)).contains(expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            ignoreLeadingAndTrailingWhitespace = false,
            value = {
                "<134>Jun  6 12:00:00 fw1 |fw1",
                "Jun  6 12:00:00 fw1 |fw1",
                "<134>1 2016-06-06T12:00:00.000Z fw1 app 1 ID7 - |fw1",
                "<134>1 2016-06-06T12:00:00.000Z fw1 app 1 - - \uFEFF|fw1",
                "<134>1 2016-06-06T14:00:00+02:00 fw1 app - - [a@1 b=\"c]\"] |fw1",
                "1 2016-06-06T14:00:00+02:00 fw1 app - - - |fw1",
                "123 <134>1 2016-06-06T12:00:00Z fw1 app - - - |fw1",
                "<132>Jun  6 12:00:00 |",
                "2016-06-06T12:00:00.000Z |",
                "<134> Jun  6 12:00:00 fw1 |fw1",
                "<13>Jun 6 12:00:00 fw1 |fw1",
                "Jun  6 12:00:00.000 fw1 |fw1",
                "<14>2016-06-06T12:00Z fw1 |fw1",
                "Jun 06 2016 12:00:00 fw1 |fw1",
                "Jun  6 12:00:00 UTC fw1 |fw1",
                "Jun  6 14:00:00 CEST: fw1 |fw1",
                "<189>*Jun  6 12:00:00 UTC: fw1 |fw1",
                "Mon Jun  6 12:00:00 2016 fw1 |fw1",
                "<134>fw1 Jun  6 12:00:00 |fw1",
                "<134>1 1465214400.000 fw1 events |fw1",
                "Jun  6 12:00:00 fw1 CEF:|fw1",
                "Jun  6 12:00:00 fw1 CEF: |fw1",
                "2016-06-06T12:00:00Z host-CEF:1-box |host-CEF:1-box",
            })
    void eachPartOfASyslogHeaderIsFoundByItself(String header, String host) {
        SecurityEvent event = read("cef", header + "CEF:0|v|p|1|1|n|1|src=10.0.0.1");

        assertThat(event.detectTime()).isEqualTo("2016-06-06T12:00:00Z");
        assertThat(event.detector()).isEqualTo(Optional.ofNullable(host));
        assertThat(json(event)).contains("\"IP4\":[\"10.0.0.1\"]");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "src=192.0.2.1 ad.Error_,Code=322 dst=198.51.100.1 ad.x-y=1 ad.field[0]=2"
                        + " | 'ad.Error_,Code':'322','ad.x-y':'1','ad.field[0]':'2'",
                "app1='Agent/1; Email:a@x.example; Guid:test=' cs1= cs1Label=Virus"
                        + " | 'app1':'\\'Agent/1; Email:a@x.example; Guid:test=\\'','cs1':'','cs1Label':'Virus'",
                "act=iptables -A INPUT --dport=22 -j DROP src=192.0.2.1 | 'act':'iptables -A INPUT --dport=22 -j DROP'",
                "act=a\\=b | 'act':'a=b'",
                "x=1 x=2 | 'x':['1','2']",
                "spt=1 c6a2=2001:db8::17 c6a2Label=Source IPv6 Address | 'c6a2Label':'Source IPv6 Address'",
            })
    void keysOfCefAreWhatTheSpecificationSays(String fields, String kept) {
        SecurityEvent event = read("cef", "CEF:0|v|p|1|1|n|1|rt=1465214400000 " + fields);

        String expected = kept.replace("\\'", "\u0000").replace('\'', '"').replace('\u0000', '\'');
        assertThat(event.other().get("_CEF").toString())
                .isEqualTo("{\"cefVersion\":\"0\",\"deviceEventClassId\":\"1\",\"severity\":\"1\"," + expected + "}");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "CEF:0|V|P|1|1|x|5 src=192.0.2.1",
                "CEF:0|V|P|1|1|x",
                "CEF:2|V|P|1|1|x|5|rt=1465214400000",
                "CEF:0|V|P|1|1|c1|5|rt=1465214400000\rCEF:0|V|P|1|1|c2|5|rt=1465214401000",
                "LEEF:1.0|V|P|1|x|src=192.0.2.1",
                "no CEF:1 at all"
            })
    void aBrokenHeaderIsRefused(String line) {
        assertThatThrownBy(() -> read("cef", line))
                .isInstanceOf(EventFormatException.class)
                .hasMessageMatching("not CEF.*|several events on one line.*");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            ignoreLeadingAndTrailingWhitespace = false,
            value = {
                "LEEF:1.0!IBM!Sensor!4.0!15345!devTime=1465214400000~src=10.0.0.1~srcPort=1232~dst=2.1.2.2~dstPort=https~proto=6~x=a b=c",
                "<13>Jun  6 12:00:00 fw1 LEEF:1.0!IBM!Sensor!4.0!15345!src=10.0.0.1~srcPort=1232~dst=2.1.2.2~dstPort=443~proto=TCP~x=a b=c",
                "LEEF:2.0!IBM!Sensor!4.0!15345!^!devTime=Jun 06 2016 12:00:00^src=10.0.0.1^srcPort=1232^dst=2.1.2.2^dstPort=443^proto=tcp^x=a b=c",
                "LEEF:2.0!IBM!Sensor!4.0!15345!x5E!devTime=06.06.2016 14:00:00 CEST^devTimeFormat=dd.MM.yyyy HH:mm:ss z^src=10.0.0.1"
                        + "^srcPort=1232^dst=2.1.2.2^dstPort=443^proto=6^x=a b=c",
                "LEEF:2.0!IBM!Sensor!4.0!15345!0x09!devTime=1465214400~src=10.0.0.1~srcPort=1232~dst=2.1.2.2~dstPort=443~proto=6~x=a b=c",
                "LEEF:2.0!IBM!Sensor!4.0!15345!devTime=1465214400~src=10.0.0.1~srcPort=1232~dst=2.1.2.2~dstPort=443~proto=6~x=a b=c",
            })
    void leefIsReadInBothVersions(String line) {
        SecurityEvent event = read("leef", line.replace('!', '|').replace('~', '\t'));

        assertThat(event.detectTime()).isEqualTo("2016-06-06T12:00:00Z");
        assertThat(json(event))
                .contains("\"Source\":[{\"IP4\":[\"10.0.0.1\"],\"Port\":[1232],\"Proto\":[\"tcp\"]}]")
                .contains("\"Target\":[{\"IP4\":[\"2.1.2.2\"],\"Port\":[443]}]")
                .contains("\"SW\":[\"IBM\",\"Sensor\",\"4.0\"]", "\"x\":\"a b=c\"");
    }

    @ParameterizedTest
    @ValueSource(strings = {"cef", "leef", "ecs", "ocsf"})
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
            case "leef" -> "LEEF:1.0|v|p|1|e|devTime=1465214400000\tsrc=10.0.0.1";
            default -> CEF;
        };
    }

    private static String json(SecurityEvent event) {
        return new String(new IdeaWriter().toBytes(event), StandardCharsets.UTF_8).strip();
    }
}
