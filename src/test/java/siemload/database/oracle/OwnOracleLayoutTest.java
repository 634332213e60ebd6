package siemload.database.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import siemload.database.Hint;
import siemload.database.IndexSet;
import siemload.database.Partitions;
import siemload.database.contract.SearchSamples;
import siemload.database.sql.SqlFiles.Step;
import siemload.query.Order;

/** Layouts of users' own for Oracle, and what is said of bad ones. */
@Tag("any-java")
final class OwnOracleLayoutTest {

    @Test
    void hintsNameTheIndexesOfTheFirstTable() {
        OracleLayout layout = OracleLayout.of(OwnOracleFolder.renamed(Partitions.NONE));
        TableGroup tables = new TableGroup("SL_1", new Tablespaces("", ""), layout);

        assertThat(tables.indexSteps(IndexSet.NATIVE))
                .extracting(Step::name)
                .startsWith("primary key alert_pk")
                .contains("index place_event", "index alert_time");
        assertThat(layout.hasIndex("source_port", IndexSet.NATIVE)).isFalse();
        assertThat(layout.hasIndex("source_port", IndexSet.FIELDS)).isTrue();
        assertThat(new HintText(Hint.TIME_INDEX, IndexSet.NATIVE, tables)
                        .of(SearchSamples.inOrder(Order.NEWEST_FIRST).get(0)))
                .isEqualTo("/*+ INDEX(e SL_1_ALERT_TIME) */");
    }
}
