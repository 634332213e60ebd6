package siemload.dataset;

import java.nio.file.Path;
import java.time.Duration;
import java.util.TreeMap;

/** The data sets of the project, for tests. */
public final class ShippedDatasets {
    static final Path DIRECTORY = Path.of("datasets");

    private ShippedDatasets() {}

    static DatasetSpec smoke() {
        return DatasetSpec.read(DIRECTORY.resolve("smoke.yaml"));
    }

    /** The profile of smoke with this many events over a day. */
    public static DatasetSpec small(long events, long seed) {
        DatasetSpec smoke = smoke();
        return new DatasetSpec(
                Path.of("small"),
                "for a test",
                events,
                smoke.start(),
                Duration.ofDays(1),
                seed,
                smoke.profile(),
                new TreeMap<>());
    }
}
