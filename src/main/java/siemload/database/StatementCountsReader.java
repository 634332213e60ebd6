package siemload.database;

import java.io.IOException;
import java.nio.file.Path;

/** Reads snapshots of what a database counts of statements, plain or gzip. Stateless and thread-safe. */
public interface StatementCountsReader {

    /** Whether a file is such a snapshot, by how it begins. */
    boolean isSnapshot(Path file) throws IOException;

    /**
     * What was counted up to a snapshot.
     *
     * @throws IOException that names file and line if the file cannot be read, or is not as it should be
     */
    StatementCounts upTo(Path snapshot) throws IOException;

    /**
     * What was counted from one snapshot to another.
     *
     * @throws IOException as {@link #upTo}, and if the later one seems to be the earlier one
     */
    StatementCounts between(Path earlier, Path later) throws IOException;
}
