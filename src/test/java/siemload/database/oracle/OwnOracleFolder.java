package siemload.database.oracle;

import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import siemload.config.Origin;
import siemload.database.Hint;
import siemload.database.IndexSet;
import siemload.database.LayoutFolder;
import siemload.database.Partitions;
import siemload.database.Variant;
import siemload.database.layout.BlockFiles;
import siemload.query.Paging;

/** Layouts of one's own for tests. Stateless. */
final class OwnOracleFolder {
    private OwnOracleFolder() {}

    /** A copy of siemload's. */
    static LayoutFolder copy(Partitions partitions) {
        return new LayoutFolder(
                "mine",
                "mine",
                BlockFiles.of(
                        OracleFormat.INSTANCE.copied(OracleLayout.of(partitions).read())));
    }

    /** The same with one file edited. */
    static LayoutFolder with(LayoutFolder folder, String file, UnaryOperator<String> edit) {
        SortedMap<String, String> files = BlockFiles.of(folder.files());
        files.put(file, BlockFiles.text(file, edit.apply(files.getOrDefault(file, ""))));
        return new LayoutFolder(folder.name(), folder.shownAs(), files);
    }

    /** A copy of siemload's in which all tables and many columns have other names. */
    static LayoutFolder renamed(Partitions partitions) {
        SortedMap<String, String> files = new TreeMap<>();
        copy(partitions)
                .files()
                .forEach((file, text) -> files.put(
                        file.replace("-event.sql", "-alert.sql").replace("-addr.sql", "-place.sql"),
                        renamed(text.replaceFirst("(-- name: \\S+)-event\n", "$1-alert\n")
                                .replaceFirst("(-- name: \\S+)-addr\n", "$1-place\n"))));
        return new LayoutFolder("renamed", "renamed", files);
    }

    private static String renamed(String text) {
        return text.replace("\"event", "\"alert")
                .replace("index event_", "index alert_")
                .replace("key event_", "key alert_")
                .replace("  event:", "  alert:")
                .replace("\"addr", "\"place")
                .replace("index addr_", "index place_")
                .replace("  addr:", "  place:")
                .replace("raw_event", "idea")
                .replace("event_id", "key_of_it")
                .replace("source_addresses:", "sources_of_it:")
                .replace("source_addresses ", "sources_of_it ")
                .replace("target_addresses:", "targets_of_it:")
                .replace("target_addresses ", "targets_of_it ")
                .replace("{side}_addresses", "{side}s_of_it")
                .replace("category:", "kind:")
                .replace("category ", "kind ")
                .replace("e.category", "e.kind")
                .replace("(category,", "(kind,");
    }

    /** The one whose addresses and values all lie in tables of their own, on the base of siemload's. */
    static LayoutFolder lists() {
        return LayoutFolder.read("src/test/resources/layouts/lists", new Origin.Default(), new OraclePlugin());
    }

    static Variant variant(LayoutFolder folder, IndexSet indexes, Hint hint) {
        Partitions partitions = OracleLayout.of(folder).about().partitions();
        return new Variant(folder.label(), partitions, indexes, hint, Paging.OFFSET, Optional.of(folder));
    }
}
