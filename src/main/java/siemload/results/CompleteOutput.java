package siemload.results;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** A file in the directory of a run that is written line by line, and whose end says whether all of it is there. Stateless. */
final class CompleteOutput {
    private CompleteOutput() {}

    static PrintStream open(Path directory, RunFile file) throws IOException {
        return new PrintStream(Files.newOutputStream(file.in(directory)), false, StandardCharsets.UTF_8);
    }

    /** Closes the file. @throws IOException if something could not be written */
    static void close(PrintStream output, RunFile file) throws IOException {
        boolean failed = output.checkError();
        output.close();
        if (failed) {
            throw new IOException(file.fileName() + " is not complete: no space left, or no right to write");
        }
    }
}
