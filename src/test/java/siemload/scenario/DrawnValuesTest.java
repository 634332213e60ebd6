package siemload.scenario;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import siemload.GoldenFile;
import siemload.dataset.DatasetReader;
import siemload.dataset.EventGenerator;
import siemload.dataset.Popularity;
import siemload.dataset.SeededRandom;
import siemload.dataset.ValuePoolsBuilder;
import siemload.query.Criterion;
import siemload.query.Order;
import siemload.query.Page;
import siemload.query.Search;
import siemload.query.SearchCatalog;
import siemload.query.SearchName;
import siemload.query.Window;

/** What is drawn for the searches that somebody can ask for is the same in every version: runs of two can be compared. */
class DrawnValuesTest {
    private static final EventGenerator TINY =
            new EventGenerator(DatasetReader.read(Path.of("src/test/resources/datasets/tiny.yaml")));

    private static final Duration DAY = Duration.ofDays(1);
    private static final Page WHOLE = new Page.Whole();

    @Test
    void theSameIsDrawnInEveryVersionAndAsMuchOfChanceIsUsed() throws Exception {
        ValuePoolsBuilder pools = new ValuePoolsBuilder();
        TINY.read(500, pools::add);
        SearchDraw draw = new SearchDraw(pools.build(), TINY);
        List<String> lines = new ArrayList<>();
        for (SearchName name : SearchCatalog.builtIn().names().byName().values()) {
            for (Popularity popularity : Popularity.values()) {
                SeededRandom random = new SeededRandom(7);
                Search search = draw.search(
                        name,
                        new DrawRule(popularity, 3, random),
                        Window.last(DAY, TINY.until()),
                        Order.NEWEST_FIRST,
                        WHOLE);
                lines.add(name + " " + popularity + ": "
                        + search.criteria().stream().map(Criterion::words).toList() + " " + search.order() + " "
                        + search.window() + ", next " + random.nextInt(1_000_000));
            }
        }

        GoldenFile.of("drawn-values.txt").assertHolds(String.join("\n", lines) + "\n");
    }
}
