package siemload.database.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import siemload.database.LayoutFolder;
import siemload.database.Partitions;
import siemload.database.layout.LayoutInFolder;

/** Layouts of users' own: folders that are read as siemload's own ones are, and what is said of bad ones. */
final class OwnLayoutTest extends LayoutInFolder {
    OwnLayoutTest() {
        super(new PostgresqlPlugin(), Layout::of);
    }

    @ParameterizedTest
    @CsvSource({"mentat, NONE", "mentat, DAY", "address, NONE", "address, DAY"})
    void aCopyOfOneOfSiemloadsHasTheSameStatements(String label, Partitions partitions) {
        Layout builtIn = Layout.of(label, partitions);
        Layout copy = Layout.of(copy(label, partitions));

        assertThat(copy.blocks().names())
                .isNotEmpty()
                .allSatisfy(name -> assertThat(copy.read(name)).isEqualTo(builtIn.read(name)));
        assertThat(copy.tables()).isEqualTo(builtIn.tables());
        assertThat(copy.read().about().partitions()).isEqualTo(partitions);
    }

    @Test
    void aFolderNeedsOnlyWhatDiffersFromItsBase() {
        LayoutFolder folder = copy("address", Partitions.NONE);
        for (String file : folder.files().keySet()) {
            if (!file.equals(YAML)) {
                delete(file);
            }
        }
        write("count.sql", "SELECT count(e.id) FROM events e WHERE :conditions");
        write("condition-source-port.sql", "e.source_port @> ARRAY[:'port'::int]");
        write(YAML, read(YAML) + "base: [address, mentat]\n");

        Layout layout = Layout.of(folder());

        assertThat(layout.read("count").sql()).startsWith("SELECT count(e.id)");
        assertThat(layout.read("condition-source-port").sql()).contains("@>");
        assertThat(layout.read("condition-target-port").sql()).contains("&&");
        assertThat(layout.read("page").sql())
                .isEqualTo(Layout.of("mentat", Partitions.NONE).read("page").sql());
    }

    @Test
    void anEditedFileMakesAnotherLayout() {
        String before = copy("mentat", Partitions.NONE).label();
        assertThat(before).matches("mine@[0-9a-f]{16}");
        assertThat(folder().label()).isEqualTo(before);

        write("count.sql", read("count.sql") + " ");

        assertThat(folder().label()).isNotEqualTo(before);
    }

    @Test
    void filesThatCannotBeReadAreTold() throws IOException {
        copy("mentat", Partitions.NONE);
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
}
