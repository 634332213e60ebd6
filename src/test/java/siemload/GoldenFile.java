package siemload;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.UnaryOperator;

/** A file that seals the form of an output; {@code -Dgolden.update=true} writes it anew. */
public record GoldenFile(Path path) {

    /** One of those that the repository holds. */
    public static GoldenFile of(String name) {
        return new GoldenFile(Path.of("src/test/resources/golden", name));
    }

    /** Fails where the output is not what the file holds, to the letter. */
    public void assertHolds(String output) throws IOException {
        if (Boolean.getBoolean("golden.update")) {
            Files.createDirectories(path.getParent());
            Files.writeString(path, output);
        }
        assertThat(output).isEqualTo(Files.readString(path));
    }

    /** A line of the file that is not indented is a case; what it comes to stands indented below it. Those with # are comments. */
    public void assertEach(UnaryOperator<String> comesTo) throws IOException {
        StringBuilder told = new StringBuilder();
        for (String line : Files.readAllLines(path)) {
            if (line.isEmpty() || line.startsWith("#")) {
                told.append(line).append('\n');
            } else if (!line.startsWith("    ")) {
                told.append(line).append('\n').append(comesTo.apply(line).indent(4));
            }
        }
        assertHolds(told.toString());
    }
}
