package siemload.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import siemload.GoldenFile;

@Tag("every-java")
final class IdeaRoundTripTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String CLEAN = """
            {"ID":"e1","DetectTime":"2016-06-06T12:00:00Z","Category":["Recon.Scanning","Test"],
             "Description":"Horizontal scan of příklad.example",
             "Source":[{"Type":["Botnet"],"IP4":["192.0.2.7","192.0.2.0/24"],"IP6":["2001:db8::7"],"Port":[4711],
                        "Proto":["tcp","ssh"],"Hostname":["a.example"],"Spoofed":true}],
             "Target":[{"IP4":["198.51.100.2-198.51.100.5"],"Port":[22,2222]},{"Anonymised":true},{}],
             "Node":[{"Name":"org.example.filer","Type":["Relay"]},
                     {"Name":"org.example.pot","Type":["Honeypot"],"SW":["Kippo"],"AggrWin":"00:05:00"}],
             "Format":"IDEA0","Confidence":1.0,"FlowCount":18446744073709551616,"Note":"",
             "_X":{"StorageTime":1466508305,"Deep":[{"a":null},[],0.10]}}
            """;

    @Test
    void aCleanEventComesBackWithEveryValue() throws Exception {
        assertThat(JSON.readTree(new IdeaWriter().toBytes(read(CLEAN)))).isEqualTo(JSON.readTree(CLEAN));
    }

    @Test
    void dirtyEventsLoseNothingAndComeBackEqual() throws Exception {
        GoldenFile.of("events/dirty.txt").assertEach(keys -> {
            SecurityEvent event = read("{\"ID\":\"e1\",\"DetectTime\":\"2016-06-06T12:00:00Z\","
                    + keys.replace("<NUL>", "\u0000").replace("<SOH>", "\u0001") + "}");
            IdeaWriter writer = new IdeaWriter();

            assertThat(new IdeaReader().read(writer.toBytes(event))).isEqualTo(event);
            byte[] again = writer.toBytes(event);
            assertThat(new IdeaReader().read(again)).isEqualTo(event);
            return new String(again, StandardCharsets.UTF_8);
        });
    }

    @Test
    void whatIsNoEventIsRefusedWithTheReason() throws Exception {
        GoldenFile.of("events/refused.txt")
                .assertEach(json -> catchThrowableOfType(EventFormatException.class, () -> read(json))
                        .getMessage());
    }

    private static SecurityEvent read(String json) {
        return new IdeaReader().read(json);
    }
}
