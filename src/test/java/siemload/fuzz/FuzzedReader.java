package siemload.fuzz;

import java.io.IOException;
import java.nio.file.Path;

/** What reads files, with the files that it reads. */
interface FuzzedReader {
    /** Writes whole files. */
    void prepare(Path directory) throws IOException;

    /** Reads them as they are now. @throws IOException that says what is wrong with them */
    void read(Path directory) throws IOException;

    /** How many lines it may take to say what is wrong. */
    int mostLines();
}
