package siemload.database.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import siemload.config.ConfigException;
import siemload.config.Origin;
import siemload.database.Hint;
import siemload.database.IndexSet;
import siemload.database.LayoutFolder;
import siemload.database.Partitions;
import siemload.database.Variant;
import siemload.query.Paging;

final class OwnLayoutTest {
    @TempDir
    private Path directory;

    private static SortedMap<String, String> files(String layout, Partitions partitions) {
        return new PostgresqlPlugin().ownLayouts().orElseThrow().files(layout, partitions);
    }

    private static Layout read(Map<String, String> files) {
        LayoutFolder folder = new LayoutFolder("mine", "mine", new TreeMap<>(files));
        return Layout.of(new Variant(
                folder.label(), Partitions.NONE, IndexSet.NATIVE, Hint.NONE, Paging.OFFSET, Optional.of(folder)));
    }

    @ParameterizedTest
    @CsvSource({"mentat, NONE", "mentat, DAY", "address, NONE", "address, DAY"})
    void aCopyOfOneOfSiemloadsHasTheSameStatements(String label, Partitions partitions) {
        Layout builtIn = Layout.of(label, partitions);
        Layout copy = read(files(label, partitions));

        assertThat(copy.blocks().all().keySet())
                .isNotEmpty()
                .allSatisfy(name -> assertThat(copy.read(name)).isEqualTo(builtIn.read(name)));
        assertThat(copy.tables()).isEqualTo(builtIn.tables());
        assertThat(copy.about().partitions()).isEqualTo(partitions);
    }

    @Test
    void aFolderNeedsOnlyWhatDiffersFromItsBase() {
        String yaml = "description: mine\ntarget: postgresql\nbase: [address-day, address, mentat-day, mentat]\n";
        Layout layout = read(Map.of("layout.yaml", yaml, "statements.sql", """
                -- name: count
                SELECT count(e.id) FROM events e WHERE :conditions
                -- name: condition-source-port
                e.source_port @> ARRAY[:'port'::int]
                """));

        assertThat(layout.read("count").sql()).startsWith("SELECT count(e.id)");
        assertThat(layout.read("condition-source-port").sql()).contains("@>");
        assertThat(layout.read("condition-target-port").sql()).contains("&&");
        Layout base = Layout.of("address", Partitions.DAY);
        assertThat(layout.read("page")).isEqualTo(base.read("page"));
        assertThat(layout.tables()).isEqualTo(base.tables());
        assertThat(layout.about().hints())
                .hasSizeGreaterThan(1)
                .isEqualTo(base.about().hints());
        assertThat(layout.about().isByDay()).isTrue();
    }

    @Test
    void existingTablesMayHaveAnyName() {
        String yaml = "description: mine\ntarget: postgresql\nloading: none\n"
                + "tables: {\"Event Log\": {columns: {\"createdAt\": detect_time}}}\n";
        Layout layout = read(Map.of("layout.yaml", yaml, "statements.sql", """
                -- name: from
                "Event Log" e
                -- name: id
                e.id
                -- name: time
                e."createdAt"
                -- name: json
                e.json
                """));

        assertThat(layout.tables()).extracting("name").containsExactly("Event Log");
    }

    private Path written() throws IOException {
        Path folder = Files.createDirectory(directory.resolve("mine"));
        for (Map.Entry<String, String> file : files("mentat", Partitions.NONE).entrySet()) {
            Files.writeString(folder.resolve(file.getKey()), file.getValue());
        }
        return folder;
    }

    private LayoutFolder folder() {
        return LayoutFolder.read(
                directory.resolve("mine").toString(), new Origin.Option("layout"), new PostgresqlPlugin());
    }

    private String problems() {
        return String.valueOf(
                catchThrowableOfType(ConfigException.class, this::folder).getMessage());
    }

    @Test
    void filesThatCannotBeReadAreTold() throws IOException {
        Path folder = written();
        Path statements = folder.resolve("statements.sql");
        Files.writeString(statements, "x".repeat(1_000_001));
        assertThat(problems()).contains("mine/statements.sql: has 1,000,001 bytes (allowed: at most 1,000,000)");
        Files.write(statements, new byte[] {(byte) 0xC3, (byte) 0x28});
        assertThat(problems()).contains("mine/statements.sql:1:1: this is not UTF-8 text");
        Files.delete(statements);
        Files.writeString(folder.resolve("id.sql"), "e.id");
        Files.writeString(folder.resolve("from.sql"), "events e");
        assertThat(problems())
                .contains("mine/from.sql: siemload reads only layout.yaml and statements.sql of a layout")
                .contains(
                        "(copy from.sql, id.sql into statements.sql, each below a line with its name: '-- name: from')");
        Files.createDirectory(statements);
        assertThat(problems()).contains("mine/statements.sql: is a directory (needed: a file)");
    }
}
