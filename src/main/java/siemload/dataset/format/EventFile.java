package siemload.dataset.format;

import java.nio.file.Path;
import java.util.Optional;
import siemload.config.Property;
import siemload.config.Settings;
import siemload.event.EventReader;

/**
 * A file of events and how it is read. Immutable.
 *
 * @param path as the user named it
 * @param format asked for, or told from its first lines
 * @param reader of that format
 */
public record EventFile(Path path, EventFormat format, EventReader reader) {

    /**
     * A file in the format that the settings name, or else in the one that its lines show.
     *
     * @param home the directory with datasets/
     * @throws siemload.config.ConfigException with what is wrong with the mapping file
     * @throws java.io.UncheckedIOException if the file cannot be looked at
     */
    public static EventFile of(Path home, Path file, Settings settings) {
        Optional<EventFormat> asked = EventFormat.find(settings.value(Property.FORMAT));
        EventFormat format = EventFormats.of(file, asked);
        return new EventFile(file, format, EventFormats.reader(home, format, file));
    }
}
