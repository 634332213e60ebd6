package siemload.database.layout;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
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
        ending(".sql", blocks, "-- name: %s\n%s\n")
                .ifPresent(sql -> files.put("statements.sql", String.join("\n", sql)));
        ending(".json", blocks, "\"%s\": %s")
                .ifPresent(json -> files.put("statements.json", "{\n" + String.join(",\n", json) + "\n}\n"));
        return files;
    }

    /** Those with this ending, each under its name without it; empty where there are none. */
    private static Optional<List<String>> ending(String ending, Map<String, String> blocks, String form) {
        SortedMap<String, String> some = new TreeMap<>();
        blocks.forEach((file, text) -> {
            if (file.endsWith(ending)) {
                String name = file.substring(0, file.length() - ending.length());
                some.put(name, form.formatted(name, text.strip()));
            }
        });
        return some.isEmpty() ? Optional.empty() : Optional.of(List.copyOf(some.values()));
    }

    /** The folder with other blocks in the place of those of their names. */
    public static SortedMap<String, String> with(Map<String, String> folder, Map<String, String> others) {
        SortedMap<String, String> blocks = of(folder);
        blocks.putAll(others);
        return folder(blocks);
    }
}
