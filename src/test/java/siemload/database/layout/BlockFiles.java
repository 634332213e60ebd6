package siemload.database.layout;

import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import siemload.config.Problems;
import siemload.database.LayoutFolder;
import siemload.database.layout.Blocks.Syntax;

/** Folders of layouts with a file for each block, which is called like it. Stateless. */
public final class BlockFiles {
    private BlockFiles() {}

    /** The same blocks. */
    public static SortedMap<String, String> of(Map<String, String> files) {
        SortedMap<String, String> single = new TreeMap<>();
        single.put(LayoutFolder.ABOUT, files.getOrDefault(LayoutFolder.ABOUT, ""));
        for (Syntax syntax : Syntax.values()) {
            Blocks blocks = Blocks.of(files, "", syntax, new Problems());
            blocks.all()
                    .forEach((name, block) ->
                            single.put(block.written() + syntax.ending(), blocks.written(Set.of(name), syntax)));
        }
        return single;
    }

    /** What a file with a block holds. */
    public static String text(String file, String block) {
        String name = file.replaceFirst("\\.[a-z]+$", "");
        if (file.endsWith(Syntax.SQL.ending())) {
            return block.startsWith("-- name: ") ? block : "-- name: " + name + "\n" + block;
        }
        boolean isWhole = !file.endsWith(Syntax.JSON.ending()) || block.startsWith("{\n\"" + name + "\": ");
        return isWhole ? block : "{\n\"" + name + "\": " + block.strip() + "\n}\n";
    }

    /** These blocks, and others in the place of those of their names. */
    public static SortedMap<String, String> with(Map<String, String> files, Map<String, String> others) {
        SortedMap<String, String> all = of(files);
        others.forEach((file, block) -> all.put(file, text(file, block)));
        return all;
    }
}
