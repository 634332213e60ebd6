package siemload.fuzz;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
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
            Files.writeString(directory.resolve("plain.idea"), RECORDED.repeat(20));
            pack(directory.resolve("packed.idea.gz"), RECORDED.repeat(20));
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

    /** Recordings in other formats, each as one that is asked for and as one that shows its format, with the mapping files. */
    OTHER_FORMATS {
        @Override
        public void prepare(Path directory) throws IOException {
            Files.createDirectories(directory.resolve("datasets"));
            copy("datasets/formats", directory);
            for (Map.Entry<String, String> lines : LINES.entrySet()) {
                Files.writeString(
                        directory.resolve(lines.getKey() + ".log"),
                        lines.getValue().repeat(20));
            }
        }

        @Override
        public void read(Path directory) throws IOException {
            for (String format : LINES.keySet()) {
                Path file = directory.resolve(format + ".log");
                for (String asked : new String[] {format, "auto"}) {
                    Settings settings = Settings.of(new SettingSources(
                            Map.of(Property.DATASET.name(), file.toString(), Property.FORMAT.name(), asked),
                            Map.of(),
                            Map.of("SIEMLOAD_CACHE", "target/recording-cache")));
                    Datasets.open(directory, file.toString(), settings).read(100, events -> {});
                }
            }
        }
    },

    /** Logs of queries in each format, from which a scenario is made that can be read. */
    QUERY_LOG {
        @Override
        public void prepare(Path directory) throws IOException {
            Files.writeString(directory.resolve("log.csv"), CSVLOG.repeat(10));
            Files.writeString(directory.resolve("log.json"), JSONLOG.repeat(10));
            pack(directory.resolve("log.csv.gz"), CSVLOG.repeat(10));
        }

        @Override
        public void read(Path directory) throws IOException {
            learn("postgresql", directory, "log.csv", "log.json", "log.csv.gz");
        }
    },

    /** The structured log and the profiler of a database that is asked by commands. */
    COMMAND_LOG {
        @Override
        public void prepare(Path directory) throws IOException {
            Files.writeString(directory.resolve("server.log"), COMMANDLOG.repeat(10));
            Files.writeString(directory.resolve("profile.json"), PROFILE.repeat(10));
            Files.writeString(
                    directory.resolve("array.json"),
                    "[" + (PROFILE.strip().replace("\n", ",") + ",").repeat(5)
                            + PROFILE.lines().findFirst().orElseThrow() + "]");
        }

        @Override
        public void read(Path directory) throws IOException {
            learn("mongodb", directory, "server.log", "profile.json", "array.json");
        }
    },

    /** Copies of what PostgreSQL counts of statements, one and the next one, from which a scenario is made. */
    STATEMENT_COUNTS {
        @Override
        public void prepare(Path directory) throws IOException {
            Files.writeString(directory.resolve("earlier.csv"), COUNTS);
            Files.writeString(
                    directory.resolve("later.csv"),
                    COUNTS.replaceAll(",7,", ",77,") + "10,shop,t,9,TABLE u,3,0,1.5,9\n");
        }

        @Override
        public void read(Path directory) throws IOException {
            LearntQuery.count(
                    List.of(directory.resolve("earlier.csv"), directory.resolve("later.csv")),
                    directory.resolve("counted.yaml"));
        }
    },

    /** What a replay plays, plain and packed. */
    QUERY_RECORDING {
        @Override
        public void prepare(Path directory) throws IOException {
            Files.writeString(directory.resolve("plain.jsonl"), REPLAYED);
            pack(directory.resolve("packed.jsonl.gz"), REPLAYED);
        }

        @Override
        public void read(Path directory) throws IOException {
            for (String name : new String[] {"plain.jsonl", "packed.jsonl.gz"}) {
                LearntQuery.replay(directory.resolve(name), directory.resolve("again.gz"));
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

    private static final String CSVLOG =
            "2024-03-01 12:00:00.500 CET,\"ann\",\"shop\",77,\"127.0.0.1:5\",65e1.4d,1,\"SELECT\","
                    + "2024-03-01 11:00:00 CET,3/0,0,LOG,00000,\"duration: 1.250 ms  execute <unnamed>: SELECT \"\"a\"\"\nFROM t WHERE b = $1\","
                    + "\"Parameters: $1 = 'it''s'\",,,,,,,,\"till\",\"client backend\",,0\n"
                    + "2024-03-01 12:00:00.700 CET,\"ann\",\"shop\",77,\"127.0.0.1:5\",65e1.4d,2,\"SELECT\",2024-03-01 11:00:00 CET,3/0,0,LOG,"
                    + "00000,\"duration: 2 ms  statement: SELECT E'\\t', $x$y$x$ FROM u /* a */ WHERE c > -5 AND d < date '2024-02-29' LIMIT 3\","
                    + ",,,,,,,,\"till\",\"client backend\",,0\n"
                    + "2024-03-01 12:00:00.800 CET,\"ann\",\"shop\",77,\"127.0.0.1:5\",65e1.4d,3,\"SELECT\",2024-03-01 11:00:00 CET,3/0,0,LOG,"
                    + "00000,\"duration: 1 ms  plan:\nQuery Text: SELECT \"\"a\"\"\nFROM t WHERE b = $1\nQuery Parameters: $1 = 'it''s'\n"
                    + "Sort  (cost=0.29..8.30 rows=1 width=4) (actual time=0.1..0.2 rows=1 loops=1)\n  Workers Planned: 2\n"
                    + "  ->  Index Scan using \"\"a b\"\" on public.t  (cost=0.29..8.30 rows=1 width=4)\n        Index Cond: (b = $1)\","
                    + ",,,,,,,,\"till\",\"client backend\",,0\n";

    static final String COUNTS = "userid,datname,toplevel,queryid,query,calls,total_plan_time,total_exec_time,rows\n"
            + "10,shop,t,1,\"SELECT a FROM t WHERE b = $1 AND c IN ($2 /*, ... */)\",7,0.5,50.25,100\n"
            + "10,shop,t,-2,\"SELECT \"\"x\"\"\nFROM t\",9,0,1e-3,9\n11,shop,f,3,COMMIT,7,0,3,0\n"
            + "10,shop,t,4,\"UPDATE t SET b = $1\",7,0,1,7\n";

    private static final String REPLAYED =
            "{\"format\":\"siemload query recording\",\"version\":1,\"startedAt\":\"2026-11-24T18:31:22.436Z\",\"executions\":3,"
                    + "\"sessions\":2,\"openAtOnce\":2,\"micros\":7981000,\"statements\":2}\n"
                    + "{\"name\":\"a_1\",\"sql\":\"SELECT b FROM a WHERE c = :p1\",\"example\":[\"17\"],"
                    + "\"plans\":[{\"shape\":\"table a\",\"count\":3,\"text\":\"Seq Scan on a\"}]}\n"
                    + "{\"name\":\"a_2\",\"sql\":\"DELETE FROM a\",\"example\":[],\"writes\":true}\n"
                    + "[0,0,0,1250,false,\"17\"]\n[2131,1,1,980,true]\n[2131,0,0,980,true,\"\u00e9\"]\n";

    private static final String COMMANDLOG = """
            {"t":{"$date":"2024-03-01T12:00:00.100+00:00"},"s":"I","c":"COMMAND","id":51803,"ctx":"conn7","msg":"Slow query","attr":{"type":"command","ns":"shop.item","appName":"till","command":{"find":"item","filter":{"name":"it's","n":{"$gte":5,"$lt":1.5},"d":{"$in":[{"$date":"2024-03-01T00:00:00Z"},{"$oid":"65f000000000000000000001"}]},"x":":a"},"limit":10,"lsid":{"id":{"$uuid":"3b241101-e2bb-4255-8caf-4136c566a962"}},"$db":"shop"},"planSummary":"COLLSCAN","nreturned":1,"durationMillis":12}}
            {"t":{"$date":"2024-03-01T12:00:00.200Z"},"s":"I","c":"COMMAND","id":51803,"ctx":"conn8","msg":"Slow query","attr":{"type":"command","ns":"shop.item","command":{"aggregate":"item","pipeline":[{"$match":{"r":{"$regularExpression":{"pattern":"^a","options":"i"}},"e":null,"t":true}},{"$lookup":{"from":"other","pipeline":[{"$match":{"a":1}}],"as":"x"}},{"$limit":5}],"cursor":{},"readConcern":{"level":"majority"},"$db":"shop"},"durationMillis":3}}
            {"t":{"$date":"2024-03-01T12:00:00.300Z"},"s":"I","c":"WRITE","id":51803,"ctx":"conn8","msg":"Slow query","attr":{"type":"update","ns":"shop.item","command":{"q":{},"u":{"$set":{"a":1}}},"durationMillis":3}}
            {"t":{"$date":"2024-03-01T12:00:00.400Z"},"s":"I","c":"NETWORK","id":22944,"ctx":"conn8","msg":"Connection ended","attr":{"connectionId":8}}
            """;

    private static final String PROFILE = """
            {"op":"query","ns":"shop.item","command":{"find":"item","filter":{"_id":{"$numberLong":"7"}},"lsid":{"id":{"$binary":{"base64":"AQID","subType":"04"}}},"$db":"shop"},"nreturned":1,"millis":{"$numberInt":"7"},"ts":{"$date":{"$numberLong":"1709290800500"}},"client":"10.0.0.1","appName":"till"}
            {"op":"command","ns":"shop.item","command":{"distinct":"item","key":"kind","query":{},"$db":"shop"},"millis":0,"ts":{"$date":"2024-03-01T12:00:00.5Z"},"client":"10.0.0.1"}
            {"op":"getmore","ns":"shop.item","command":{"getMore":{"$numberLong":"5"},"collection":"item"},"originatingCommand":{"find":"item"},"millis":1,"ts":{"$date":"2024-03-01T12:00:00.5Z"},"client":"10.0.0.1"}
            """;

    private static final String JSONLOG =
            "{\"timestamp\":\"2024-03-01 12:00:00.500 CET\",\"dbname\":\"shop\",\"session_id\":\"65e1.4d\",\"error_severity\":\"LOG\","
                    + "\"message\":\"duration: 1.250 ms  execute S_1: SELECT a FROM t WHERE b = $1\",\"detail\":\"Parameters: $1 = '1'\"}\n"
                    + "{\"timestamp\":\"2024-03-01 12:00:00.500 CET\",\"dbname\":\"shop\",\"session_id\":\"65e1.4d\",\"error_severity\":\"LOG\","
                    + "\"message\":\"duration: 1 ms  plan:\\n{\\n\\\"Query Text\\\": \\\"SELECT a FROM t WHERE b = $1\\\",\\n"
                    + "\\\"Plan\\\": {\\\"Node Type\\\": \\\"Gather\\\", \\\"Workers Planned\\\": 2, \\\"Plans\\\": [{\\\"Node Type\\\": "
                    + "\\\"Index Scan\\\", \\\"Index Name\\\": \\\"t_b\\\"}]}}\"}\n";

    private static final Map<String, String> LINES = Map.of(
            "cef",
            "<134>1 2016-06-06T12:00:00Z fw1 app - - - CEF:0|Security|threat\\|manager|1.0|100|Port scan|10|"
                    + "rt=1465214400000 src=10.0.0.1 spt=1232 dst=2.1.2.2 dpt=22 proto=TCP cnt=7 cs1Label=Rule cs1=a \\= b\n"
                    + "<34>Jun  6 12:00:00 fw2 CEF:1|Security|ids|2|7|Worm|3|start=Jun 06 2016 12:00:00 c6a2=2001:db8::1\n",
            "ecs",
            "{\"@timestamp\":\"2016-06-06T12:00:00Z\",\"ecs\":{\"version\":\"8.11\"},\"event\":{\"category\":[\"network\"],"
                    + "\"id\":\"e-1\"},\"source\":{\"ip\":\"10.0.0.1\",\"port\":22},\"destination.ip\":\"2001:db8::1\","
                    + "\"message\":\"Failed \\u00e9\",\"network\":{\"transport\":\"tcp\",\"bytes\":12}}\n",
            "ocsf",
            "{\"class_uid\":2004,\"time\":1465214400000,\"finding_info\":{\"title\":\"Port scan\",\"uid\":\"f-1\"},"
                    + "\"evidences\":[{\"src_endpoint\":{\"ip\":\"10.0.0.1\",\"port\":40000}},{\"dst_endpoint\":{}}],"
                    + "\"metadata\":{\"product\":{\"name\":\"Sensor\"}}}\n");

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

    private static void pack(Path file, String text) throws IOException {
        try (GZIPOutputStream packed = new GZIPOutputStream(Files.newOutputStream(file))) {
            packed.write(text.getBytes(StandardCharsets.UTF_8));
        }
    }

    private static void learn(String target, Path directory, String... logs) throws IOException {
        for (String log : logs) {
            LearntQuery.learn(target, directory.resolve(log), directory.resolve("learnt.yaml"));
        }
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
