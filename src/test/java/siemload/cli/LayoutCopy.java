package siemload.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import siemload.database.Partitions;
import siemload.database.TargetPlugin;
import siemload.database.layout.BlockFiles;

/** Copies of layouts, which tests change. Stateless. */
final class LayoutCopy {
    private LayoutCopy() {}

    /** One that siemload brings, in a new folder. */
    static Path of(String target, String layout, Partitions partitions, Path folder) throws IOException {
        Files.createDirectory(folder);
        return written(
                folder,
                TargetPlugin.find(target)
                        .flatMap(TargetPlugin::ownLayouts)
                        .orElseThrow()
                        .files(layout, partitions));
    }

    /** All files of a layout, in a new folder. */
    static Path of(Path layout, Path folder) throws IOException {
        Files.createDirectory(folder);
        return written(folder, files(layout));
    }

    private static Path written(Path folder, Map<String, String> files) throws IOException {
        for (Map.Entry<String, String> file : files.entrySet()) {
            Files.writeString(folder.resolve(file.getKey()), file.getValue());
        }
        return folder;
    }

    private static SortedMap<String, String> files(Path folder) throws IOException {
        SortedMap<String, String> texts = new TreeMap<>();
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.toList()) {
                texts.put(String.valueOf(file.getFileName()), Files.readString(file));
            }
        }
        return texts;
    }

    /** With one index set and one hint more than none, since each takes its time to be checked. */
    static Path shortened(Path folder) throws IOException {
        SortedMap<String, String> blocks = BlockFiles.of(files(folder));
        blocks.computeIfPresent("layout.yaml", (name, text) -> text.replaceAll("hints: \\[.*]", "hints: [index]"));
        blocks.keySet().removeIf(block -> block.matches("indexes-(time|fields|compound)(-address)?\\..*"));
        return written(folder, BlockFiles.folder(blocks));
    }

    /** Says in one of its blocks, named with the ending of its file, something else. */
    static void replace(Path folder, String block, String from, String to) throws IOException {
        SortedMap<String, String> blocks = BlockFiles.of(files(folder));
        assertThat(blocks.get(block)).as(block).contains(from);
        blocks.computeIfPresent(block, (name, text) -> text.replace(from, to));
        Path changed = written(folder, BlockFiles.folder(blocks));
        assertThat(changed).isEqualTo(folder);
    }
}
