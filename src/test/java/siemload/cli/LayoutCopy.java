package siemload.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
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
        Map<String, String> files = TargetPlugin.find(target)
                .flatMap(TargetPlugin::ownLayouts)
                .orElseThrow()
                .files(layout, partitions);
        for (Map.Entry<String, String> file : BlockFiles.of(files).entrySet()) {
            Files.writeString(folder.resolve(file.getKey()), file.getValue());
        }
        return folder;
    }

    /** All files of a layout, in a new folder. */
    static Path of(Path layout, Path folder) throws IOException {
        Files.createDirectory(folder);
        try (Stream<Path> files = Files.list(layout)) {
            SortedMap<String, String> texts = new TreeMap<>();
            for (Path file : files.toList()) {
                texts.put(String.valueOf(file.getFileName()), Files.readString(file));
            }
            for (Map.Entry<String, String> file : BlockFiles.of(texts).entrySet()) {
                Files.writeString(folder.resolve(file.getKey()), file.getValue());
            }
        }
        return folder;
    }

    /** With one index set and one hint more than none, since each takes its time to be checked. */
    static Path shortened(Path folder, String hints) throws IOException {
        replace(folder, "layout.yaml", "[native, none, time, fields, compound]", "[native]");
        replace(folder, "layout.yaml", hints, "[none, index]");
        List<Path> others;
        try (Stream<Path> files = Files.list(folder)) {
            others = files.filter(file -> String.valueOf(file.getFileName())
                            .matches("indexes-(time|fields|compound)(-address)?\\..*"))
                    .toList();
        }
        for (Path file : others) {
            Files.delete(file);
        }
        return folder;
    }

    /** Says in one of its files something else. */
    static void replace(Path folder, String file, String from, String to) throws IOException {
        Path path = folder.resolve(file);
        String text = Files.readString(path);
        assertThat(text).as(file).contains(from);
        Files.writeString(path, text.replace(from, to));
    }
}
