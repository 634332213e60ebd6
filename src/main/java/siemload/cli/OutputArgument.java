package siemload.cli;

import java.nio.file.Path;
import picocli.CommandLine.Option;
import siemload.event.IdeaLineWriter;

/** The file that a command writes events to. */
final class OutputArgument {
    @Option(
            names = {"-o", "--output"},
            required = true,
            paramLabel = "FILE",
            description = "where to write; compressed if the name ends with .gz")
    private Path file = Path.of("");

    Path file() {
        return file;
    }

    /** Opens it; what is unfinished when the process ends is removed. */
    IdeaLineWriter open(ProcessHost host) {
        return IdeaLineWriter.open(file, host::onShutdown);
    }

    @Override
    public String toString() {
        return file.toString();
    }
}
