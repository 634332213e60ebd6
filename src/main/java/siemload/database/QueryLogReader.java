package siemload.database;

import java.io.IOException;
import java.nio.file.Path;

/**
 * Reads what a database logged of queries, file after file in the order of time, in memory that does not grow with them. What a
 * file says of a session goes on in the next one. Not thread-safe.
 */
public interface QueryLogReader {

    /**
     * Reads a file, plain or gzip.
     *
     * @return how many records it has that could be read, whatever they are about
     * @throws IOException if the file cannot be read
     */
    long read(Path file) throws IOException;
}
