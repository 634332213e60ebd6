package siemload.results;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import siemload.query.Order;
import siemload.query.PageClass;
import siemload.query.SearchName;
import siemload.query.Statement;
import siemload.query.StatementText;

class SearchKindTest {

    @Test
    void theLabelOfASearchHasItsPageAndItsOrderWhereThatIsNotTheUsualOne() {
        assertThat(label(PageClass.FIRST, Order.NEWEST_FIRST)).isEqualTo("OTHER1 first");
        assertThat(label(PageClass.DEEPER, Order.OLDEST_FIRST)).isEqualTo("OTHER1 deeper, oldest first");
        assertThat(label(PageClass.WHOLE, Order.UNSORTED)).isEqualTo("OTHER1 whole, unsorted");
    }

    @Test
    void aStatementIsCalledByItsNameAloneSinceItSaysItsOrderItself() {
        Statement statement = new Statement(
                new SearchName("account"),
                StatementText.scan("SELECT x ORDER BY 1").statement());

        SearchKey key = SearchKey.of(statement.search(Map.of()));

        assertThat(key.label()).isEqualTo("account");
        assertThat(key.tag()).isEqualTo("account-statement-unsorted");
    }

    private static String label(PageClass page, Order order) {
        return new SearchKey(SearchName.OTHER1, page, order).label();
    }
}
