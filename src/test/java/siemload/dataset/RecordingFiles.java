package siemload.dataset;

import java.nio.file.Path;
import java.util.List;
import siemload.event.IdeaReader;

/** Opens recordings of IDEA events. */
public final class RecordingFiles {
    private RecordingFiles() {}

    /** A recording with a cache below {@code target}. */
    public static Recording open(Path file, int amplify) {
        return open(file, amplify, Path.of("target/recording-cache"));
    }

    static Recording open(Path file, int amplify, Path cache) {
        return Recording.open(List.of(file), format -> new IdeaReader(), cache, text -> {}, amplify);
    }
}
