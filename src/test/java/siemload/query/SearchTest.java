package siemload.query;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import siemload.event.AddressRange;

class SearchTest {
    static final SearchValues VALUES = new SearchValues(
            List.of(AddressRange.parse("192.0.2.1"), AddressRange.parse("192.0.2.2")),
            AddressRange.parse("198.51.100.0/24"),
            "Recon.Scanning",
            "cz.cesnet.hoststats",
            22,
            "id",
            "text");

    private static SearchDefinition definition(SearchName name) {
        return SearchCatalog.builtIn().get(name);
    }

    @ParameterizedTest
    @MethodSource("siemload.query.SearchName#builtIn")
    void everyRefinementAsksForOneThingMoreOrOpensTheEvent(SearchName name) {
        assertThat(definition(name).refinements())
                .allMatch(finer -> finer.equals(SearchName.DETAIL)
                        || definition(name).addedBy(definition(finer)).isPresent());
    }

    @ParameterizedTest
    @MethodSource("siemload.query.SearchName#builtIn")
    void aSearchLooksOnItsSideAlone(SearchName name) {
        List<EventSide> sides = definition(name).criteria(VALUES).stream()
                .flatMap(criterion -> criterion instanceof Criterion.AddressFigured figured
                        ? Stream.of(figured.side())
                        : criterion instanceof Criterion.PortUsed used ? Stream.of(used.side()) : Stream.empty())
                .toList();

        if (name.equals(SearchName.WITHIN)) {
            assertThat(sides).containsExactly(EventSide.SOURCE, EventSide.TARGET);
        } else {
            assertThat(sides).allMatch(definition(name).side()::equals);
        }
    }
}
