package siemload.fuzz;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import siemload.compare.experiment.ExperimentReader;
import siemload.config.ConfigException;
import siemload.config.Origin;
import siemload.config.Property;
import siemload.config.SettingSources;
import siemload.config.Settings;
import siemload.dataset.Datasets;
import siemload.scenario.ScenarioReader;

/** What reads the files that users write or bring, with those that come along. */
enum InputReader implements FuzzedReader {
    SCENARIO {
        @Override
        public void prepare(Path directory) throws IOException {
            copy("scenarios", directory);
        }

        @Override
        public void read(Path directory) throws IOException {
            for (Path file : files(directory.resolve("scenarios"))) {
                ScenarioReader.read(directory, settings(Property.SCENARIO, file));
            }
        }
    },

    EXPERIMENT {
        @Override
        public void prepare(Path directory) throws IOException {
            copy("experiments", directory);
        }

        @Override
        public void read(Path directory) throws IOException {
            for (Path file : files(directory.resolve("experiments"))) {
                ExperimentReader.read(directory, file.toString());
            }
        }
    },

    /** A description of a data set and the profile that it names, with the first events that are made from them. */
    DATASET {
        @Override
        public void prepare(Path directory) throws IOException {
            Path profiles = Files.createDirectories(directory.resolve("datasets/profiles"));
            Files.copy(Path.of("datasets/smoke.yaml"), directory.resolve("datasets/smoke.yaml"));
            Files.copy(Path.of("datasets/profiles/cesnet.yaml"), profiles.resolve("cesnet.yaml"));
        }

        @Override
        public void read(Path directory) throws IOException {
            Path file = directory.resolve("datasets/smoke.yaml");
            Datasets.open(directory, file.toString(), settings(Property.DATASET, file));
        }
    },

    /** Every line of it, whether good or not. */
    RECORDING {
        @Override
        public void prepare(Path directory) throws IOException {
            byte[] lines = RECORDED.repeat(20).getBytes(StandardCharsets.UTF_8);
            Files.write(directory.resolve("plain.idea"), lines);
            try (GZIPOutputStream packed =
                    new GZIPOutputStream(Files.newOutputStream(directory.resolve("packed.idea.gz")))) {
                packed.write(lines);
            }
        }

        @Override
        public void read(Path directory) throws IOException {
            for (String name : new String[] {"plain.idea", "packed.idea.gz"}) {
                Path file = directory.resolve(name);
                Datasets.open(directory, file.toString(), settings(Property.DATASET, file))
                        .read(100, events -> {});
            }
        }
    },

    /** Of each database one, as an option of the command line. */
    URL {
        @Override
        public void prepare(Path directory) throws IOException {
            Files.writeString(
                    directory.resolve("postgresql"),
                    "jdbc:postgresql://db.example:5432,[::1]:5433/postgres?sslmode=verify-full&sslrootcert=/a/root.crt");
            Files.writeString(
                    directory.resolve("mongodb"),
                    "mongodb://analyst@a.example:27017,b.example/siemload?tls=true&replicaSet=one");
            Files.writeString(
                    directory.resolve("oracle"),
                    "jdbc:oracle:thin:@tcps://db.example:2484/FREEPDB1?ssl_server_dn_match=on");
        }

        @Override
        public void read(Path directory) throws IOException {
            for (Path file : files(directory)) {
                String url = Files.readString(file, StandardCharsets.ISO_8859_1);
                try {
                    Settings.of(new SettingSources(Map.of(Property.URL.name(), url), Map.of(), Map.of()));
                } catch (ConfigException refused) {
                    throw new ConfigException(new Origin.WholeFile(file.toString()), refused.getMessage());
                }
            }
        }
    };

    private static final int MOST_PROBLEMS = 50;

    private static final String RECORDED = "{\"ID\":\"a\",\"Format\":\"IDEA0\",\"DetectTime\":\"2016-06-06T00:00:00Z\","
            + "\"Category\":[\"Recon.Scanning\"],\"ConnCount\":3,\"Description\":\"one of \\u00e9 many\","
            + "\"Source\":[{\"IP4\":[\"192.0.2.1\",\"192.0.2.0/24\"],\"IP6\":[\"2001:db8::1\"],\"Port\":[22],\"Type\":[\"Bot\"]}],"
            + "\"Target\":[{\"IP4\":[\"198.51.100.7\"],\"Proto\":[\"tcp\",\"ssh\"]}],"
            + "\"Node\":[{\"Name\":\"cz.cesnet.nerd\",\"Type\":[\"Honeypot\"]}]}\n";

    /** Each problem with the line that it is in and a mark below, and how many more there are. */
    @Override
    public int mostLines() {
        return 3 * MOST_PROBLEMS + 1;
    }

    private static Settings settings(Property<?> property, Path file) {
        return Settings.of(new SettingSources(
                Map.of(property.name(), file.toString()),
                Map.of(),
                Map.of("SIEMLOAD_CACHE", "target/recording-cache")));
    }

    private static void copy(String name, Path directory) throws IOException {
        Path copies = Files.createDirectory(directory.resolve(name));
        for (Path file : files(Path.of(name))) {
            Files.copy(file, copies.resolve(file.getFileName()));
        }
    }

    private static Iterable<Path> files(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(Files::isRegularFile).sorted().toList();
        }
    }
}
