package siemload.dataset.recording;

import java.nio.file.Path;
import java.util.function.Consumer;
import java.util.function.Function;
import siemload.event.EventReader;

/**
 * How the files of a recording are read. Immutable.
 *
 * @param readers the reader of a file's format
 * @param cache the directory of what is kept between runs, for the index of a large recording
 * @param status is told what is being done where that takes long; an empty text clears it
 */
public record RecordingReading(Function<Path, EventReader> readers, Path cache, Consumer<String> status) {}
