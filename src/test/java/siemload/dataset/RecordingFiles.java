package siemload.dataset;

import java.nio.file.Path;
import java.util.List;
import siemload.dataset.Datasets.RecordedEvents;
import siemload.dataset.recording.Recording;
import siemload.event.IdeaReader;

/** Opens recordings of IDEA events, with a cache below {@code target}. */
public final class RecordingFiles {
    private static final Path CACHE = Path.of("target/recording-cache");

    private RecordingFiles() {}

    /** A recording whose bad lines are skipped. */
    public static RecordedEvents open(Path file, int amplify) {
        return RecordedEvents.open(List.of(file), reading(), amplify);
    }

    static Recording.Reading reading() {
        return new Recording.Reading(file -> new IdeaReader(), CACHE, text -> {});
    }
}
