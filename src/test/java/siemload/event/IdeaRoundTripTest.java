package siemload.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("every-java")
final class IdeaRoundTripTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String HEAD = "\"ID\":\"e1\",\"DetectTime\":\"2016-06-06T12:00:00Z\"";
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

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{'Port':22}                      | {'Port':[22]}",
                "{'Port':['22','x',70000,-1,2.5]} | {'Port':[22,'x',70000,-1,2.5]}",
                "{'Port':[22.0,'23.0',24.5,25e0]} | {'Port':[22,23,25,24.5]}",
                "{'Type':'Botnet'}                | {'Type':['Botnet']}",
                "{'Type':['a',7]}                 | {'Type':['a',7]}",
                "{'IP4':'192.0.2.1'}              | {'IP4':['192.0.2.1']}",
                "{'IP4':['192.0.2.300','a',1]}    | {'IP4':['192.0.2.300','a',1]}",
                "{'IP4':['2001:db8::1']}          | {'IP6':['2001:db8::1']}",
                "{'IP6':['2001:db8::1'],'IP4':['192.0.2.1','?']} | {'IP6':['2001:db8::1'],'IP4':['192.0.2.1','?']}",
                "{'IP4':['192.0.2.9/24']}         | {'IP4':['192.0.2.0/24']}",
                "{'Proto':null}                   | {'Proto':[null]}",
            })
    void dirtyEndpointsLoseNothing(String dirty, String clean) throws Exception {
        String source = "{" + HEAD + ",\"Source\":[" + dirty.replace('\'', '"') + "]}";

        JsonNode written = JSON.readTree(new IdeaWriter().toBytes(read(source)));

        assertThat(written.at("/Source/0")).isEqualTo(JSON.readTree(clean.replace('\'', '"')));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"Source\":{\"IP4\":[\"192.0.2.1\"]}",
                "\"Source\":\"192.0.2.1\"",
                "\"Source\":[{},\"192.0.2.1\",7]",
                "\"Node\":{\"SW\":\"Kippo\"}",
                "\"Node\":[{\"Name\":5}]",
                "\"Category\":\"Availibility.DDoS\"",
                "\"Category\":[5,\"Test\"]",
                "\"Description\":7",
                "\"Description\":\"a\\u0000b\",\"Attach\":[{\"data\":\"x\\u0000\\ny\"}]",
                "\"Note\":\"half a pair: \\ud83d\"",
                "\"Note\":\"a pair: \\ud83d\\ude00\"",
                "\"Note\":\"a raw \u0000 and \u0001\"",
                "\"Target\":[],\"Source\":[]",
                "\"Big\":1e400,\"Small\":1E-400",
                "\"Written\":[40e0,-40e000,0e0,4.0e1,40E8,4000000000e0,18446744073709551616e0]",
            })
    void dirtyEventsAreReadAndComeBackEqual(String part) {
        SecurityEvent event = read("{" + HEAD + "," + part + "}");
        IdeaWriter writer = new IdeaWriter();

        assertThat(new IdeaReader().read(writer.toBytes(event))).isEqualTo(event);
        assertThat(new IdeaReader().read(writer.toBytes(event))).isEqualTo(event);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{'DetectTime':'2016-06-06T12:00:00Z'} | ID is missing",
                "{'ID':7,'DetectTime':'2016-06-06T12:00:00Z'} | ID must be a text",
                "{'ID':'','DetectTime':'2016-06-06T12:00:00Z'} | ID must be a text",
                "{'ID':'a'} | DetectTime is missing",
                "{'ID':'a','DetectTime':'soon'} | DetectTime must be a time like",
                "{'ID':'a','DetectTime':1466508305} | was 1466508305",
                "{'ID':'a','ID':'b','DetectTime':'2016-06-06T12:00:00Z'} | 'ID'",
                "[] | not a JSON object",
                "null | not a JSON object",
                "{'ID':'a' | not valid JSON at column",
                "{'ID':'a','DetectTime':'2016-06-06T12:00:00Z'} {} | not valid JSON at column",
            })
    void whatIsNoEventIsRefusedWithTheReason(String json, String reason) {
        assertThat(catchThrowableOfType(EventFormatException.class, () -> read(json.replace('\'', '"'))))
                .hasMessageContaining(reason);
    }

    private static SecurityEvent read(String json) {
        return new IdeaReader().read(json);
    }
}
