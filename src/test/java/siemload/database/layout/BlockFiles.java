package siemload.database.layout;

import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import siemload.config.Problems;
import siemload.database.LayoutFolder;
import siemload.database.layout.Blocks.Syntax;

/** Folders of layouts taken apart: {@code layout.yaml}, and each block under its name with the ending of its file. Stateless. */
public final class BlockFiles {
    private BlockFiles() {}

    /** The blocks of a folder. */
    public static SortedMap<String, String> of(Map<String, String> folder) {
        SortedMap<String, String> blocks = new TreeMap<>();
        blocks.put(LayoutFolder.ABOUT, folder.getOrDefault(LayoutFolder.ABOUT, ""));
        for (Syntax syntax : Syntax.values()) {
            String text = folder.getOrDefault("statements" + syntax.ending(), syntax == Syntax.JSON ? "{}" : "");
            Blocks.written("", text, syntax, new Problems())
                    .forEach(block -> blocks.put(block.written() + syntax.ending(), block.text()));
        }
        return blocks;
    }

    /** The folder of these blocks. */
    public static SortedMap<String, String> folder(Map<String, String> blocks) {
        SortedMap<String, String> files = new TreeMap<>();
        files.put(LayoutFolder.ABOUT, blocks.getOrDefault(LayoutFolder.ABOUT, ""));
        Map<String, String> sql = ending(".sql", blocks);
        if (!sql.isEmpty()) {
            files.put(
                    "statements.sql",
                    sql.entrySet().stream()
                            .map(block -> "-- name: " + block.getKey() + "\n"
                                    + block.getValue().strip() + "\n")
                            .collect(Collectors.joining("\n")));
        }
        Map<String, String> json = ending(".json", blocks);
        if (!json.isEmpty()) {
            files.put(
                    "statements.json",
                    json.entrySet().stream()
                            .map(block -> "\"" + block.getKey() + "\": "
                                    + block.getValue().strip())
                            .collect(Collectors.joining(",\n", "{\n", "\n}\n")));
        }
        return files;
    }

    private static Map<String, String> ending(String ending, Map<String, String> blocks) {
        SortedMap<String, String> some = new TreeMap<>();
        blocks.forEach((file, text) -> {
            if (file.endsWith(ending)) {
                some.put(file.substring(0, file.length() - ending.length()), text);
            }
        });
        return some;
    }

    /** The folder with other blocks in the place of those of their names. */
    public static SortedMap<String, String> with(Map<String, String> folder, Map<String, String> others) {
        SortedMap<String, String> blocks = of(folder);
        blocks.putAll(others);
        return folder(blocks);
    }
}
