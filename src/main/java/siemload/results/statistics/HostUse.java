package siemload.results.statistics;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import siemload.results.RunFile;
import siemload.results.TableReader;

/**
 * What the machine of the load generator did in a part of a run, by the seconds of {@code host.csv}: of a second that lies in the
 * part with one half only, one half counts. Ratios are shares of all its CPUs. Immutable.
 *
 * @param databaseCpuRatio the processes of databases that run on this machine
 * @param generatorCpuRatio the load generator
 * @param busyCpuRatio all processes, those two among them
 * @param networkBytes received and sent, without those that stayed on the machine
 */
public record HostUse(double databaseCpuRatio, double generatorCpuRatio, double busyCpuRatio, double networkBytes) {

    /** The seconds of a run. Immutable. */
    public static final class Seconds {
        /** Of a run during which nobody looked. */
        public static final Seconds NONE = new Seconds(List.of());

        private final List<Second> seconds;

        private Seconds(List<Second> seconds) {
            this.seconds = List.copyOf(seconds);
        }

        /** The part between two instants, in seconds since the start of the measured phase; empty where nobody looked. */
        public Optional<HostUse> between(double from, double until) {
            double covered = 0;
            double database = 0;
            double generator = 0;
            double busy = 0;
            double network = 0;
            for (Second second : seconds) {
                double within = Math.min(until, second.end) - Math.max(from, second.start);
                if (within > 0) {
                    covered += within;
                    database += within * second.use.databaseCpuRatio;
                    generator += within * second.use.generatorCpuRatio;
                    busy += within * second.use.busyCpuRatio;
                    network += within / (second.end - second.start) * second.use.networkBytes;
                }
            }
            return covered == 0
                    ? Optional.empty()
                    : Optional.of(new HostUse(database / covered, generator / covered, busy / covered, network));
        }
    }

    private record Second(double start, double end, HostUse use) {}

    /**
     * Those of the run in this directory.
     *
     * @throws siemload.results.BrokenFileException if host.csv is not of its form
     */
    public static Seconds read(Path directory) throws IOException {
        List<Second> seconds = new ArrayList<>();
        new TableReader(directory, RunFile.HOST).read(row -> {
            double end = row.second();
            double start = seconds.isEmpty() ? end - 1 : seconds.get(seconds.size() - 1).end;
            double database = row.number("databaseCpuRatio");
            double generator = row.number("generatorCpuRatio");
            if (end > start) {
                seconds.add(new Second(
                        start,
                        end,
                        new HostUse(
                                database,
                                generator,
                                database + generator + row.number("otherCpuRatio") + row.number("kernelCpuRatio"),
                                row.number("networkReceivedBytes") + row.number("networkSentBytes"))));
            }
        });
        return new Seconds(seconds);
    }
}
