package siemload.query;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class SearchNameTest {

    @Test
    void theCatalogueComesFirstAsItIsAndThenAllOthersByTheirLetters() {
        SearchName detectorHours = new SearchName("DETECTORHOURS");
        List<SearchName> sorted = List.copyOf(new TreeSet<>(List.of(
                new SearchName("ssh"),
                detectorHours,
                new SearchName("AAA"),
                SearchName.HAWAT1,
                new SearchName("BruteForce"),
                SearchName.MENTAT)));

        assertThat(sorted)
                .extracting(SearchName::name)
                .containsExactly("MENTAT", "HAWAT1", "DETECTORHOURS", "AAA", "BruteForce", "ssh");
        assertThat(SearchName.builtIn())
                .hasSize(38)
                .isSorted()
                .startsWith(SearchName.MENTAT)
                .endsWith(SearchName.HOURTREND);
    }
}
