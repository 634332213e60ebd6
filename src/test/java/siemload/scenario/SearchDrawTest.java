package siemload.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
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
}
