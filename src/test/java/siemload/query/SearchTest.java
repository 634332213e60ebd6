package siemload.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import siemload.event.AddressRange;

class SearchTest {
    private static final Instant NOON = Instant.parse("2016-06-06T12:00:00Z");
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
    void everySearchIsDescribed(SearchName name) {
        assertThat(definition(name).description()).isNotBlank();
    }

    @ParameterizedTest
    @MethodSource("siemload.query.SearchName#builtIn")
    void everyRefinementAsksForOneThingMoreOrOpensTheEvent(SearchName name) {
        assertThat(definition(name).refinements())
                .allMatch(finer -> finer.equals(SearchName.DETAIL)
                        || definition(name).addedBy(definition(finer)).isPresent());
    }

    @Test
    void onlySearchesForAListUseMoreThanOneAddress() {
        assertThat(definition(SearchName.HAWAT1).criteria(VALUES))
                .containsExactly(new Criterion.AddressFigured(List.of(AddressRange.parse("192.0.2.1"))));
        assertThat(definition(SearchName.OTHER1).criteria(VALUES))
                .containsExactly(new Criterion.AddressFigured(VALUES.addresses()));
        assertThat(SearchName.builtIn())
                .filteredOn(name -> definition(name).criteria(VALUES).stream()
                        .anyMatch(criterion -> criterion instanceof Criterion.AddressFigured figured
                                && figured.anyOf().equals(VALUES.addresses())))
                .containsExactlyElementsOf(SearchName.builtIn().stream()
                        .filter(name -> definition(name).hasList())
                        .toList());
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

    @Test
    void aWindowHoldsItsFirstInstantAndNotItsLast() {
        Window window = Window.last(Duration.ofHours(1), NOON);

        assertThat(window.contains(NOON.minusSeconds(3600))).isTrue();
        assertThat(window.contains(NOON.minusSeconds(3601))).isFalse();
        assertThat(window.contains(NOON)).isFalse();
        assertThat(Window.ALWAYS.contains(NOON)).isTrue();
        assertThatIllegalArgumentException().isThrownBy(() -> new Window(NOON, NOON.minusNanos(1)));
    }

    @Test
    void aPageOfAnUnsortedResultIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Search(
                        SearchName.OTHER1, Window.ALWAYS, List.of(), Order.UNSORTED, new Page.Numbered(100, 1)));
    }

    @Test
    void pagesKnowHowAUserComesToThem() {
        assertThat(new Page.Numbered(100, 1).pageClass()).isEqualTo(PageClass.FIRST);
        assertThat(new Page.Numbered(100, 2).pageClass()).isEqualTo(PageClass.DEEPER);
        assertThat(new Page.After(100, new PageKey(NOON, "id")).pageClass()).isEqualTo(PageClass.DEEPER);
        assertThat(new Page.Last(100).pageClass()).isEqualTo(PageClass.LAST);
        assertThat(new Page.Whole().pageClass()).isEqualTo(PageClass.WHOLE);
        assertThat(new Page.Stated().pageClass()).isEqualTo(PageClass.STATEMENT);
        assertThat(new Page.Numbered(100, 3).offset()).isEqualTo(200);
        assertThatIllegalArgumentException().isThrownBy(() -> new Page.Numbered(0, 1));
        assertThatIllegalArgumentException().isThrownBy(() -> new Page.Numbered(1, 0));
    }
}
