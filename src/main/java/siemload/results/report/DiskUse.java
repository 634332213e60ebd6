package siemload.results.report;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.OptionalDouble;
import siemload.results.BrokenFileException;
import siemload.results.RunFile;
import siemload.results.StorageResult;
import siemload.results.TableReader;

/**
 * How much the disk of the database's data did, beside what it can do. Immutable.
 *
 * @param most operations in the busiest second of the measured phase, reads and writes together
 * @param can small random operations a second, with nothing beside them
 * @param storage where that was found out
 */
record DiskUse(double most, double can, StorageResult storage) {
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
        double[] most = {-1};
        new TableReader(directory, RunFile.DISKS).read(row -> {
            if (row.second() > 0 && row.text("device").equals(storage.disk().name())) {
                most[0] = Math.max(most[0], row.number("reads") + row.number("writes"));
            }
        });
        if (most[0] < 0) {
            throw new BrokenFileException(RunFile.DISKS.fileName() + ": nothing of the disk that was measured, "
                    + storage.disk().name());
        }
        return new DiskUse(most[0], can.getAsDouble(), storage);
    }

    /** The line of a text report with its line break; empty where nobody knows. */
    static String line(Path directory) {
        try {
            DiskUse use = read(directory);
            return "disk of the data: " + use.words() + "; it can: " + use.conditions() + "\n";
        } catch (IOException unknown) {
            // The page of the same run says what is wrong with the files.
            return "";
        }
    }

    /** The device with what it did and can. */
    String words() {
        return String.format(
                Locale.ROOT,
                "%s, up to %,.0f of %,.0f IOPS (%.0f %%)",
                storage.disk().name(),
                most,
                can,
                100 * most / can);
    }

    private String conditions() {
        return String.format(
                Locale.ROOT,
                "8 KiB random, %d %% writes, measured %s",
                storage.writePercent(),
                DateTimeFormatter.ISO_LOCAL_DATE.withZone(ZoneOffset.UTC).format(storage.when()));
    }

    ObjectNode toJson() {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put("device", storage.disk().name());
        json.put("most", most);
        json.put("can", can);
        json.put("words", words());
        json.put("conditions", conditions());
        return json;
    }
}
