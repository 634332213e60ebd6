package siemload.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import siemload.event.IdeaWriter;
import siemload.load.SearchRequest.SearchAnswer;
import siemload.measure.LatencyRecorder.Sample;
import siemload.query.Page;
import siemload.query.PageClass;
import siemload.query.PageKey;
import siemload.query.Paging;
import siemload.query.SearchName;
import siemload.results.Outcome;

class AnalystTest {
    private static final int ACTIONS = 20_000;
    private static final PageKey KEY = new PageKey(Fixtures.NOON, "scan");

    @Test
    void thinkTimesAndPausesHaveTheirMeans() {
        Analyst analyst = Fixtures.analyst(Paging.OFFSET, 1);
        double thinkSeconds = 0;
        double pauseSeconds = 0;
        int thinks = 0;
        int pauses = 0;
        for (int i = 0; i < ACTIONS; i++) {
            boolean pause = analyst.investigationDone() && i > 0;
            double seconds = analyst.waitBeforeNext().toNanos() / 1e9;
            if (pause) {
                pauseSeconds += seconds;
                pauses++;
            } else {
                thinkSeconds += seconds;
                thinks++;
            }
            analyst.answered(analyst.next(i), answer(0));
        }

        assertThat(thinkSeconds / thinks).isCloseTo(4, within(0.15));
        assertThat(pauseSeconds / pauses).isCloseTo(30, within(2.5));
        assertThat((double) ACTIONS / pauses).isCloseTo(7.5, within(0.15));
    }

    @Test
    void fullPagesAreFollowedByDeeperPagesInTheirShare() {
        Map<PageClass, Integer> pages = pagesAsked(Paging.OFFSET, 100);

        int actions = ACTIONS - pages.getOrDefault(PageClass.LAST, 0);
        assertThat((double) pages.getOrDefault(PageClass.DEEPER, 0) / actions).isBetween(0.24, 0.30);
        assertThat((double) pages.getOrDefault(PageClass.COUNT, 0) / actions).isBetween(0.03, 0.05);
        assertThat(pages.get(PageClass.LAST)).isEqualTo(pages.get(PageClass.COUNT));
    }

    @Test
    void offsetPagesAreNumberedAndKeysetPagesFollowTheLastRow() {
        assertThat(firstDeeperPage(Paging.OFFSET)).isEqualTo(new Page.Numbered(100, 2));
        assertThat(firstDeeperPage(Paging.KEYSET)).isEqualTo(new Page.After(100, KEY));
    }

    @Test
    void theLastPageIsFoundByTheExactCount() {
        assertThat(lastPage(Paging.OFFSET, 250)).isEqualTo(new Page.Numbered(100, 3));
        assertThat(lastPage(Paging.OFFSET, 300)).isEqualTo(new Page.Numbered(100, 3));
        assertThat(lastPage(Paging.KEYSET, 250)).isEqualTo(new Page.Last(50));
        assertThat(lastPage(Paging.KEYSET, 300)).isEqualTo(new Page.Last(100));
    }

    @Test
    void aFollowUpAddsOneConditionFromTheRowSeen() {
        Analyst analyst = Fixtures.analyst(Fixtures.group(0, 1), Paging.OFFSET, 3);
        analyst.waitBeforeNext();
        SearchRequest first = analyst.next(0);
        analyst.answered(first, answer(100));
        analyst.waitBeforeNext();
        SearchRequest second = analyst.next(1);

        assertThat(first.search().name()).isEqualTo(SearchName.MENTAT);
        assertThat(second.search().name()).isIn(SearchName.HAWAT1, SearchName.HAWAT3, SearchName.HAWAT4);
        assertThat(second.search().criteria()).hasSize(1);
        assertThat(second.search().window()).isEqualTo(first.search().window());
        assertThat(second.search().criteria().toString())
                .containsAnyOf("192.0.2.1", "Recon.Scanning", "cz.example.detector");
    }

    private static Map<PageClass, Integer> pagesAsked(Paging paging, long rows) {
        Analyst analyst = Fixtures.analyst(Fixtures.group(0.3, 0), paging, 5);
        Map<PageClass, Integer> pages = new EnumMap<>(PageClass.class);
        for (int i = 0; i < ACTIONS; i++) {
            analyst.waitBeforeNext();
            SearchRequest request = analyst.next(i);
            pages.merge(request.page(), 1, Integer::sum);
            analyst.answered(request, answer(rows));
        }
        return pages;
    }

    private static Page firstDeeperPage(Paging paging) {
        return pageAfter(paging, 100, PageClass.DEEPER);
    }

    private static Page lastPage(Paging paging, long count) {
        return pageAfter(paging, count, PageClass.LAST);
    }

    private static Page pageAfter(Paging paging, long count, PageClass wanted) {
        Analyst analyst = Fixtures.analyst(paging, 11);
        List<PageClass> asked = new ArrayList<>();
        for (int i = 0; i < ACTIONS; i++) {
            Duration wait = analyst.waitBeforeNext();
            SearchRequest planned = analyst.next(i);
            asked.add(planned.page());
            if (planned.page() == wanted) {
                assertThat(wanted != PageClass.LAST || wait.isZero()).isTrue();
                return planned.search().page();
            }
            analyst.answered(planned, answer(planned.page() == PageClass.COUNT ? count : 100));
        }
        throw new AssertionError("never asked for " + wanted + ", only for " + asked);
    }

    private static SearchAnswer answer(long count) {
        Sample sample = new Sample(0, 0, 0, 0, 0, count, 0, Outcome.OK, "");
        byte[] row = new IdeaWriter().toBytes(Fixtures.SCAN);
        return new SearchAnswer(sample, count, Optional.of(row), Optional.of(KEY));
    }
}
