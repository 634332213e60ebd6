package siemload.cli;

import java.nio.file.Path;
import picocli.CommandLine.Option;
import siemload.event.IdeaLineWriter;

/** The file that a command writes events to. */
final class OutputArgument {
    @Option(
            names = "--output",
            required = true,
            paramLabel = "FILE",
            description = "where to write; compressed if the name ends with .gz")
    private Path file = Path.of("");

    Path file() {
        return file;
    }

    IdeaLineWriter open() {
        return IdeaLineWriter.open(file);
    }

    @Override
    public String toString() {
        return file.toString();
    }
}
