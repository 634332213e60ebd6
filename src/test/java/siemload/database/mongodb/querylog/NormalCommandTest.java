package siemload.database.mongodb.querylog;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import siemload.database.mongodb.command.CommandTemplate;
import siemload.query.StatementText;

/** Commands that differ in values alone have one form, which with its values is the command again. */
class NormalCommandTest {

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            {'find':'t','filter':{'a':'x','n':5,'r':1.5,'l':5000000000},'limit':10,'skip':20} | {'find':'t','filter':{'a':':p1','n':{'$numberInt':':p2'},'r':{'$numberDouble':':p3'},'l':{'$numberLong':':p4'}},'limit':{'$numberInt':':p5'},'skip':{'$numberInt':':p6'}}
            {'find':'t','filter':{'on':true,'gone':null,'a':{'$exists':false},'b':{'$type':'string'}}} | {'find':'t','filter':{'on':true,'gone':null,'a':{'$exists':false},'b':{'$type':'string'}}}
            {'find':'t','filter':{'$or':[{'d':{'$gte':{'$date':'2024-03-01T00:00:00Z'}}},{'o':{'$in':[{'$oid':'65f000000000000000000001'}]}}]},'sort':{'d':-1},'projection':{'a':1},'batchSize':7} | {'find':'t','filter':{'$or':[{'d':{'$gte':{'$date':':p1'}}},{'o':{'$in':[{'$oid':':p2'}]}}]},'sort':{'d':-1},'projection':{'a':1},'batchSize':7}
            {'find':'t','filter':{'d':{'$date':{'$numberLong':'-5'}},'r':{'$regularExpression':{'pattern':'^a','options':'i'}},'b':{'$binary':{'base64':'AQID','subType':'00'}},'m':{'$minKey':1}}} | {'find':'t','filter':{'d':{'$date':{'$numberLong':':p1'}},'r':{'$regularExpression':{'pattern':':p2','options':'i'}},'b':{'$binary':{'base64':':p3','subType':'00'}},'m':{'$minKey':1}}}
            {'aggregate':'t','pipeline':[{'$match':{'a':'x'}},{'$group':{'_id':'$k','n':{'$sum':1}}},{'$sort':{'n':-1}},{'$limit':5}],'cursor':{}} | {'aggregate':'t','pipeline':[{'$match':{'a':':p1'}},{'$group':{'_id':'$k','n':{'$sum':1}}},{'$sort':{'n':-1}},{'$limit':{'$numberInt':':p2'}}],'cursor':{}}
            {'aggregate':'t','pipeline':[{'$lookup':{'from':'u','pipeline':[{'$match':{'a':1}}],'as':'x'}},{'$facet':{'f':[{'$match':{'b':2}}]}}]} | {'aggregate':'t','pipeline':[{'$lookup':{'from':'u','pipeline':[{'$match':{'a':{'$numberInt':':p1'}}}],'as':'x'}},{'$facet':{'f':[{'$match':{'b':{'$numberInt':':p2'}}}]}}]}
            {'count':'t','query':{'a':'x'}} | {'count':'t','query':{'a':':p1'}}
            {'distinct':'t','key':'k','query':{'$expr':{'$eq':['$a','x']}}} | {'distinct':'t','key':'k','query':{'$expr':{'$eq':['$a','x']}}}
            {'find':'t','filter':{'$text':{'$search':'word','$language':'en'}},'projection':{'x':':not'}} | {'find':'t','filter':{'$text':{'$search':':p1','$language':'en'}},'projection':{'x':'::not'}}
            """)
    void literalsOfFiltersAndLimitsBecomeParameters(String logged, String form) throws Exception {
        NormalCommand normal = normal(logged.replace('\'', '"'));

        assertThat(normal.text()).isEqualTo(form.replace('\'', '"'));
        StatementText.Scanned scanned = StatementText.scan(StatementText.Language.COMMAND, normal.text());
        assertThat(scanned.flaw()).isEmpty();
        assertThat(scanned.statement().places()).hasSameSizeAs(normal.values());
        assertThat(CommandTemplate.of(scanned.statement())
                        .with(name -> normal.values().get(Integer.parseInt(name.substring(1)) - 1)))
                .isEqualTo(BsonDocument.parse(logged.replace('\'', '"')));
    }

    /** Where the driver's reader of JSON would make a value of both, the server sees the same either way. */
    @Test
    void aRegexStaysTheOperatorThatItWas() throws Exception {
        NormalCommand normal = normal("{\"find\":\"t\",\"filter\":{\"c\":{\"$regex\":\"^x\",\"$options\":\"i\"}}}");

        assertThat(normal.text())
                .isEqualTo("{\"find\":\"t\",\"filter\":{\"c\":{\"$regex\":\":p1\",\"$options\":\"i\"}}}");
        assertThat(normal.values()).containsExactly("^x");
    }

    @Test
    void valuesStandInTheirOrderAsTexts() throws Exception {
        assertThat(normal(
                                "{\"find\":\"t\",\"filter\":{\"a\":\"x\",\"n\":-5,\"r\":0.25,\"d\":{\"$date\":\"2024-03-01T00:00:00Z\"}}}")
                        .values())
                .containsExactly("x", "-5", "0.25", "2024-03-01T00:00:00Z");
    }

    private static NormalCommand normal(String command) throws JsonProcessingException {
        return NormalCommand.of(new ObjectMapper().readTree(command));
    }
}
