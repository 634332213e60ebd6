package siemload.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "1st",
                "_a",
                "ssh-or-rdp",
                "two words",
                "a.b",
                "größer",
                "a,b",
                "a123456789012345678901234567890123456789x"
            })
    void whatCannotBeANameIsRefused(String text) {
        assertThat(SearchName.refusal(text)).isPresent();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new SearchName(text))
                .withMessageContaining("'" + text);
    }
}
