package siemload.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import siemload.GoldenFile;
import siemload.config.ConfigException;
import siemload.config.Problem;
import siemload.config.Problems;
import siemload.config.YamlNode;
import siemload.event.AddressRange;
import siemload.query.Criterion.AddressMatches;
import siemload.query.Criterion.AnyOf;
import siemload.query.Criterion.Missing;
import siemload.query.Criterion.PortUsed;

class SearchDefinitionTest {
    private static final SearchName NAME = new SearchName("own");
    private static final List<AddressRange> ADDRESSES =
            List.of(AddressRange.parse("192.0.2.1"), AddressRange.parse("192.0.2.2"));

    private static Criterion value(Criterion.Drawn drawn) {
        return switch (drawn.key()) {
            case ADDRESSES -> new AddressMatches(ADDRESSES, drawn.side());
            case PORT -> new PortUsed(22, drawn.side());
            default -> drawn.key().is("drawn " + drawn.key().label());
        };
    }

    private static SearchDefinition read(String yaml) {
        return YamlNode.parse("own.yaml", yaml, new Problems(), top -> SearchDefinition.read(top, NAME))
                .orElseThrow();
    }

    @Test
    void drawnValuesTakeThePlaceOfTheWord() {
        SearchDefinition search = read("""
                description: a list of sources
                criteria: [{addresses: drawn, side: source}, {category: drawn}, {port: 22, side: target}]
                """);

        assertThat(search.criteria(SearchDefinitionTest::value))
                .containsExactly(
                        new AddressMatches(ADDRESSES, EventSide.SOURCE),
                        CriterionKey.CATEGORY.is("drawn category"),
                        new PortUsed(22, EventSide.TARGET));
        assertThat(search.side()).isEqualTo(EventSide.SOURCE);
        assertThat(search.draws(CriterionKey.ADDRESSES)).isTrue();
        assertThat(search.refinements()).containsExactly(SearchName.DETAIL);
    }

    @Test
    void listsAndAlternativesAreMetByOneOfThem() {
        SearchDefinition search = read("""
                description: alternatives
                criteria:
                  - {port: [22, 6000-6063], side: target}
                  - category: [Attempt.Login]
                  - {missing: address, side: source}
                  - anyOf: [{detector: drawn}, [{missing: description}, {port: drawn}]]
                """);

        assertThat(search.criteria(SearchDefinitionTest::value))
                .containsExactly(
                        new AnyOf(List.of(
                                List.of(new PortUsed(22, EventSide.TARGET)),
                                List.of(new PortUsed(6_000, 6_063, EventSide.TARGET)))),
                        CriterionKey.CATEGORY.is("Attempt.Login"),
                        new Missing(CriterionKey.ADDRESS, EventSide.SOURCE),
                        new AnyOf(List.of(
                                List.of(CriterionKey.DETECTOR.is("drawn detector")),
                                List.of(
                                        new Missing(CriterionKey.DESCRIPTION, EventSide.EITHER),
                                        new PortUsed(22, EventSide.EITHER)))));
        assertThat(search.draws(CriterionKey.DETECTOR)).isTrue();
        assertThat(search.draws(CriterionKey.CATEGORY)).isFalse();
    }

    @Test
    void whatSumsUpHasNoRowsToGoOnFrom() {
        SearchDefinition search = read("{description: top, summary: {topList: hour, size: 5}}");

        assertThat(search.summary()).contains(new Summary.TopList(Field.HOUR, 5));
        assertThat(search.refinements()).isEmpty();
        assertThat(read("{description: curve, summary: {timeline: port}}").summary())
                .contains(new Summary.Timeline(Field.PORT, 200));
    }

    @Test
    void anOrderOfItsOwnGoesBeforeThatOfUsers() {
        SearchDefinition search = read("{description: x, wholeOrder: unsorted}");

        assertThat(search.order(new Page.Whole(), Order.NEWEST_FIRST)).isEqualTo(Order.UNSORTED);
        assertThat(search.order(new Page.Numbered(10, 2), Order.NEWEST_FIRST)).isEqualTo(Order.NEWEST_FIRST);
        assertThat(read("{description: x, window: always}").window()).contains(Window.ALWAYS);
        assertThat(read("{description: x}").window()).isEqualTo(Optional.empty());
    }

    @ParameterizedTest
    @MethodSource("siemload.query.SearchName#builtIn")
    void everyRefinementAsksForOneThingMoreOrOpensTheEvent(SearchName name) {
        SearchDefinition search = SearchCatalog.builtIn().get(name);

        assertThat(search.refinements())
                .allMatch(finer -> finer.equals(SearchName.DETAIL)
                        || search.addedBy(SearchCatalog.builtIn().get(finer)).isPresent());
    }

    @Test
    void eachMistakeIsToldWithItsPlace() throws IOException {
        GoldenFile.of("messages/search.txt")
                .assertEach(yaml -> catchThrowableOfType(ConfigException.class, () -> read(yaml)).problems().stream()
                        .map(Problem::toString)
                        .collect(Collectors.joining("\n")));
    }
}
