package siemload.database.postgresql.layout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import siemload.config.ConfigException;
import siemload.config.Origin;
import siemload.database.IndexSet;
import siemload.database.LayoutFolder;
import siemload.database.Partitions;
import siemload.database.layout.LayoutInFolder;
import siemload.database.postgresql.PostgresqlPlugin;

/** Layouts of users' own: folders that are read as siemload's own ones are, and what is said of bad ones. */
final class OwnLayoutTest extends LayoutInFolder {
    OwnLayoutTest() {
        super(new PostgresqlPlugin(), Layout::of);
    }

    @ParameterizedTest
    @CsvSource({"mentat, NONE", "mentat, DAY", "address, NONE", "address, DAY"})
    void aCopyOfOneOfSiemloadsHasTheSameStatements(String label, Partitions partitions) {
        Layout builtIn = Layout.of(label, partitions);
        Layout copy = Layout.of(copy(builtIn));

        assertThat(copy.files())
                .isNotEmpty()
                .allSatisfy((name, text) ->
                        assertThat(text).isEqualTo(builtIn.files().get(name)));
        assertThat(copy.tables()).isEqualTo(builtIn.tables());
        assertThat(copy.offer()).isEqualTo(builtIn.offer());
        assertThat(copy.partitions()).isEqualTo(partitions);
        assertThat(copy.copied()).isEqualTo(builtIn.copied());
    }

    @Test
    void aFolderNeedsOnlyWhatDiffersFromItsBase() {
        LayoutFolder folder = copy(Layout.ADDRESS);
        for (String file : folder.files().keySet()) {
            if (!file.equals(YAML)) {
                delete(file);
            }
        }
        write("count.sql", "SELECT count(e.id) FROM events e WHERE :conditions");
        write(YAML, read(YAML) + "base: [address, mentat]\n");

        Layout layout = Layout.of(folder());

        assertThat(layout.read("count").sql()).startsWith("SELECT count(e.id)");
        assertThat(layout.read("page").sql())
                .isEqualTo(Layout.MENTAT.read("page").sql());
    }

    @Test
    void anEditedFileMakesAnotherLayout() {
        String before = copy(Layout.MENTAT).label();
        assertThat(before).matches("mine@[0-9a-f]{16}");
        assertThat(folder().label()).isEqualTo(before);

        write("count.sql", read("count.sql") + " ");

        assertThat(folder().label()).isNotEqualTo(before);
    }

    @Test
    void whatIsNoFileOfALayoutIsLeftAlone() {
        String before = copy(Layout.MENTAT).label();
        write("README.md", "for people");
        write(".count.sql.swp", "of an editor");
        assertThat(folder().label()).isEqualTo(before);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
            target: postgresql | target: oracle | mine/layout.yaml:2:9: target: 'oracle' is unknown (allowed: postgresql)
            partitions: none | partitions: week | partitions: 'week' is unknown (allowed: none, day)
            [native, none, time | [natve, none, time | 'natve' is unknown (did you mean native?
            [native, none, time | [native, native, time | 'native' stands here twice (leave one out)
            hints: [none, full-scan, | hints: [full-scan, none, | begins with 'full-scan' (needed: none first
            hints: [none, full-scan, | hints: [none, first-rows, | 'first-rows' is unknown
            paging: [offset | paging: [ofset | 'ofset' is unknown (did you mean offset?
            rows: events | rows: adresses | 'adresses' is unknown (did you mean addresses?
            source_port: source_port | source_port: side | 'side' cannot fill a column of a table with a row for each event (allowed: id, detect_time,
            source_port: source_port | source_port: source_ports | 'source_ports' is unknown (did you mean source_port?
            source_port: source_port | "Source: source_port" | cannot be a name here (allowed: up to 63 lower case letters, digits and '_', a letter first)
            {id: id, event: json} | {event: json} | no column is filled by id
            {id: id, event: json} | {id: id, event: network} | 'network' cannot fill
            "  events_json:" | "  trend_line:" | is a name that siemload itself gives beside these tables
            "  events_json:" | "  event_text:" | mine/table-event-text.sql: there is no such file, which the layout needs for its table event_text
            paging: | pageing: | pageing: unknown key (did you mean paging?
            partitions: none | base: [mentt] | 'mentt' is unknown (did you mean mentat?
            """)
    void aBadDescriptionIsToldWithItsPlace(String from, String to, String message) {
        copy(Layout.MENTAT);
        replace(YAML, from, to);
        assertThat(problems()).contains(message);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
            condition-category.sql | :'category' | :'categry' | mine/condition-category.sql:1:21: the name :'categry' is unknown here (did you mean :'category'?
            condition-category.sql | e.category | :category | mine/condition-category.sql:1:1: the name :category is unknown here
            page.sql | :'offset' | 0 | mine/page.sql:8:11: has :conditions, :'limit', but values are given to this file by their order (needed: :conditions, :'limit', :'offset', each once and in this order)
            page.sql | LIMIT :'limit' OFFSET :'offset' | OFFSET :'offset' LIMIT :'limit' | mine/page.sql:8:12: has :conditions, :'offset', :'limit'
            count.sql | :conditions | true | mine/count.sql: has no values
            hidden.sql | (:condition) | (:condition OR :condition) | mine/hidden.sql:1:16: has :condition, :condition
            insert-events.sql | (:values) | (:valuse) | mine/insert-events.sql:1:39: the name :valuse is unknown here (did you mean :values? allowed: :columns,
            insert-events.sql | (:values) | (:'sides') | the name :'sides' is unknown here
            indexes-time.sql | detect_time | :detect_time | the name :detect_time is unknown here (allowed: none
            delete-day-events.sql | :'until' | :'from' | mine/delete-day-events.sql:2:80: has :'from', :'from'
            table-events.sql | text[] | text[1:x] | mine/table-events.sql:6:20: the name :x is unknown here (allowed: :partitioning; a colon that begins no name has another one before it)
            """)
    void aBadStatementIsToldWithItsPlace(String file, String from, String to, String message) {
        copy(Layout.MENTAT);
        replace(file, from, to);
        assertThat(problems()).contains(message);
    }

    @Test
    void everyMissingFileIsTold() {
        copy(Layout.MENTAT);
        delete("page.sql");
        delete("contents-events.sql");
        delete("indexes-fields.sql");
        assertThat(problems().lines())
                .contains("mine/page.sql: there is no such file, which the layout needs (make it, or name a layout of"
                        + " siemload's that has it as base in mine/layout.yaml)")
                .anySatisfy(line -> assertThat(line)
                        .startsWith(
                                "mine/contents-events.sql: there is no such file, which the layout needs for its table"
                                        + " events "))
                .anySatisfy(line -> assertThat(line)
                        .startsWith(
                                "mine/indexes-fields.sql: there is no such file, which the layout needs for its index set"
                                        + " fields "))
                .hasSize(3);
    }

    @Test
    void aFileThatNothingReadsIsTold() {
        copy(Layout.MENTAT);
        write("pages.sql", "SELECT");
        write("keys-address.sql", "SELECT");
        assertThat(problems())
                .contains(
                        "mine/pages.sql: nothing reads a file of this name in this layout (did you mean page.sql? else remove it, or give it another ending)")
                .contains("mine/keys-address.sql: nothing reads a file of this name");
    }

    @Test
    void anIndexSetThatTheLayoutDoesNotHaveNeedsNoFile() {
        copy(Layout.MENTAT);
        replace(YAML, "[native, none, time, fields, compound]", "[time, none]");
        for (String set : List.of("native", "fields", "compound")) {
            delete("indexes-" + set + ".sql");
            delete("indexes-" + set + "-address.sql");
        }
        assertThat(Layout.of(folder()).offer().indexSets()).hasSize(2);
    }

    @Test
    void filesThatCannotBeReadAreTold() throws IOException {
        copy(Layout.MENTAT);
        write("count.sql", "x".repeat(100_001));
        Files.write(path("page.sql"), new byte[] {(byte) 0xC3, (byte) 0x28});
        delete("whole.sql");
        Files.createDirectory(path("whole.sql"));
        assertThat(problems())
                .contains("mine/count.sql: is too long (allowed: at most 100000 bytes)")
                .contains("mine/page.sql: is not in UTF-8 (save it in this encoding)")
                .contains("mine/whole.sql: is a directory (needed: a file)");
    }

    @Test
    void aFolderThatIsNoneIsTold() throws IOException {
        assertThat(problems())
                .startsWith("--layout: there is no directory '" + path(""))
                .contains("check-layout --target postgresql --copy mentat");
        Files.createDirectory(path(""));
        assertThat(problems()).contains("has no file layout.yaml (needed: it says what the layout is)");
    }

    @Test
    void aFolderWithoutAUsefulNameIsTold() throws IOException {
        Path folder = Files.createDirectory(path("").resolveSibling("my layout"));
        ConfigException thrown = catchThrowableOfType(
                ConfigException.class,
                () -> LayoutFolder.read(folder.toString(), new Origin.Option("layout"), new PostgresqlPlugin()));
        assertThat(thrown).hasMessageContaining("the folder 'my layout' cannot give a layout its name");
    }

    @Test
    void theExpressionsOfALayoutWithoutLoadingStandInItsSearches() {
        existing();
        Layout layout = Layout.of(folder());
        assertThat(layout.isForSearchesAlone()).isTrue();
        assertThat(layout.read("count").sql()).isEqualTo("SELECT count(*)\nFROM alerts a\nWHERE :conditions");
        assertThat(layout.read("condition-window").sql()).isEqualTo("a.at >= ? AND a.at < ?");
        assertThat(layout.read("condition-after-key").sql()).isEqualTo("(a.at, a.number) > (?, ?)");
        assertThat(layout.read("page").sql()).contains("SELECT :id, :time, coalesce((a.text)::text, '')");
        assertThat(layout.offer().indexSets()).containsExactly(IndexSet.NATIVE);
        assertThat(layout.steps("values"))
                .extracting(step -> step.sql())
                .containsExactly("SELECT kind, 1 FROM alerts a");
        assertThat(layout.has("condition-port")).isFalse();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
            layout.yaml | loading: none | loading: nothing | 'nothing' is unknown (allowed: events, none)
            layout.yaml | loading: none | "loading: none\\nindexes: [native]" | indexes: means nothing to a layout without loading
            layout.yaml | loading: none | "loading: none\\npartitions: day" | partitions: means nothing to a layout without loading
            layout.yaml | alerts: {c | "alerts: {rows: addresses, c" | finds events by its conditions
            values.sql | -- category | -- kind | 'kind' is no kind of values (needed: its name in a comment line
            values.sql | -- category | "-- category\\nSELECT 1, 1;\\n-- category" | has two queries for category
            values.sql | FROM :from | FROM :form | the name :form is unknown here (did you mean :from?
            condition-category.sql | :'category' | :'categry' | the name :'categry' is unknown here (did you mean :'category'?
            id.sql | a.number | :time | the name :time is unknown here (allowed: none
            """)
    void aBadLayoutWithoutLoadingIsToldWithItsPlace(String file, String from, String to, String message) {
        existing();
        replace(file, from, to.replace("\\n", "\n"));
        assertThat(problems()).contains(message);
    }

    @Test
    void aLayoutWithoutLoadingNeedsItsExpressionsAndNoTables() {
        existing();
        delete("from.sql");
        delete("time.sql");
        write("insert-alerts.sql", "INSERT");
        write("primary-keys.sql", "ALTER TABLE");
        assertThat(problems())
                .contains("mine/from.sql: there is no such file, which the layout needs")
                .contains("mine/time.sql: there is no such file, which the layout needs")
                .contains("mine/insert-alerts.sql: nothing reads a file of this name")
                .contains("mine/primary-keys.sql: nothing reads a file of this name");
    }

    @Test
    void theFramesOfLayoutsWithoutLoadingAreForNoOthers() {
        copy(Layout.MENTAT);
        write(YAML, read(YAML) + "base: [rows]\n");
        assertThat(problems()).contains("'rows' is for layouts with loading: none (allowed: mentat, address, ");
    }

    private void existing() {
        write(YAML, """
                description: alerts
                target: postgresql
                loading: none
                tables:
                  alerts: {columns: {at: detect_time}}
                """);
        write("from.sql", "alerts a");
        write("id.sql", "-- The key.\na.number");
        write("time.sql", "a.at");
        write("json.sql", "a.text");
        write("condition-category.sql", "a.kind = :'category'");
        write("values.sql", "-- category\nSELECT kind, 1 FROM :from;");
    }
}
