package siemload.dataset.format;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import siemload.config.Sha256;
import siemload.event.EventReader;
import siemload.event.IdeaReader;

/** Readers of the formats of events, made from the mapping files in {@code datasets/formats}. Stateless. */
public final class EventFormats {
    private EventFormats() {}

    /** The format asked for, or else that of the first line that shows one; IDEA where none does. */
    public static EventFormat of(Path file, Optional<EventFormat> asked) {
        return asked.orElseGet(() -> FormatDetection.detect(file).orElse(EventFormat.IDEA));
    }

    /**
     * A reader of a file.
     *
     * @param home the directory with datasets/
     * @param file whose time of modification stands in for the year of times that have none
     * @throws siemload.config.ConfigException with what is wrong with the mapping file
     * @throws UncheckedIOException if the file cannot be looked at
     */
    public static EventReader reader(Path home, EventFormat format, Path file) {
        if (format == EventFormat.IDEA) {
            return new IdeaReader();
        }
        Path mappingFile = home.resolve("datasets").resolve("formats").resolve(format.id() + ".yaml");
        FormatMapping mapping = FormatMappingReader.read(mappingFile);
        Instant modified = modified(file);
        return new MappedReader(
                format, mapping, new EventTimes(mapping.zone(), modified), identity(format, mappingFile, modified));
    }

    /** The day is what decides of which year a time without one is. */
    private static String identity(EventFormat format, Path mappingFile, Instant modified) {
        try {
            String mapping = Sha256.fingerprint(Files.readString(mappingFile));
            return format.id() + " " + mapping + " " + modified.truncatedTo(ChronoUnit.DAYS);
        } catch (IOException e) {
            throw new UncheckedIOException(mappingFile + " cannot be read", e);
        }
    }

    private static Instant modified(Path file) {
        try {
            return Files.getLastModifiedTime(file).toInstant();
        } catch (IOException e) {
            throw new UncheckedIOException(file + " cannot be read", e);
        }
    }
}
