package siemload.dataset;

import java.nio.file.Path;
import java.time.Duration;

/** The data sets of the project, for tests. */
public final class ShippedDatasets {
    static final Path DIRECTORY = Path.of("datasets");

    private ShippedDatasets() {}

    static DatasetSpec smoke() {
        return DatasetReader.read(DIRECTORY.resolve("smoke.yaml"));
    }

    /** The profile of smoke with this many events over a day. */
    public static DatasetSpec small(long events, long seed) {
        DatasetSpec smoke = smoke();
        return new DatasetSpec(
                "small",
                "for a test",
                events,
                smoke.start(),
                Duration.ofDays(1),
                seed,
                smoke.profile(),
                smoke.searched());
    }
}
