package siemload.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import siemload.dataset.SeededRandom;
import siemload.query.Criterion;
import siemload.query.Order;
import siemload.query.SearchName;
import siemload.scenario.StatementValues.Range;
import siemload.scenario.StatementValues.Range.Unit;

/** Statements of a scenario, their values, and what is wrong with them. */
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
        assertThat(group.reading()).isEqualTo(new ResultReading.Whole());
        assertThat(group.investigation().minActions()).isOne();
        assertThat(group.investigation().pause()).isEqualTo(new Distribution.Constant(Duration.ofSeconds(1)));
    }

    @Test
    void valuesOfARowStayTogether() throws IOException {
        Files.writeString(Files.createDirectories(home.resolve("scenarios")).resolve("windows.csv"), """
                until,note,since
                2,x,1
                "4",,3
                """);
        StatementDraw draw = StatementDraw.of(read("""
                        description: small
                        statements:
                          window: {sql: "SELECT :since, :until, :user", rows: windows.csv, values: {user: [ann]}}
                        analysts: [{name: clerks, users: 3, thinkTime: {distribution: constant, value: 1s}}]
                        phases: {warmup: 0s, measurement: 10s}
                        """).statements(), (parameter, asked) -> asked);

        assertThat(IntStream.range(0, 50)
                        .mapToObj(i -> draw.search(new SearchName("window"), SeededRandom.of(1, i))
                                .criteria())
                        .distinct())
                .containsExactlyInAnyOrder(
                        List.of(is("since", "1"), is("until", "2"), is("user", "ann")),
                        List.of(is("since", "3"), is("until", "4"), is("user", "ann")));
    }

    @Test
    void whatRowsHaveIsNotGivenASecondTime() throws IOException {
        Files.writeString(Files.createDirectories(home.resolve("scenarios")).resolve("users.csv"), "user\nann\n\n");

        assertThatThrownBy(() -> read(SMALL.replace("values: {user:", "rows: users.csv, values: {user:")))
                .hasMessageContaining(":user has its values from a column of rows (leave it out)");
        assertThat(read(SMALL.replace("values: {user: [ann, bob]}", "rows: users.csv"))
                        .statements()
                        .get(0)
                        .rows())
                .isEqualTo(new ValueRows(List.of("user"), List.of(List.of("ann"), List.of(""))));
    }

    private static Criterion is(String parameter, String value) {
        return new Criterion.ParameterIs(parameter, value);
    }

    @Test
    void valuesComeFromRangesFilesAndQueries() throws IOException {
        Files.createDirectories(home.resolve("scenarios"));
        Files.writeString(
                home.resolve("scenarios/people.csv"),
                "name,note\n\"Ann, the first\",\"says \"\"hi\"\"\"\nbob,\n\nbob,x\n");
        Map<String, StatementValues> values = read(SMALL.replace("[ann, bob]}}", """
                {file: people.csv, column: name}}}
                  ranges:
                    sql: SELECT :number, :day, :instant, :asked
                    values:
                      number: {from: -1_000, to: 5}
                      day: {from: 2024-02-28, to: 2024-03-01}
                      instant: {from: 2024-02-29T12:00:00Z, to: 2024-02-29T13:00:00Z}
                      asked: {query: SELECT x FROM t;}""")).statements().stream()
                .flatMap(plan -> plan.values().entrySet().stream())
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));

        assertThat(values)
                .isEqualTo(Map.of(
                        "user", new StatementValues.Listed(List.of("Ann, the first", "bob", "bob")),
                        "number", new Range(-1000, 5, Unit.WHOLE_NUMBER),
                        "day", Range.between("2024-02-28", "2024-03-01").orElseThrow(),
                        "instant",
                                Range.between("2024-02-29T12:00:00Z", "2024-02-29T13:00:00Z")
                                        .orElseThrow(),
                        "asked", new StatementValues.Asked("SELECT x FROM t")));
    }

    @Test
    void rangesReachFromTheirFirstToTheirLastValue() {
        assertThat(drawn(new Range(-1, 1, Unit.WHOLE_NUMBER))).containsExactlyInAnyOrder("-1", "0", "1");
        assertThat(drawn(Range.between("2024-02-28", "2024-03-01").orElseThrow()))
                .containsExactlyInAnyOrder("2024-02-28", "2024-02-29", "2024-03-01");
        assertThat(drawn(Range.between("2024-02-29T12:00:00Z", "2024-02-29T12:00:01Z")
                        .orElseThrow()))
                .containsExactlyInAnyOrder("2024-02-29T12:00:00Z", "2024-02-29T12:00:01Z");
    }

    private static List<String> drawn(StatementValues values) {
        return Stream.iterate(0L, seed -> seed < 200, seed -> seed + 1)
                .map(seed -> values.draw(new SeededRandom(seed)))
                .distinct()
                .toList();
    }

    private Scenario read(String yaml) {
        return files.read(yaml, Map.of()).scenario();
    }
}
