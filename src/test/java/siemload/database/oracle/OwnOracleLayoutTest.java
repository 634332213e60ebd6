package siemload.database.oracle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import siemload.config.ConfigException;
import siemload.config.Problem;
import siemload.database.Hint;
import siemload.database.IndexSet;
import siemload.database.LayoutFolder;
import siemload.database.Partitions;
import siemload.database.contract.SearchSamples;
import siemload.database.sql.SqlFiles.Step;
import siemload.query.Order;
import siemload.query.Paging;

/** Layouts of users' own for Oracle, and what is said of bad ones. */
@Tag("any-java")
final class OwnOracleLayoutTest {
    private static final LayoutFolder COPY = OwnOracleFolder.copy(Partitions.DAY);

    @ParameterizedTest
    @EnumSource(Partitions.class)
    void aCopyOfSiemloadsHasTheSameStatements(Partitions partitions) {
        OracleLayout builtIn = OracleLayout.of(partitions);
        OracleLayout copy = OracleLayout.of(OwnOracleFolder.copy(partitions));

        assertThat(copy.texts().all())
                .isNotEmpty()
                .allSatisfy((name, text) ->
                        assertThat(text).isEqualTo(builtIn.texts().text(name)));
        assertThat(copy.tables()).isEqualTo(builtIn.tables());
        assertThat(copy.names()).isEqualTo(builtIn.names());
        assertThat(copy.offer()).isEqualTo(builtIn.offer());
        assertThat(copy.partitions()).isEqualTo(partitions);
        assertThat(copy.texts().has("partitioning")).isEqualTo(partitions == Partitions.DAY);
        assertThat(copy.copied()).isEqualTo(builtIn.copied());
    }

    @Test
    void siemloadsOffersWhatTheTargetDoes() {
        OraclePlugin plugin = new OraclePlugin();
        assertThat(plugin.ownLayouts().orElseThrow().abilities(COPY))
                .usingRecursiveComparison()
                .ignoringFields("layouts", "partitions")
                .isEqualTo(plugin.abilities());
    }

    @Test
    void aFolderNeedsOnlyWhatDiffersFromItsBase() {
        OracleLayout layout = OracleLayout.of(OwnOracleFolder.lists());

        assertThat(layout.texts().text("page"))
                .isEqualTo(OracleLayout.of(Partitions.DAY).texts().text("page"));
        assertThat(layout.offer().pagings()).containsExactly(Paging.OFFSET, Paging.KEYSET);
    }

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

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
            count.sql | :conditions | :condition | count.sql:1:45: the name :condition is unknown here (did you mean :conditions?
            count.sql | :"event" | :"events" | the name :"events" is unknown here (did you mean :"event"?
            condition-port.sql | :'port_text' | :'ports' | condition-port.sql:2:94: the name :'ports' is unknown here (did you mean :'port'?
            table-event.sql | :partitioning | :local | the name :local is unknown here
            keys.sql | -- primary key event_pk | -- the key | the statement 'the key' does not say what it makes
            keys.sql | -- index addr_event | -- index addr_id | the statement 'index addr_id' does not say what it makes
            indexes-time.sql | event_time | of_time | the name :"of_time" is unknown here
            indexes-time.sql | event_time | event_when | has no index event_time (time-index), which a hint names
            indexes-fields.sql | event_source | event_src | has no index event_source (index), which a hint names
            layout.yaml | end_time: detect_time | end_time: id_text | no column of the first table is filled by detect_time
            layout.yaml | event_id: id | event_id: id_text | no column is filled by id (needed: one
            layout.yaml | source_port: source_port | source_port: side | 'side' cannot fill a column of a table with a row for each event
            layout.yaml | text: text | text: json | 'json' cannot fill a column of a table with a row for each value
            layout.yaml | several-values | several | 'several' is unknown
            layout.yaml | "  list:" | "  history:" | is a name that siemload itself gives beside these tables
            layout.yaml | "  list:" | "  lost:" | table-lost.sql: there is no such file, which the layout needs for its table lost
            layout.yaml | keyset] | cursor] | 'cursor'
            layout.yaml | none, time, fields | none, times, fields | 'times'
            """)
    void whatIsWrongIsToldWithItsPlaceAndItsRemedy(String file, String from, String to, String message) {
        assertThat(COPY.files().get(file)).contains(from);
        LayoutFolder wrong = OwnOracleFolder.with(COPY, file, text -> text.replace(from, to));
        assertThat(problems(wrong)).anyMatch(problem -> problem.contains(message));
    }

    @Test
    void aFileOfTheBaseThatNamesATableWhichIsNotThereIsTold() {
        LayoutFolder lists = OwnOracleFolder.lists();
        SortedMap<String, String> files = new TreeMap<>();
        lists.files()
                .forEach((file, text) -> files.put(
                        file.replace("-event.sql", "-alert.sql"),
                        text.replace("\"event", "\"alert")
                                .replace("  event:", "  alert:")
                                .replace(" event_", " alert_")));
        assertThat(problems(new LayoutFolder("mine", "mine", files)))
                .anyMatch(
                        problem -> problem.contains(
                                "page.sql: there is no such file, and that of the base names :\"event\", which is no table of this layout"));
    }

    private static List<String> problems(LayoutFolder folder) {
        ConfigException e = catchThrowableOfType(ConfigException.class, () -> OracleLayout.of(folder));
        assertThat(e).as("what is wrong").isNotNull();
        return e.problems().stream().map(Problem::toString).toList();
    }
}
