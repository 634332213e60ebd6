package siemload.measure.storage;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import siemload.config.directory.Ownership;
import siemload.config.directory.Reason;
import siemload.results.StorageResult;
import siemload.results.StorageResult.Disk;
import siemload.results.StorageResult.StorageFile;

/**
 * Where later runs find what a disk can do: in {@code storage.json} of the directory of results, and in the cache under the name
 * of the disk. Immutable.
 *
 * @param results the directory of results
 * @param cache the directory of what is kept between runs
 */
public record KeptStorage(Path results, Path cache) {

    /**
     * Keeps a result in both places.
     *
     * @return the file in the directory of results
     * @throws IOException if one cannot be written
     */
    public Path keep(StorageResult result) throws IOException {
        Path file = inResults();
        StorageFile.write(file, result);
        if (result.disk().hasName()) {
            Ownership.ofThisUser().makePrivate(cache);
            Ownership.ofThisUser().makePrivate(ofDisks());
            StorageFile.write(inCache(result.disk()), result);
        }
        return file;
    }

    /**
     * The newest result of a disk.
     *
     * @param unreadable hears of a file that cannot be read
     * @return empty where nobody measured this disk
     */
    public Optional<StorageResult> newest(Disk disk, Consumer<String> unreadable) {
        if (!disk.hasName()) {
            return Optional.empty();
        }
        return Stream.of(inResults(), inCache(disk))
                .flatMap(file -> read(file, unreadable).stream())
                .filter(result -> result.disk().equals(disk))
                .max(Comparator.comparing(StorageResult::when));
    }

    private static Optional<StorageResult> read(Path file, Consumer<String> unreadable) {
        try {
            return Files.exists(file) ? Optional.of(StorageFile.read(file)) : Optional.empty();
        } catch (NoSuchFileException gone) {
            return Optional.empty();
        } catch (IOException broken) {
            unreadable.accept(Reason.of(broken));
            return Optional.empty();
        }
    }

    private Path inResults() {
        return results.resolve("storage.json");
    }

    private Path ofDisks() {
        return cache.resolve("storage");
    }

    private Path inCache(Disk disk) {
        return ofDisks().resolve(disk.name() + ".json");
    }
}
