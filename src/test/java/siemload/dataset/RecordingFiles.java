package siemload.dataset;

import java.nio.file.Path;
import java.util.List;
import siemload.dataset.format.EventFile;
import siemload.event.IdeaReader;

/** Opens recordings of IDEA events. */
public final class RecordingFiles {
    private RecordingFiles() {}

    /** A recording with a cache below {@code target}. */
    public static Recording open(Path file, int amplify) {
        return open(file, amplify, Path.of("target/recording-cache"));
    }

    static Recording open(Path file, int amplify, Path cache) {
        EventFile idea = new EventFile(file, EventFile.IDEA, new IdeaReader());
        return Recording.open(List.of(idea), cache, text -> {}, amplify);
    }
}
