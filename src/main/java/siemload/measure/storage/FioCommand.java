package siemload.measure.storage;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A command line of fio, as it is run and as anybody can repeat it in a shell. Operations are direct: they go past the page
 * cache. Immutable.
 *
 * @param arguments the program first
 */
record FioCommand(List<String> arguments) {
    /** The size of large operations, as in ORION. */
    static final int LARGE_BYTES = 1 << 20;

    private static final int ALL = 100;

    FioCommand {
        arguments = List.copyOf(arguments);
    }

    /**
     * What all command lines have in common.
     *
     * @param file that is read and written
     * @param bytes its size
     * @param engine of fio, which hands operations to the system
     */
    record Target(Path file, long bytes, String engine) {
        private List<String> start(String name) {
            return new ArrayList<>(List.of(
                    "fio",
                    "--name=" + name,
                    // Colons separate the names of files.
                    "--filename=" + file.toString().replace("\\", "\\\\").replace(":", "\\:"),
                    "--size=" + (bytes >> 20) + "m",
                    "--ioengine=" + engine,
                    "--direct=1"));
        }
    }

    /** Fills the file with what no disk can compress or knows already: what was never written is never read from a disk. */
    static FioCommand preparation(Target target) {
        List<String> arguments = target.start("fill");
        arguments.addAll(List.of(
                "--rw=write", "--bs=1m", "--iodepth=4", "--refill_buffers", "--end_fsync=1", "--output-format=json"));
        return new FioCommand(arguments);
    }

    /** Measures a point. */
    static FioCommand of(Target target, MatrixPoint point, int writePercent, Duration duration) {
        List<String> arguments = target.start(point.name());
        arguments.add("--rw=" + direction(point, writePercent));
        if (writePercent > 0 && writePercent < ALL) {
            arguments.add("--rwmixread=" + (ALL - writePercent));
        }
        arguments.addAll(List.of(
                "--bs=" + (point.blockBytes() >> 10) + "k",
                "--iodepth=" + point.depth(),
                "--time_based",
                "--runtime=" + duration.toSeconds() + "s",
                // Other blocks each time: those of the point before may lie in a cache of the controller or of the
                // host.
                "--randrepeat=0",
                "--norandommap",
                "--output-format=json"));
        return new FioCommand(arguments);
    }

    private static String direction(MatrixPoint point, int writePercent) {
        String random = point.isSmall() ? "rand" : "";
        if (writePercent == 0) {
            return random + "read";
        }
        return random + (writePercent == ALL ? "write" : "rw");
    }

    /** The command line for a shell. */
    String text() {
        return arguments.stream().map(FioCommand::quoted).collect(Collectors.joining(" "));
    }

    private static String quoted(String argument) {
        return argument.matches("[A-Za-z0-9_./=:,+@%-]+") ? argument : "'" + argument.replace("'", "'\\''") + "'";
    }
}
