package siemload.schema;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import siemload.config.Origin;
import siemload.database.LayoutFolder;
import siemload.database.Partitions;
import siemload.database.TargetPlugin;
import siemload.database.TargetPlugins;
import siemload.database.opensearch.Flows;

/** The schema of layouts says the same as their reader. */
class LayoutSchemaTest {
    private static final TargetPlugin POSTGRESQL =
            TargetPlugins.find("postgresql").orElseThrow();
    private static final TargetPlugin MONGODB = TargetPlugins.find("mongodb").orElseThrow();
    private static final TargetPlugin ORACLE = TargetPlugins.find("oracle").orElseThrow();
    private static final TargetPlugin OPENSEARCH =
            TargetPlugins.find("opensearch").orElseThrow();
    private static final Path ALERTS = Path.of("src/test/resources/existing/alerts");
    private static final Path ORACLE_ALERTS = Path.of("src/test/resources/existing/oracle-alerts");
    private static final Path EXISTING = Path.of("layouts/pgbench");

    @TempDir
    private Path directory;

    private SchemaAndReader layouts() throws IOException {
        return new SchemaAndReader("layout.json", LayoutSchemaTest::read, directory);
    }

    /** With the statements of a layout that loads, or of one that does not. */
    private static void read(Path file) {
        String text = Schemas.text(file);
        if (text.contains("\"target\":\"mongodb\"")) {
            read(text, MONGODB, ALERTS, files(MONGODB, "idea", Partitions.NONE));
        } else if (text.contains("\"target\":\"opensearch\"")) {
            read(text, OPENSEARCH, Flows.LAYOUT, files(OPENSEARCH, "idea", Partitions.NONE));
        } else if (text.contains("\"target\":\"oracle\"")) {
            Partitions partitions = text.contains("\"partitions\":\"day\"") ? Partitions.DAY : Partitions.NONE;
            read(text, ORACLE, ORACLE_ALERTS, files(ORACLE, "arc_event", partitions));
        } else {
            read(text, POSTGRESQL, EXISTING, files(POSTGRESQL, "mentat", Partitions.NONE));
        }
    }

    private static void read(String text, TargetPlugin target, Path withoutLoading, SortedMap<String, String> loading) {
        SortedMap<String, String> files = new TreeMap<>(
                text.contains("\"loading\":\"none\"")
                        ? LayoutFolder.read(withoutLoading.toString(), new Origin.Default(), target)
                                .files()
                        : loading);
        files.put(LayoutFolder.ABOUT, text);
        var unused = target.ownLayouts().orElseThrow().abilities(new LayoutFolder("mine", "mine", files));
    }

    private static SortedMap<String, String> files(TargetPlugin target, String layout, Partitions partitions) {
        return target.ownLayouts().orElseThrow().files(layout, partitions);
    }

    private static String about(TargetPlugin target, String layout, Partitions partitions) {
        return files(target, layout, partitions).getOrDefault(LayoutFolder.ABOUT, "");
    }

    @ParameterizedTest
    @CsvSource({"mentat, NONE", "mentat, DAY", "address, NONE", "address, DAY"})
    void theLayoutsThatSiemloadBringsFitTheSchema(String layout, Partitions partitions) throws Exception {
        String yaml = about(POSTGRESQL, layout, partitions);
        assertThat(new Schemas().errors("layout.json", Schemas.YAML.readTree(yaml)))
                .isEmpty();
    }

    @Test
    void theLayoutOfDocumentsFitsTheSchemaAndMayHaveItsBase() throws Exception {
        String yaml = about(MONGODB, "idea", Partitions.NONE);
        String alerts = Schemas.text(ALERTS.resolve(LayoutFolder.ABOUT));
        for (String text :
                List.of(yaml, yaml + "base: [idea]\n", alerts, alerts + "base: [rows]\npaging: [keyset]\n")) {
            JsonNode layout = Schemas.YAML.readTree(text);
            assertThat(new Schemas().errors("layout.json", layout)).isEmpty();
            read(Files.writeString(directory.resolve("fits.yaml"), layout.toString()));
        }
    }

    @Test
    void theLayoutOfAnIndexFitsTheSchemaAndMayHaveItsBase() throws Exception {
        String yaml = about(OPENSEARCH, "idea", Partitions.NONE);
        String flows = Schemas.text(Flows.LAYOUT.resolve(LayoutFolder.ABOUT));
        for (String text : List.of(yaml, yaml + "base: [idea]\n", flows, flows + "base: [rows]\npaging: [keyset]\n")) {
            JsonNode layout = Schemas.YAML.readTree(text);
            assertThat(new Schemas().errors("layout.json", layout)).isEmpty();
            read(Files.writeString(directory.resolve("fits.yaml"), layout.toString()));
        }
    }

    @Test
    void theLayoutOfOracleFitsTheSchemaAndMayHaveItsBase() throws Exception {
        String lists = Schemas.text(Path.of("src/test/resources/layouts/lists").resolve(LayoutFolder.ABOUT));
        for (Partitions partitions : Partitions.values()) {
            String yaml = about(ORACLE, "arc_event", partitions);
            for (String text : List.of(yaml + "base: [arc_event]\n", lists + "paging: [keyset]\n")) {
                JsonNode layout = Schemas.YAML.readTree(text);
                assertThat(new Schemas().errors("layout.json", layout)).isEmpty();
            }
            read(Files.writeString(
                    directory.resolve("fits.yaml"), Schemas.YAML.readTree(yaml).toString()));
        }
        String alerts = Schemas.text(ORACLE_ALERTS.resolve(LayoutFolder.ABOUT)) + "base: [rows]\npaging: [keyset]\n";
        assertThat(new Schemas().errors("layout.json", Schemas.YAML.readTree(alerts)))
                .isEmpty();
        read(Files.writeString(
                directory.resolve("fits.yaml"), Schemas.YAML.readTree(alerts).toString()));
    }

    @Test
    void layoutsHaveTheKeysThatTheirReaderKnows() throws Exception {
        String loading = about(POSTGRESQL, "mentat", Partitions.NONE) + "base: [mentat]\nloading: events\n";
        int mappings = layouts().assertSameKeys(Schemas.YAML.readTree(loading));
        assertThat(mappings).as("mappings whose keys were compared").isEqualTo(3);

        String existing = Schemas.text(EXISTING.resolve(LayoutFolder.ABOUT)) + "base: [rows]\npaging: [keyset]\n";
        mappings = layouts().assertSameKeys(Schemas.YAML.readTree(existing));
        assertThat(mappings).as("mappings whose keys were compared").isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{target: postgresql, tables: {events: {columns: {id: id}}}, indexes: [none]}",
                "{description: x, tables: {events: {columns: {id: id}}}, indexes: [none]}",
                "{description: x, target: mysql, tables: {events: {columns: {id: id}}}, indexes: [none]}",
                "{description: x, target: postgresql, indexes: [none]}",
                "{description: x, target: postgresql, tables: {}, indexes: [none]}",
                "{description: x, target: postgresql, tables: {Events: {columns: {id: id}}}, indexes: [none]}",
                "{description: x, target: postgresql, tables: {trend_line: {columns: {id: id}}}, indexes: [none]}",
                "{description: x, target: postgresql, tables: {events: {columns: {id: ids}}}, indexes: [none]}",
                "{description: x, target: postgresql, tables: {events: {columns: {time: detect_time}}}, indexes: [none]}",
                "{description: x, target: postgresql, tables: {events: {columns: {id: id, Port: side}}}, indexes: [none]}",
                "{description: x, target: postgresql, tables: {events: {columns: {id: id, s: side}}}, indexes: [none]}",
                "{description: x, target: postgresql, tables: {events: {rows: days, columns: {id: id}}}, indexes: [none]}",
                "{description: x, target: postgresql, tables: {events: {}}, indexes: [none]}",
                "{description: x, target: postgresql, tables: {events: {columns: {id: id}}}}",
                "{description: x, target: postgresql, tables: {events: {columns: {id: id}}}, indexes: []}",
                "{description: x, target: postgresql, tables: {events: {columns: {id: id}}}, indexes: [none, none]}",
                "{description: x, target: postgresql, tables: {events: {columns: {id: id}}}, indexes: [all]}",
                "{description: x, target: postgresql, tables: {events: {columns: {id: id}}}, indexes: [none], hints: [index]}",
                "{description: x, target: postgresql, tables: {events: {columns: {id: id}}}, indexes: [none], paging: [page]}",
                "{description: x, target: postgresql, tables: {events: {columns: {id: id}}}, indexes: [none], base: [rows]}",
                "{description: x, target: postgresql, tables: {events: {columns: {id: id}}}, indexes: [none], loading: some}",
                "{description: x, target: postgresql, tables: {h: {columns: {}}}, loading: none, indexes: [native]}",
                "{description: x, target: postgresql, tables: {h: {columns: {}}}, loading: none, partitions: day}",
                "{description: x, target: postgresql, tables: {h: {rows: addresses, columns: {}}}, loading: none}",
                "{description: x, target: postgresql, tables: {events: {columns: {id: id}}}, indexes: [none], base: [idea]}",
                "{description: x, target: oracle, tables: {e: {columns: {i: id, n: node_name}}}, indexes: [none]}",
                "{description: x, target: oracle, tables: {e: {columns: {i: id, t: text}}}, indexes: [none]}",
                "{description: x, target: oracle, tables: {e: {columns: {t: detect_time}}}, indexes: [none]}",
                "{description: x, target: oracle, tables: {hint: {columns: {i: id, t: detect_time}}}, indexes: [none]}",
                "{description: x, target: oracle, tables: {e: {columns: {i: id}}, l: {rows: values, columns: {i: id, s: side}}}, indexes: [none]}",
                "{description: x, target: oracle, tables: {e: {columns: {i: id}}, l: {rows: addresses, columns: {i: id, j: json}}}, indexes: [none]}",
                "{description: x, target: oracle, tables: {h: {columns: {}}}, loading: none, hints: [none, index]}",
                "{description: x, target: oracle, tables: {h: {columns: {}}}, loading: none, indexes: [native]}",
                "{description: x, target: oracle, tables: {e: {columns: {i: id}}}, indexes: [none], paging: [cursor]}",
                "{description: x, target: oracle, tables: {e: {columns: {i: id}}}, indexes: [none], base: [mentat]}",
                "{description: x, target: postgresql, tables: {events: {columns: {id: id}}}, indexes: [none], hints: [none, first-rows]}",
                "{description: x, target: postgresql, tables: {e: {columns: {id: id}}, l: {rows: values, columns: {id: id}}}, indexes: [none]}",
                "{target: mongodb, indexes: [none]}",
                "{description: x, target: mongodb}",
                "{description: x, target: mongodb, indexes: []}",
                "{description: x, target: mongodb, indexes: [all]}",
                "{description: x, target: mongodb, indexes: [none], loading: some}",
                "{description: x, target: mongodb, indexes: [none], partitions: none}",
                "{description: x, target: mongodb, loading: none}",
                "{description: x, target: mongodb, loading: none, collection: a, indexes: [native]}",
                "{description: x, target: mongodb, loading: none, collection: a, hints: [none, index]}",
                "{description: x, target: mongodb, loading: none, collection: $a}",
                "{description: x, target: mongodb, loading: none, collection: system.users}",
                "{description: x, target: mongodb, indexes: [none], collection: a}",
                "{description: x, target: mongodb, indexes: [none], base: [rows]}",
                "{description: x, target: postgresql, tables: {h: {columns: {}}}, loading: none, collection: a}",
                "{description: x, target: mongodb, indexes: [none], tables: {events: {columns: {id: id}}}}",
                "{description: x, target: mongodb, indexes: [none], base: [mentat]}",
                "{description: x, target: mongodb, indexes: [none], paging: [page]}",
                "{description: x, target: mongodb, indexes: [none], hints: [index]}",
                "{description: x, target: mongodb, indexes: [none], hints: [none, full-scan-parallel]}",
                "{description: x, target: opensearch}",
                "{description: x, target: opensearch, indexes: [all]}",
                "{description: x, target: opensearch, loading: none}",
                "{description: x, target: opensearch, loading: none, index: Flows}",
                "{description: x, target: opensearch, loading: none, index: '-flows'}",
                "{description: x, target: opensearch, loading: none, index: siemload_registry}",
                "{description: x, target: opensearch, loading: none, index: 'a,siemload_run_x'}",
                "{description: x, target: opensearch, indexes: [none], index: a}",
                "{description: x, target: mongodb, loading: none, collection: a, index: a}",
                "{description: x, target: postgresql, tables: {h: {columns: {}}}, loading: none, index: a}",
                "{description: x, target: opensearch, indexes: [none], loading: none}",
                "{description: x, target: opensearch, indexes: [none], partitions: none}",
                "{description: x, target: opensearch, indexes: [none], collection: a}",
                "{description: x, target: opensearch, indexes: [none], tables: {events: {columns: {id: id}}}}",
                "{description: x, target: opensearch, indexes: [none], base: [rows]}",
                "{description: x, target: opensearch, indexes: [none], hints: [none, full-scan]}"
            })
    void aWrongLayoutIsRefusedByBoth(String wrong) throws Exception {
        layouts().assertBothRefuse(Schemas.YAML.readTree(wrong));
    }
}
