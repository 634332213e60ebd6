package siemload.results;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/** Paths that stand in results, which may come from anybody: they lead to places below their results only. Stateless. */
public final class ResultPath {
    private ResultPath() {}

    /**
     * The place that a path in a file means.
     *
     * @param place of the path in messages: a file, or a line of one
     * @throws BrokenFileException unless it is relative and lies below the directory
     */
    public static Path below(Path directory, String path, String place) throws BrokenFileException {
        try {
            Path relative = Path.of(path).normalize();
            boolean leaves = relative.isAbsolute()
                    || relative.startsWith("..")
                    || relative.toString().isEmpty();
            if (!leaves) {
                return directory.resolve(relative);
            }
        } catch (InvalidPathException nonsense) {
            throw new BrokenFileException(place + ": a path that cannot be one", nonsense);
        }
        throw new BrokenFileException(place + ": '" + path + "' is no path below " + directory);
    }
}
