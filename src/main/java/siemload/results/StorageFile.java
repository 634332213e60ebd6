package siemload.results;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;

/** Reads and writes {@code storage.json}. Stateless and thread-safe. */
public final class StorageFile {
    private StorageFile() {}

    /** Writes the file whole or not at all. */
    public static void write(Path file, StorageResult result) throws IOException {
        WholeFile.write(file, ResultValue.text(result));
    }

    /**
     * Reads the file; keys of later versions are ignored.
     *
     * @throws BrokenFileException if it is no such result, or of a format that this version does not know
     * @throws java.nio.file.NoSuchFileException if there is none
     */
    public static StorageResult read(Path file) throws IOException {
        String name = file.toString();
        JsonNode tree = ResultValue.tree(name, ResultText.of(file, name));
        String version = tree.path("formatVersion").asText();
        if (!version.equals(String.valueOf(StorageResult.FORMAT_VERSION))) {
            throw new BrokenFileException(name + ": formatVersion " + BrokenFileException.shown(version)
                    + " is not known here (known: " + StorageResult.FORMAT_VERSION + ")");
        }
        return ResultValue.of(name, tree, StorageResult.class);
    }
}
