package siemload.database.postgresql.layout;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
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
