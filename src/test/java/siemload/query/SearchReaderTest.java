package siemload.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import siemload.GoldenFile;
import siemload.config.ConfigException;
import siemload.config.Problem;
import siemload.config.Problems;
import siemload.config.YamlDocument;
import siemload.event.AddressRange;
import siemload.query.Criterion.AddressAndPortOnOneSide;
import siemload.query.Criterion.AddressFigured;
import siemload.query.Criterion.AnyOf;
import siemload.query.Criterion.CategoryIs;
import siemload.query.Criterion.DescriptionIs;
import siemload.query.Criterion.DetectorIs;
import siemload.query.Criterion.EventPart;
import siemload.query.Criterion.IdIs;
import siemload.query.Criterion.Missing;
import siemload.query.Criterion.PortBetween;
import siemload.query.Criterion.PortUsed;
import siemload.query.Criterion.TextContains;

class SearchReaderTest {
    private static final SearchName NAME = new SearchName("own");

    @TempDir
    private Path directory;

    private SearchDefinition read(String yaml) {
        try {
            Path file = Files.writeString(directory.resolve("own.yaml"), yaml);
            return YamlDocument.read(file, "own.yaml", new Problems(), top -> SearchReader.read(top, NAME))
                    .orElseThrow();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void valuesOfTheFileAreLookedForAsTheyStand() {
        SearchDefinition search = read("""
                description: everything that can be asked
                criteria:
                  - address: 192.0.2.7
                  - {addresses: [192.0.2.7, 10.0.0.0/8], side: source}
                  - {range: 10.0.0.1-10.0.0.9, side: target}
                  - category: Attempt.Login
                  - detector: cz.cesnet.hoststats
                  - {port: 22, side: either}
                  - service: {address: 192.0.2.0/24, port: 443}
                  - id: an id
                  - text: dictionary
                  - description: Horizontal port scan
                """);

        assertThat(search.criteria(SearchTest.VALUES))
                .containsExactly(
                        new AddressFigured(List.of(AddressRange.parse("192.0.2.7"))),
                        new AddressFigured(
                                List.of(AddressRange.parse("192.0.2.7"), AddressRange.parse("10.0.0.0/8")),
                                EventSide.SOURCE),
                        new AddressFigured(List.of(AddressRange.parse("10.0.0.1-10.0.0.9")), EventSide.TARGET),
                        new CategoryIs("Attempt.Login"),
                        new DetectorIs("cz.cesnet.hoststats"),
                        new PortUsed(22),
                        new AddressAndPortOnOneSide(AddressRange.parse("192.0.2.0/24"), 443),
                        new IdIs("an id"),
                        new TextContains("dictionary"),
                        new DescriptionIs("Horizontal port scan"));
        assertThat(search.side()).isEqualTo(EventSide.EITHER);
        assertThat(search.draws(CriterionKey.PORT)).isFalse();
    }

    @Test
    void drawnValuesTakeThePlaceOfTheWord() {
        SearchDefinition search = read("""
                description: a list of sources
                criteria: [{addresses: drawn, side: source}, {category: drawn}, {port: 22, side: target}]
                """);

        assertThat(search.criteria(SearchTest.VALUES))
                .containsExactly(
                        new AddressFigured(SearchTest.VALUES.addresses(), EventSide.SOURCE),
                        new CategoryIs("Recon.Scanning"),
                        new PortUsed(22, EventSide.TARGET));
        assertThat(search.side()).isEqualTo(EventSide.SOURCE);
        assertThat(search.hasList()).isTrue();
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

        assertThat(search.criteria(SearchTest.VALUES))
                .containsExactly(
                        new AnyOf(List.of(
                                List.of(new PortUsed(22, EventSide.TARGET)),
                                List.of(new PortBetween(6_000, 6_063, EventSide.TARGET)))),
                        new CategoryIs("Attempt.Login"),
                        new Missing(EventPart.ADDRESS, EventSide.SOURCE),
                        new AnyOf(List.of(
                                List.of(new DetectorIs("cz.cesnet.hoststats")),
                                List.of(new Missing(EventPart.DESCRIPTION, EventSide.EITHER), new PortUsed(22)))));
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
        SearchDefinition.OwnOrder order = read("{description: x, order: oldestFirst, wholeOrder: unsorted}")
                .order();

        assertThat(order.of(new Page.Numbered(10, 2), Order.NEWEST_FIRST)).isEqualTo(Order.OLDEST_FIRST);
        assertThat(order.of(new Page.Whole(), Order.NEWEST_FIRST)).isEqualTo(Order.UNSORTED);
        assertThat(SearchDefinition.OwnOrder.AS_WANTED.of(new Page.Whole(), Order.NEWEST_FIRST))
                .isEqualTo(Order.NEWEST_FIRST);
        assertThat(read("{description: x, window: always}").window()).contains(Window.ALWAYS);
        assertThat(read("{description: x}").window()).isEqualTo(Optional.empty());
    }

    @Test
    void eachMistakeIsToldWithItsPlace() throws IOException {
        GoldenFile.of("messages/search.txt")
                .assertEach(yaml -> catchThrowableOfType(ConfigException.class, () -> read(yaml)).problems().stream()
                        .map(Problem::toString)
                        .collect(Collectors.joining("\n")));
    }
}
