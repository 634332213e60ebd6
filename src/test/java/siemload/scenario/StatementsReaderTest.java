package siemload.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import siemload.dataset.SeededRandom;
import siemload.query.Criterion;
import siemload.query.Order;
import siemload.query.SearchName;
import siemload.query.StatementText;
import siemload.scenario.AnalystGroup.Distribution;
import siemload.scenario.AnalystGroup.ResultReading;
import siemload.scenario.StatementPlan.Values;
import siemload.scenario.StatementPlan.Values.Range;

class StatementsReaderTest extends ScenarioReading {
    private static final SearchName BY_USER = new SearchName("by_user");

    /** Line 3 is that of the statement. */
    private static final String SMALL = """
            description: small
            statements:
              by_user: {sql: "SELECT * FROM t WHERE u = :user", values: {user: [ann, bob]}}
            analysts: [{name: clerks, users: 3, thinkTime: {distribution: constant, value: 1s}}]
            phases: {warmup: 0s, measurement: 10s}
            """;

    @Test
    void aScenarioOfFiveLinesHasAllThatARunNeeds() {
        Scenario scenario = read(SMALL);

        AnalystGroup group = scenario.analysts().get(0);
        assertThat(scenario.dataset()).isEmpty();
        assertThat(scenario.feeder().isOn()).isFalse();
        assertThat(group.searched().mix().possible()).containsExactly(BY_USER);
        assertThat(group.searched().orders().possible()).containsExactly(Order.UNSORTED);
        assertThat(group.searched().reading()).isEqualTo(new ResultReading.Whole());
        assertThat(group.investigation().actions()).isEqualTo(new AnalystGroup.Investigation.Actions(1, 1));
        assertThat(group.investigation().pause()).isEqualTo(new Distribution.Constant(Duration.ofSeconds(1)));
    }

    @Test
    void valuesOfARowStayTogether() throws IOException {
        Files.writeString(Files.createDirectories(home.resolve("scenarios")).resolve("windows.csv"), """
                until,note,since
                2,"x, y",1

                "4",,3
                """);
        StatementPlan plan = read("""
                        description: small
                        statements:
                          window: {sql: "SELECT :since, :until, :user", rows: windows.csv, values: {user: [ann]}}
                        analysts: [{name: clerks, users: 3, thinkTime: {distribution: constant, value: 1s}}]
                        phases: {warmup: 0s, measurement: 10s}
                        """).statements().get(0);

        assertThat(IntStream.range(0, 50)
                        .mapToObj(i -> plan.search(SeededRandom.of(1, i)).criteria())
                        .distinct())
                .containsExactlyInAnyOrder(
                        List.of(is("since", "1"), is("until", "2"), is("user", "ann")),
                        List.of(is("since", "3"), is("until", "4"), is("user", "ann")));
    }

    @Test
    void whatRowsHaveIsNotGivenASecondTime() throws IOException {
        Files.writeString(
                Files.createDirectories(home.resolve("scenarios")).resolve("users.csv"), "user\nann\n\n\"\"\n\n");

        assertThatThrownBy(() -> read(SMALL.replace("values: {user:", "rows: users.csv, values: {user:")))
                .hasMessageContaining(":user has its values from a column of rows (remove it)");
        assertThat(read(SMALL.replace("values: {user: [ann, bob]}", "rows: users.csv"))
                        .statements()
                        .get(0)
                        .rows())
                .isEqualTo(List.of(Map.of("user", "ann"), Map.of("user", "")));
    }

    private static Criterion is(String parameter, String value) {
        return new Criterion.ParameterIs(parameter, value);
    }

    @Test
    void valuesComeFromRangesFilesAndQueries() throws IOException {
        Files.writeString(
                Files.createDirectories(home.resolve("scenarios")).resolve("x.csv"),
                "of_file,name\n1,ann\n\n2,\"\"\n\n");
        Map<String, Values> values = read(SMALL.replace("u = :user", "u IN (:number, :of_file, :asked)")
                        .replace(
                                "user: [ann, bob]",
                                "number: {from: -1_000, to: 5}, of_file: {file: x.csv, column: name}, asked: {query: SELECT x FROM t;}"))
                .statements()
                .get(0)
                .values();

        assertThat(values)
                .isEqualTo(Map.of(
                        "number", new Range(-1000, 5),
                        "of_file", new Values.Listed(List.of("ann", "")),
                        "asked", new Values.Asked(StatementText.parse("SELECT x FROM t"))));
    }

    @Test
    void rangesReachFromTheirFirstToTheirLastValue() {
        assertThat(LongStream.range(0, 200)
                        .mapToObj(seed -> new Range(-1, 1).draw(new SeededRandom(seed)))
                        .distinct())
                .containsExactlyInAnyOrder("-1", "0", "1");
        Range ids = new Range(Long.MAX_VALUE, Long.MAX_VALUE);
        assertThat(ids.draw(new SeededRandom(1))).isEqualTo("9223372036854775807");
    }

    private Scenario read(String yaml) {
        return files.read(yaml, Map.of());
    }
}
