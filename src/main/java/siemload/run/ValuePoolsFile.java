package siemload.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Optional;
import siemload.config.directory.Ownership;
import siemload.dataset.EventSource;
import siemload.dataset.ValuePools;

/** Keeps the values to search for beside the loaded data sets, so that a second run need not read all events again. */
final class ValuePoolsFile {
    private final Path directory;
    private final Path file;

    ValuePoolsFile(Path cache, EventSource source) {
        this.directory = cache.resolve("values");
        this.file = directory.resolve(source.fingerprint() + ".json");
    }

    /** The kept values; none where there are none, or the file is of another version or damaged. */
    Optional<ValuePools> read() {
        try {
            return Optional.of(ValuePools.fromJson(Files.readString(file)));
        } catch (IOException | IllegalArgumentException unusable) {
            return Optional.empty();
        }
    }

    /** Keeps the values; where they cannot be kept they are made again next time. */
    ValuePools write(ValuePools values) {
        try {
            Ownership.ofThisUser().makePrivate(directory);
            Path unfinished = Files.createTempFile(directory, "values", ".tmp");
            Files.writeString(unfinished, values.toJson());
            Files.move(unfinished, file, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException notKept) {
            System.getLogger(ValuePoolsFile.class.getName()).log(System.Logger.Level.DEBUG, "values not kept", notKept);
        }
        return values;
    }
}
