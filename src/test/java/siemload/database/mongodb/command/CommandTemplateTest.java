package siemload.database.mongodb.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import siemload.query.StatementText;

/** Values are put into commands as values, and only commands that are known to read are sent. */
class CommandTemplateTest {

    @Test
    void aValueHasTheTypeThatItStandsWithin() {
        CommandTemplate template = template("""
                {"find": "t", "filter": {"a": ":s", "b": {"$numberInt": ":n"}, "c": {"$gte": {"$date": ":d"}},
                 "d": {"$in": [{"$oid": ":o"}, {"$numberLong": ":n"}, {"$numberDouble": ":n"}]}, "e": "::text"}, "limit": 5}
                """);
        Map<String, String> values =
                Map.of("s", "x\" }, {", "n", "17", "d", "2024-02-29T12:00:00Z", "o", "65f000000000000000000001");

        assertThat(template.with(values::get)).isEqualTo(BsonDocument.parse("""
                {"find": "t", "filter": {"a": "x\\" }, {", "b": {"$numberInt": "17"},
                 "c": {"$gte": {"$date": "2024-02-29T12:00:00Z"}},
                 "d": {"$in": [{"$oid": "65f000000000000000000001"}, {"$numberLong": "17"}, {"$numberDouble": "17"}]},
                 "e": ":text"}, "limit": 5}
                """));
        assertThat(template.with(values::get).getDocument("filter").get("b").isInt32())
                .isTrue();
    }

    @Test
    void aDayIsItsMidnight() {
        CommandTemplate template = template("{\"find\": \"t\", \"filter\": {\"d\": {\"$date\": \":d\"}}}");

        assertThat(template.with(name -> "2024-02-29")).isEqualTo(template.with(name -> "2024-02-29T00:00:00Z"));
    }

    @Test
    void aCommandIsMadeAnewForEachAnswer() {
        CommandTemplate template = template("{\"count\": \"t\"}");
        BsonDocument first = template.with(name -> "");
        first.append("comment", first.get("count"));

        assertThat(template.with(name -> "")).isEqualTo(BsonDocument.parse("{\"count\": \"t\"}"));
    }

    @ParameterizedTest
    @CsvSource({"$numberInt, 1.5", "$numberLong, many", "$oid, 17", "$date, yesterday", "$numberDecimal, x"})
    void aValueOfAnotherTypeIsToldByItsParameter(String type, String value) {
        CommandTemplate template = template("{\"find\": \"t\", \"filter\": {\"a\": {\"" + type + "\": \":v\"}}}");

        assertThatThrownBy(() -> template.with(name -> value))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("'" + value + "' of :v is no " + type);
    }

    @Test
    void whatIsNoExtendedJsonIsTold() {
        assertThatThrownBy(() -> template("{\"find\": \"t\", \"filter\": {\"a\": {\"$oid\": \"17\"}}}"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("it is no Extended JSON: ");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'find': 'events', 'filter': {'source': ':user'}, 'sort': {'ts': -1}, 'limit': {'$numberInt': ':n'}}",
                "{'aggregate': 'events', 'pipeline': [{'$match': {'a': ':a'}}, {'$group': {'_id': '$out', 'n': {'$sum': 1}}}]}",
                "{'aggregate': 1, 'pipeline': [{'$documents': [{'a': 1}]}], 'cursor': {}}",
                "{'count': 'events', 'query': {'a': 1}}",
                "{'distinct': 'events', 'key': 'a', 'query': {}}"
            })
    void whatReadsIsTaken(String command) {
        assertThat(ReadingCommands.refusal(template(command.replace('\'', '"'))))
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            {'insert': 't', 'documents': [{}]} | 'insert' is none of the commands that are known to read
            {'findAndModify': 't', 'remove': true} | 'findAndModify' is none of the commands that are known to read
            {'mapReduce': 't'} | 'mapReduce' is none of the commands
            {'filter': {}, 'find': 't'} | 'filter' is none of the commands that are known to read (allowed, as the first field: find, aggregate, count, distinct)
            {'aggregate': 't', 'pipeline': [{'$match': {}}, {'$out': 'u'}]} | the stage $out writes
            {'aggregate': 't', 'pipeline': [{'$unionWith': {'coll': 'u', 'pipeline': [{'$merge': {'into': 'v'}}]}}]} | the stage $merge writes
            {'aggregate': 't', 'pipeline': [{'$changeStream': {}}]} | the stage $changeStream never ends
            {'aggregate': 't', 'pipeline': [], 'explain': true} | aggregate cannot have the field 'explain'
            {'find': ':t'} | find needs the name of a collection, and no parameter in its place
            {'find': 1} | find needs the name of a collection
            {'find': 't', 'tailable': true} | find cannot have the field 'tailable' (allowed: allowDiskUse,
            {'find': 't', 'maxTimeMS': 5} | find cannot have the field 'maxTimeMS' (leave it out: -Dtimeout says
            {'find': 't', '$db': 'admin'} | find cannot have the field '$db'
            """)
    void whateverElseIsRefusedByName(String command, String why) {
        assertThat(ReadingCommands.refusal(template(command.replace('\'', '"'))).orElseThrow())
                .startsWith(why);
    }

    static CommandTemplate template(String command) {
        StatementText.Scanned scanned = StatementText.scan(StatementText.Language.COMMAND, command);
        assertThat(scanned.flaw()).isEmpty();
        return CommandTemplate.of(scanned.statement());
    }
}
