package siemload.schema;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import siemload.query.SearchName;
import siemload.query.SearchReader;

/** The schema of searches says the same as their reader. */
class SearchSchemaTest {
    /** Together they have every key there is. */
    private static final List<String> SEARCHES = List.of("""
            description: lists events
            criteria:
              - {address: drawn, side: source}
              - {addresses: [192.0.2.7, 10.0.0.0/8, 10.0.0.1-10.0.0.9, "2001:db8::/32"], side: either}
              - {range: 10.0.0.0/8}
              - {category: Attempt.Login}
              - {detector: drawn}
              - {port: 22, side: target}
              - {service: {address: 192.0.2.7, port: 443}}
              - {id: drawn}
              - {text: dictionary}
              - {description: a whole one}
              - {category: [Attempt.Login, Attempt.Exploit]}
              - {port: [22, 6000-6063], side: source}
              - {missing: address, side: target}
              - {missing: category}
              - anyOf: [{port: 6000-6063}, [{detector: [a, b]}, {missing: port}]]
            order: oldestFirst
            wholeOrder: unsorted
            window: always
            refinements: [DETAIL]
            share: 0.01
            """, """
            description: counts over time
            summary: {timeline: category, steps: 10}
            """, """
            description: counts values
            summary: {topList: source, size: 10}
            """);

    @TempDir
    private Path directory;

    private SchemaAndReader searches() throws IOException {
        return new SchemaAndReader(
                "search.json", file -> SearchReader.read(file, file.toString(), new SearchName("own")), directory);
    }

    @Test
    void searchesHaveTheKeysThatTheirReaderKnows() throws Exception {
        int mappings = 0;
        for (String search : SEARCHES) {
            mappings += searches().assertSameKeys(Schemas.YAML.readTree(search));
        }
        assertThat(mappings).as("mappings whose keys were compared").isEqualTo(24);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{criteria: []}",
                "{description: ''}",
                "{description: x, criteria: drawn}",
                "{description: x, criteria: [{}]}",
                "{description: x, criteria: [{side: source}]}",
                "{description: x, criteria: [{port: 22, category: drawn}]}",
                "{description: x, criteria: [{port: 65536}]}",
                "{description: x, criteria: [{port: many}]}",
                "{description: x, criteria: [{category: x, side: source}]}",
                "{description: x, criteria: [{port: 1, side: both}]}",
                "{description: x, criteria: [{address: 10.0.0.0/8}]}",
                "{description: x, criteria: [{addresses: []}]}",
                "{description: x, criteria: [{addresses: ten}]}",
                "{description: x, criteria: [{service: {port: 22}}]}",
                "{description: x, criteria: [{missing: everything}]}",
                "{description: x, criteria: [{missing: category, side: source}]}",
                "{description: x, criteria: [{port: [22, many]}]}",
                "{description: x, criteria: [{category: []}]}",
                "{description: x, criteria: [{anyOf: [{port: 22}]}]}",
                "{description: x, criteria: [{anyOf: [{port: 22}, []]}]}",
                "{description: x, criteria: [{anyOf: [{port: 22}, {port: 23}], side: source}]}",
                "{description: x, criteria: [{anyOf: [{port: 22}, {prot: 23}]}]}",
                "{description: x, summary: {}}",
                "{description: x, summary: {topList: hour, timeline: hour}}",
                "{description: x, summary: {topList: hours}}",
                "{description: x, summary: {topList: hour, size: 0}}",
                "{description: x, summary: {topList: hour, steps: 5}}",
                "{description: x, summary: {timeline: hour, size: 5}}",
                "{description: x, summary: {topList: hour}, order: newestFirst}",
                "{description: x, summary: {topList: hour}, refinements: [DETAIL]}",
                "{description: x, order: unsorted}",
                "{description: x, window: 7d}",
                "{description: x, refinements: [two words]}",
                "{description: x, share: 2}"
            })
    void aWrongSearchIsRefusedByBoth(String wrong) throws Exception {
        searches().assertBothRefuse(Schemas.YAML.readTree(wrong));
    }
}
