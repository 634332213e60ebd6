package siemload.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import siemload.query.StatementText;

/** Statements of a scenario that are commands, as YAML of their own or as a text. */
class CommandsReaderTest extends ScenarioReading {
    private static final String SMALL = """
            description: small
            statements:
              asked: {command: COMMAND}
            analysts: [{name: clerks, users: 3, thinkTime: {distribution: constant, value: 1s}}]
            phases: {warmup: 0s, measurement: 10s}
            """;

    @Test
    void yamlBecomesTheSameAsJson() {
        String yaml =
                "{find: t, filter: {a.b: \":user\", n: {$gt: 5}, x: 1_000.50, y: \"5\", on: true, none: null, \"\": \"\","
                        + " day: 2024-02-29, list: [1, no, -2e3]}, sort: {ts: -1}}, values: {user: [ann]}";

        StatementText text = read(yaml).statement().text();

        assertThat(text.language()).isEqualTo(StatementText.Language.COMMAND);
        assertThat(text.written())
                .isEqualTo("{\"find\":\"t\",\"filter\":{\"a.b\":\":user\",\"n\":{\"$gt\":5},\"x\":1000.50,\"y\":\"5\","
                        + "\"on\":true,\"none\":null,\"\":\"\",\"day\":\"2024-02-29\",\"list\":[1,\"no\",-2E+3]},"
                        + "\"sort\":{\"ts\":-1}}");
        assertThat(text.parameters()).containsExactly("user");
        assertThat(read("'{\"find\": \"t\", \"filter\": {\"a\": \":user\"}}', values: {user: [ann]}")
                        .statement()
                        .text()
                        .written())
                .isEqualTo("{\"find\": \"t\", \"filter\": {\"a\": \":user\"}}");
    }

    @Test
    void valuesAreAskedByCommands() {
        String asking = "{find: t, filter: {a: \":user\"}}, values: {user: {query: {distinct: t, key: a}}}";

        assertThat(read(asking).values())
                .isEqualTo(Map.of("user", new StatementValues.Asked("{\"distinct\":\"t\",\"key\":\"a\"}")));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            {find: t, filter: {a: ":user"}} | 3:20: statements.asked.command: :user has no values (give them by values: {user: ...}, as [1, 2, 3], {from: 1, to: 9}, {file: values.csv, column: name} or {query: {distinct: ..., key: ...}})
            '{"find": "t", "a": ":user"}' | 3:41: statements.asked.command: :user has no values
            '{"find": "t"' | statements.asked.command: is no JSON:
            {find: t}, sql: SELECT 1 | statements.asked.sql: cannot stand beside command (leave one out)
            {find: t, limit: .inf} | statements.asked.command.limit: '.inf' is no number of JSON
            {} | statements.asked.command: holds no command
            [find] | statements.asked.command: found a list
            {find: t, ":a": 1} | statements.asked.command: the name of a field cannot be a parameter
            {find: t, a: ":u"}, values: {u: {query: {distinct: t, key: ":k"}}} | values.u.query: a query for values has no parameters, but here stands :k
            {find: t}, values: {u: [1]} | the statement has no parameter :u (it has none)
            """)
    void aMistakeIsToldWithItsPlace(String command, String message) {
        assertThat(files.problemsOf(SMALL.replace("COMMAND", command), Map.of()))
                .contains(message);
    }

    private StatementPlan read(String command) {
        return files.read(SMALL.replace("COMMAND", command), Map.of())
                .scenario()
                .statements()
                .get(0);
    }
}
