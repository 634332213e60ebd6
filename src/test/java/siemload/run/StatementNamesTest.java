package siemload.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import siemload.database.SearchException;
import siemload.database.UnaskedSession;
import siemload.query.Criterion;
import siemload.query.Order;
import siemload.query.Page;
import siemload.query.PageClass;
import siemload.query.Paging;
import siemload.query.Search;
import siemload.query.SearchName;
import siemload.query.Window;
import siemload.results.SearchKey;

class StatementNamesTest {
    private static final Search ONE = search("a");
    private static final Search OTHER = search("b");

    @Test
    void aKindHasTheStatementsOfAllItsExamples() {
        assertThat(names(Paging.OFFSET, PageClass.FIRST, ONE, OTHER, ONE))
                .isEqualTo(Map.of(key(PageClass.FIRST), Set.of("FIRST a", "FIRST b")));
    }

    @Test
    void pagesThatACursorReadsHaveTheStatementsOfCursors() {
        assertThat(names(Paging.CURSOR, PageClass.DEEPER, ONE))
                .isEqualTo(Map.of(key(PageClass.DEEPER), Set.of("fetch")));
        assertThat(names(Paging.CURSOR, PageClass.COUNT, ONE))
                .isEqualTo(Map.of(key(PageClass.COUNT), Set.of("COUNT a")));
        assertThat(names(Paging.KEYSET, PageClass.DEEPER, ONE))
                .isEqualTo(Map.of(key(PageClass.DEEPER), Set.of("DEEPER a")));
    }

    @Test
    void aKindWhoseStatementsAreNotAllKnownHasNone() {
        assertThat(names(Paging.OFFSET, PageClass.FIRST, ONE, search("broken"))).isEmpty();
        assertThat(names(Paging.OFFSET, PageClass.FIRST, search(""))).isEmpty();
    }

    private static Map<SearchKey, Set<String>> names(Paging paging, PageClass page, Search... examples) {
        return StatementNames.of(Map.of(key(page), List.of(examples)), paging, new Naming())
                .byKind();
    }

    private static SearchKey key(PageClass page) {
        return new SearchKey(SearchName.DETAIL, page, Order.NEWEST_FIRST);
    }

    private static Search search(String id) {
        return new Search(
                SearchName.DETAIL,
                Window.ALWAYS,
                List.of(new Criterion.IdIs(id)),
                Order.NEWEST_FIRST,
                new Page.Numbered(1, 1));
    }

    /** Names statements by page and id, if there is one. */
    private static final class Naming extends UnaskedSession {
        @Override
        public Optional<String> statement(Search search, PageClass page) {
            String id = ((Criterion.IdIs) search.criteria().get(0)).id();
            if (id.equals("broken")) {
                throw new SearchException(SearchException.Kind.OTHER, "", "broken");
            }
            return id.isEmpty() ? Optional.empty() : Optional.of(page + " " + id);
        }

        @Override
        public Optional<String> statementOfCursors() {
            return Optional.of("fetch");
        }
    }
}
