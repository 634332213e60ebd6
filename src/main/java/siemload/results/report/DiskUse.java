package siemload.results.report;

import java.io.IOException;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import siemload.results.BrokenFileException;
import siemload.results.HostActivity.HostFigures;
import siemload.results.RunFile;
import siemload.results.StorageResult;
import siemload.results.TableReader;

/**
 * How much the disk of the database's data did, beside what it can do. Immutable.
 *
 * @param device its name
 * @param can small random operations a second, with nothing beside them
 * @param sentence what the busiest second of the measured phase was, and how it was found out what the disk can do
 */
record DiskUse(String device, double can, String sentence) {
    /** What the embedded databases read and write at once. */
    private static final int BLOCK_BYTES = 8 << 10;

    /**
     * Of a run.
     *
     * @throws java.nio.file.NoSuchFileException if nobody measured its disk
     * @throws IOException if the files of the run do not tell
     */
    static DiskUse read(Path directory) throws IOException {
        StorageResult storage = StorageResult.read(RunFile.STORAGE.in(directory));
        OptionalDouble can = storage.mostIdleOperations(BLOCK_BYTES);
        if (can.isEmpty() || can.getAsDouble() <= 0) {
            throw new BrokenFileException(RunFile.STORAGE.fileName() + ": no small operations of 8 KiB were measured");
        }
        String device = storage.disk().name();
        double[] most = {-1};
        new TableReader(directory, RunFile.DISKS).read(row -> {
            if (row.second() > 0
                    && row.text("host").equals(HostFigures.THIS_HOST)
                    && row.text("device").equals(device)) {
                most[0] = Math.max(most[0], row.number("reads") + row.number("writes"));
            }
        });
        if (most[0] < 0) {
            throw new BrokenFileException(
                    RunFile.DISKS.fileName() + ": nothing of the disk that was measured, " + device);
        }
        return new DiskUse(
                device,
                can.getAsDouble(),
                String.format(
                        Locale.ROOT,
                        "%s, up to %,.0f of %,.0f IOPS (%.0f %%); it can: 8 KiB random, %d %% writes, measured %s",
                        device,
                        most[0],
                        can.getAsDouble(),
                        100 * most[0] / can.getAsDouble(),
                        storage.writePercent(),
                        DateTimeFormatter.ISO_LOCAL_DATE
                                .withZone(ZoneOffset.UTC)
                                .format(storage.when())));
    }

    /** The same; empty where nobody knows. The page of the same run says what is wrong with the files. */
    static Optional<DiskUse> find(Path directory) {
        try {
            return Optional.of(read(directory));
        } catch (IOException unknown) {
            return Optional.empty();
        }
    }
}
