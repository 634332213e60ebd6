package siemload.run.procedure;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import siemload.dataset.DatasetReader;
import siemload.dataset.EventGenerator;
import siemload.dataset.EventSource;
import siemload.dataset.Popularity;
import siemload.dataset.ValuePools;
import siemload.dataset.ValuePoolsBuilder;
import siemload.event.AddressRange;
import siemload.query.Criterion.AddressFigured;
import siemload.query.Criterion.CategoryIs;
import siemload.query.Criterion.DetectorIs;
import siemload.query.Criterion.PortUsed;
import siemload.query.Order;
import siemload.query.Page;
import siemload.query.Search;
import siemload.query.SearchName;
import siemload.query.Window;
import siemload.scenario.Procedure.SearchSet;
import siemload.scenario.SearchDraw;
import siemload.scenario.WindowLength;

class ProcedureSearchesTest {
    private static final EventGenerator TINY =
            new EventGenerator(DatasetReader.read(Path.of("src/test/resources/datasets/tiny.yaml")));
    private static final ValuePools POOLS = pools();
    private static final AddressFigured ADDRESS = new AddressFigured(List.of(AddressRange.parse("195.113.252.33")));
    private static final AddressFigured RANGE =
            new AddressFigured(List.of(AddressRange.parse("208.100.26.0-208.100.26.255")));
    private static final CategoryIs CATEGORY = new CategoryIs("Recon.Scanning");
    private static final DetectorIs DETECTOR = new DetectorIs("cz.cesnet.hoststats");

    private static ValuePools pools() {
        ValuePoolsBuilder builder = new ValuePoolsBuilder();
        TINY.read(500, builder::add);
        return builder.build();
    }

    @Test
    void valuesOfTheStudyTakeThePlaceOfDrawnOnesInEverySearch() {
        assertThat(search("study", SearchName.MENTAT).criteria()).isEmpty();
        assertThat(search("study", SearchName.HAWAT1).criteria()).containsExactly(ADDRESS);
        assertThat(search("study", SearchName.HAWAT2).criteria()).containsExactly(RANGE);
        assertThat(search("study", SearchName.HAWAT3).criteria()).containsExactly(CATEGORY);
        assertThat(search("study", SearchName.HAWAT4).criteria()).containsExactly(DETECTOR);
        assertThat(search("study", SearchName.HAWAT5).criteria()).containsExactly(DETECTOR, CATEGORY);
        assertThat(search("study", SearchName.HAWAT6).criteria()).containsExactly(ADDRESS, CATEGORY);
        assertThat(search("study", SearchName.HAWAT7).criteria()).containsExactly(RANGE, CATEGORY);
        assertThat(search("study", SearchName.OTHER2).criteria()).containsExactly(ADDRESS, new PortUsed(22));
    }

    @Test
    void aListBeginsWithTheAddressOfTheStudyAndGoesOnWithDrawnOnes() {
        AddressFigured list =
                (AddressFigured) search("study", SearchName.OTHER1).criteria().get(0);
        AddressFigured drawn = (AddressFigured)
                search(EventSource.DRAWN, SearchName.OTHER1).criteria().get(0);

        assertThat(list.anyOf()).hasSize(5).startsWith(AddressRange.parse("195.113.252.33"));
        assertThat(list.anyOf().subList(1, 5)).isEqualTo(drawn.anyOf().subList(1, 5));
        assertThat(drawn.anyOf()).doesNotContain(AddressRange.parse("195.113.252.33"));
    }

    @Test
    void theStudyLooksAtSixDaysAndDrawnSearchesAtWhatTheProcedureSays() {
        assertThat(search("study", SearchName.HAWAT1).window())
                .isEqualTo(new Window(Instant.parse("2016-06-06T12:00:00Z"), Instant.parse("2016-06-12T12:00:00Z")));
        assertThat(search(EventSource.DRAWN, SearchName.HAWAT1).window())
                .isEqualTo(new Window(TINY.first(), TINY.until()));
    }

    private static Search search(String searched, SearchName name) {
        SearchSet searchSet =
                new SearchSet(List.of(name), new WindowLength.Everything(), Popularity.TYPICAL, 5, searched);
        return ProcedureSearches.of(searchSet, new SearchDraw(POOLS, TINY), TINY.until(), 1)
                .search(name, Order.NEWEST_FIRST, new Page.Numbered(100, 1));
    }
}
