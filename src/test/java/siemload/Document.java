package siemload;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The README or a file of docs. Immutable.
 *
 * @param lines without those of blocks
 */
record Document(Path path, List<String> lines, List<Block> blocks) {

    /**
     * A part between fences.
     *
     * @param place the document and the line of its first fence
     */
    record Block(String place, String language, List<String> lines) {

        /** Lines that go on behind a backslash are joined. */
        List<DocumentedCommand> commandsAfter(String prompt) {
            return String.join("\n", lines)
                    .replaceAll("\\\\\n *", "")
                    .lines()
                    .filter(line -> line.startsWith(prompt) && !line.isBlank() && !line.startsWith("#"))
                    .map(line -> new DocumentedCommand(place, line.substring(prompt.length())))
                    .toList();
        }
    }

    /** All that users read: the README and docs, without the decisions. */
    static List<Document> all() throws IOException {
        List<Document> documents = new ArrayList<>(List.of(read(Path.of("README.md"))));
        try (Stream<Path> files = Files.list(Path.of("docs"))) {
            for (Path file : files.filter(file -> file.toString().endsWith(".md"))
                    .sorted()
                    .toList()) {
                documents.add(read(file));
            }
        }
        return documents;
    }

    static Document read(Path path) throws IOException {
        List<String> text = new ArrayList<>();
        List<Block> blocks = new ArrayList<>();
        List<String> all = Files.readAllLines(path);
        for (int i = 0; i < all.size(); i++) {
            if (!all.get(i).startsWith("```")) {
                text.add(all.get(i));
                continue;
            }
            String place = path + ":" + (i + 1);
            String language = all.get(i).substring(3);
            List<String> inside = new ArrayList<>();
            for (i++; !all.get(i).equals("```"); i++) {
                inside.add(all.get(i));
            }
            blocks.add(new Block(place, language, inside));
        }
        return new Document(path, text, blocks);
    }

    /** All of the text in one. */
    String text() {
        return String.join("\n", lines);
    }
}
