package siemload.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import siemload.dataset.DatasetReader;
import siemload.dataset.EventGenerator;
import siemload.dataset.Popularity;
import siemload.dataset.SeededRandom;
import siemload.dataset.ValuePools;
import siemload.dataset.ValuePoolsBuilder;
import siemload.event.AddressRange;
import siemload.query.Criterion;
import siemload.query.Criterion.AddressFigured;
import siemload.query.Criterion.CategoryIs;
import siemload.query.Criterion.PortUsed;
import siemload.query.EventSide;
import siemload.query.Order;
import siemload.query.Page;
import siemload.query.SearchName;
import siemload.query.Window;

class SearchDrawTest {
    private static final int LIST_LENGTH = 5;
    private static final EventGenerator TINY =
            new EventGenerator(DatasetReader.read(Path.of("src/test/resources/datasets/tiny.yaml")));
    private static final ValuePools POOLS = pools();
    private static final AddressRange ADDRESS = AddressRange.parse("192.0.2.7");

    private static ValuePools pools() {
        ValuePoolsBuilder builder = new ValuePoolsBuilder();
        TINY.read(500, builder::add);
        return builder.build();
    }

    @ParameterizedTest
    @EnumSource(Popularity.class)
    void valuesOfASideAreThoseThatOccurThere(Popularity popularity) {
        assertThat(candidates(POOLS.sides().source().addresses(), popularity))
                .containsAll(addresses(SearchName.SOURCE, popularity));
        assertThat(candidates(POOLS.sides().target().addresses(), popularity))
                .containsAll(addresses(SearchName.TARGET, popularity));
        assertThat(addresses(SearchName.SOURCELIST, popularity)).hasSize(LIST_LENGTH);
        assertThat(candidates(POOLS.sides().target().addresses(), popularity))
                .containsAll(addresses(SearchName.TARGETLIST, popularity));
        AddressRange range = addresses(SearchName.SOURCENET, popularity).get(0);
        assertThat(candidates(POOLS.sides().source().addresses(), popularity)).anyMatch(range::overlaps);
        assertThat(candidates(POOLS.sides().source().ports(), popularity))
                .contains(port(SearchName.SOURCEPORT, popularity));
        assertThat(candidates(POOLS.sides().target().ports(), popularity))
                .contains(port(SearchName.TARGETPORT, popularity));
        assertThat(candidates(POOLS.ports(), popularity)).contains(port(SearchName.PORT, popularity));
    }

    @Test
    void whatIsGivenIsLookedForOnTheSidesOfTheSearch() {
        Criterion address = new AddressFigured(List.of(ADDRESS));

        assertThat(given(SearchName.HAWAT1, address)).containsExactly(address);
        assertThat(given(SearchName.SOURCE, address)).containsExactly(on(EventSide.SOURCE));
        assertThat(given(SearchName.WITHIN, address)).containsExactly(on(EventSide.SOURCE), on(EventSide.TARGET));
        assertThat(given(SearchName.TARGETPORT, new PortUsed(22))).containsExactly(new PortUsed(22, EventSide.TARGET));
        assertThat(given(SearchName.SOURCE, new CategoryIs("Test"))).hasSize(2).endsWith(new CategoryIs("Test"));
    }

    private static Criterion on(EventSide side) {
        return new AddressFigured(List.of(ADDRESS), side);
    }

    private static List<Criterion> given(SearchName name, Criterion given) {
        return new SearchDraw(POOLS, TINY)
                .search(
                        name,
                        new DrawRule(Popularity.HOT, LIST_LENGTH, new SeededRandom(1)),
                        Window.ALWAYS,
                        Order.NEWEST_FIRST,
                        new Page.Whole(),
                        List.of(given))
                .criteria();
    }

    private static Criterion drawn(SearchName name, Popularity popularity) {
        return new SearchDraw(POOLS, TINY)
                .search(
                        name,
                        new DrawRule(popularity, LIST_LENGTH, new SeededRandom(1)),
                        Window.ALWAYS,
                        Order.NEWEST_FIRST,
                        new Page.Whole())
                .criteria()
                .get(0);
    }

    private static List<AddressRange> addresses(SearchName name, Popularity popularity) {
        return ((AddressFigured) drawn(name, popularity)).anyOf();
    }

    private static int port(SearchName name, Popularity popularity) {
        return ((PortUsed) drawn(name, popularity)).port();
    }

    private static <T> List<T> candidates(ValuePools.Pool<T> pool, Popularity popularity) {
        return switch (popularity) {
            case HOT -> pool.hot();
            case TYPICAL -> pool.typical();
            case RARE -> pool.rare();
            case ABSENT -> pool.absent();
        };
    }
}
