package siemload.database.mongodb.querylog;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import siemload.database.HeardQueries;
import siemload.database.LoggedStatement;
import siemload.query.Statement.Effect;

/** Records of the structured log and documents of the profiler, in the form of the manual, whole and broken ones. */
class MongodbQueryLogTest {
    private static final String FIND = "{\"find\":\"item\",\"filter\":{\"name\":\"x\"},\"limit\":3,"
            + "\"lsid\":{\"id\":{\"$uuid\":\"3b241101-e2bb-4255-8caf-4136c566a962\"}},\"$db\":\"shop\"}";

    @TempDir
    private Path directory;

    private final HeardQueries heard = new HeardQueries(Effect.READS);
    private final MongodbQueryLog log = new MongodbQueryLog(heard);

    private static String slow(String connection, String command) {
        return slow(connection, "command", command, "");
    }

    private static String slow(String connection, String type, String command, String more) {
        return "{\"t\":{\"$date\":\"2024-03-01T12:00:00.500+01:00\"},\"s\":\"I\",\"c\":\"COMMAND\",\"id\":51803,\"ctx\":\""
                + connection + "\",\"msg\":\"Slow query\",\"attr\":{\"type\":\"" + type
                + "\",\"ns\":\"shop.item\",\"appName\":\"till\",\"command\":" + command
                + ",\"planSummary\":\"COLLSCAN\",\"nreturned\":1" + more + ",\"durationMillis\":12}}\n";
    }

    private static String message(String connection, String message) {
        return "{\"t\":{\"$date\":\"2024-03-01T12:00:00.500Z\"},\"s\":\"I\",\"c\":\"NETWORK\",\"id\":22944,\"ctx\":\""
                + connection + "\",\"msg\":\"" + message + "\",\"attr\":{}}\n";
    }

    private static String profiled(String op, String command) {
        return "{\"op\":\"" + op + "\",\"ns\":\"shop.item\",\"command\":" + command
                + ",\"nreturned\":1,\"millis\":{\"$numberInt\":\"7\"},\"ts\":{\"$date\":{\"$numberLong\":\"1709290800500\"}},"
                + "\"client\":\"10.0.0.1\",\"appName\":\"till\",\"user\":\"\"}";
    }

    @Test
    void aRecordOfTheLogHasItsSessionItsTimeAndItsValues() throws IOException {
        assertThat(read(slow("conn7", FIND))).isEqualTo(1);

        LoggedStatement found = heard.only();
        assertThat(found.session()).isEqualTo("conn7");
        assertThat(found.database()).isEqualTo("shop");
        assertThat(found.program()).isEqualTo("till");
        assertThat(found.endMicros()).isEqualTo(1_709_290_800_500_000L);
        assertThat(found.durationMicros()).isEqualTo(12_000);
        assertThat(found.text().written())
                .isEqualTo("{\"find\":\"item\",\"filter\":{\"name\":\":p1\"},\"limit\":{\"$numberInt\":\":p2\"}}");
        assertThat(found.values()).containsExactly("x", "3");
        assertThat(found.text().parameters()).containsExactly("p1", "p2");
    }

    @Test
    void commandsThatDifferInValuesAloneAreOneStatement() throws IOException {
        read(slow("conn7", FIND) + slow("conn8", FIND.replace("\"x\"", "\"y\"")));

        assertThat(heard.executed())
                .extracting(LoggedStatement::text)
                .hasSize(2)
                .containsOnly(heard.executed().get(0).text());
    }

    @Test
    void aDocumentOfTheProfilerIsReadInEachFormOfExport() throws IOException {
        String documents =
                profiled("query", FIND) + "\n" + profiled("command", "{\"count\":\"item\",\"$db\":\"shop\"}");

        assertThat(read(documents)).isEqualTo(2);
        assertThat(read("[" + documents.replace("\n", ",") + "]\n")).isEqualTo(2);
        assertThat(read("[\n  " + documents.replace("\n", ",\n").replace(",\"", ",\n  \"") + "\n]\n"))
                .isEqualTo(2);

        assertThat(heard.unreadable()).isEmpty();
        assertThat(heard.executed())
                .hasSize(6)
                .allMatch(found -> found.durationMicros() == 7_000 && found.endMicros() == 1_709_290_800_500_000L)
                .extracting(LoggedStatement::session)
                .containsOnly("{\"$uuid\":\"3b241101-e2bb-4255-8caf-4136c566a962\"}", "10.0.0.1|till");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            command | {'insert':'item','documents':[{}],'$db':'shop'} | writes
            update  | {'q':{},'u':{}} | writes
            remove  | {'q':{},'limit':0} | writes
            command | {'findAndModify':'item','remove':true,'$db':'shop'} | writes
            command | {'aggregate':'item','pipeline':[{'$match':{}},{'$out':'copy'}],'cursor':{},'$db':'shop'} | writes
            command | {'createIndexes':'item','indexes':[],'$db':'shop'} | makes, changes or drops collections or indexes
            command | {'commitTransaction':1,'$db':'admin'} | begins or ends a transaction
            command | {'getMore':{'$numberLong':'5'},'collection':'item','$db':'shop'} | asks for more rows of a command that is counted
            command | {'hello':1,'$db':'admin'} | is no find, aggregate, count or distinct
            command | {'serverStatus':1,'$db':'admin'} | is no find, aggregate, count or distinct
            command | {'explain':{'find':'item'},'$db':'shop'} | is no find, aggregate, count or distinct
            command | {'find':'system.sessions','$db':'config'} | reads what is the server's own
            command | {'find':'system.profile','$db':'shop'} | reads what is the server's own
            command | {'find':'item','tailable':true,'$db':'shop'} | waits for what will be written
            command | {'aggregate':'item','pipeline':[{'$changeStream':{}}],'$db':'shop'} | waits for what will be written
            command | {'find':'item','filter':{'a':'###'},'$db':'shop'} | has values that are hidden (redactClientLogData)
            command | {'find':'item','somethingNew':1,'$db':'shop'} | has a field that is not known
            command | {'find':'item','filter':{':a':1},'$db':'shop'} | cannot be written in the notation of scenarios
            command | {'find':'item','filter':{'a':{'$oid':'1'}},'hint':{'$oid':'2'},'$db':'shop'} | cannot be written in the notation of scenarios
            """)
    void whatIsNotAskedAgainIsCountedWithItsReason(String type, String command, String reason) throws IOException {
        read(slow("conn7", type, command.replace('\'', '"'), ""));

        assertThat(heard.executed()).isEmpty();
        assertThat(heard.leftOut()).containsExactly(reason);
    }

    @Test
    void whatFailedOrWasCutOffIsLeftOut() throws IOException {
        read(slow("conn7", "command", FIND, ",\"errMsg\":\"exceeded time limit\",\"errCode\":50")
                + slow("conn7", FIND).replace("\"s\":\"I\"", "\"truncated\":{\"command\":{}},\"s\":\"I\"")
                + profiled("query", "{\"$truncated\":\"{ find: \\\"item\\\", filter: { name: ...\"}"));

        assertThat(heard.leftOut()).containsExactly("failed", "is cut off (maxLogSizeKB)", "is cut off (maxLogSizeKB)");
    }

    @Test
    void whatDriversAddIsNoPartOfTheStatement() throws IOException {
        read(slow(
                "conn7",
                "{\"find\":\"item\",\"filter\":{},\"maxTimeMS\":500,\"comment\":\"c\",\"readConcern\":{\"level\":\"majority\","
                        + "\"afterClusterTime\":{\"$timestamp\":{\"t\":1,\"i\":1}}},\"$readPreference\":{\"mode\":\"secondary\"},"
                        + "\"$clusterTime\":{},\"txnNumber\":1,\"apiVersion\":\"1\",\"$db\":\"shop\"}"));

        assertThat(heard.only().text().written())
                .isEqualTo("{\"find\":\"item\",\"filter\":{},\"readConcern\":{\"level\":\"majority\"}}");
    }

    @Test
    void connectionsEndAndAreCountedAnewWithTheServer() throws IOException {
        read(slow("conn7", FIND)
                + message("conn7", "Connection ended")
                + message("initandlisten", "MongoDB starting")
                + slow("conn7", FIND));

        assertThat(heard.ended()).containsExactly("conn7");
        assertThat(heard.executed()).extracting(LoggedStatement::session).containsExactly("conn7", "conn7 of start 1");
    }

    @Test
    void whatCannotBeReadIsToldWithItsLineAndReadPast() throws IOException {
        assertThat(read("md\":{\"find\":\"item\"}}\n\n" + slow("conn7", FIND) + "{\"a\":1}\n" + slow("conn7", FIND)
                        + "{\"t\":"))
                .isEqualTo(2);

        assertThat(heard.executed()).hasSize(2);
        assertThat(heard.unreadable())
                .containsExactly(
                        "1: the line is no JSON, or ends early",
                        "4: the record has neither the fields of a structured log nor those of system.profile",
                        "6: the line is no JSON, or ends early");
    }

    @Test
    void anArrayThatBreaksOffLosesWhatIsBehind() throws IOException {
        assertThat(read("[" + profiled("query", FIND) + ",\n{\"op\":\"que")).isEqualTo(1);

        assertThat(heard.unreadable()).containsExactly("2: the array is broken here, and is not read on");
    }

    @Test
    void damagedGzipDataLosesWhatIsBehind() throws IOException {
        Path packed = directory.resolve("packed.gz");
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(packed))) {
            for (int i = 0; i < 5_000; i++) {
                out.write(slow("conn" + i, FIND.replace("\"x\"", "\"" + i * 7_919L % 10_007 + "\""))
                        .getBytes(StandardCharsets.UTF_8));
            }
        }
        assertThat(log.read(packed)).isEqualTo(5_000);
        byte[] bytes = Files.readAllBytes(packed);
        Files.write(packed, java.util.Arrays.copyOf(bytes, bytes.length / 2));

        assertThat(log.read(packed)).isBetween(500L, 4_500L);
        assertThat(heard.unreadable())
                .singleElement()
                .asString()
                .contains("the gzip data is damaged or ends early here");
    }

    @Test
    void itsOwnFilesAreToldFromOthers() throws IOException {
        assertThat(MongodbQueryLog.isOne(file("half a record}}\n" + slow("conn7", FIND))))
                .isTrue();
        assertThat(MongodbQueryLog.isOne(file("[" + profiled("query", FIND) + "]")))
                .isTrue();
        assertThat(
                        MongodbQueryLog.isOne(
                                file(
                                        "{\"timestamp\":\"2024-03-01 12:00:00.500 CET\",\"session_id\":\"65e1.4d\",\"message\":\"x\"}\n")))
                .isFalse();
        assertThat(MongodbQueryLog.isOne(file(""))).isFalse();
        assertThat(MongodbQueryLog.isOne(file("[1, 2"))).isFalse();
    }

    private Path file(String text) throws IOException {
        return Files.writeString(directory.resolve("log"), text);
    }

    private long read(String text) throws IOException {
        return log.read(file(text));
    }
}
