package siemload.query;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
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
}
