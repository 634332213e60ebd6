package siemload.measure;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.io.InputStream;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.RuntimeMXBean;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import siemload.config.RegularFile;
import siemload.config.Secrets;
import siemload.config.Sha256;
import siemload.results.ResultText;
import siemload.results.ResultValue;

/**
 * The environment of a run, as {@code environment.json} holds it: values by section. Each section has a fingerprint that is equal for equal
 * values. Values that vary between runs without any significance are left out. Immutable.
 *
 * @param sections by name: {@code hardware}, {@code kernel}, {@code filesystem}, {@code database}, {@code tables}, {@code java}, {@code
 *     program}, {@code scenario}, {@code dataset}
 */
public record EnvironmentRecord(Map<String, Section> sections) {
    public EnvironmentRecord {
        sections = Collections.unmodifiableMap(new TreeMap<>(sections));
    }

    /** Creates the record of these values, by section, with secrets masked. */
    public static EnvironmentRecord of(Map<String, Map<String, String>> values) {
        Map<String, Section> sections = new TreeMap<>();
        values.forEach((name, some) -> sections.put(name, Section.of(some)));
        return new EnvironmentRecord(sections);
    }

    /** Returns the fingerprint of each section, by the section's name. */
    public Map<String, String> fingerprints() {
        return sections.entrySet().stream()
                .collect(Collectors.toMap(
                        Map.Entry::getKey, entry -> entry.getValue().fingerprint()));
    }

    /** Writes {@code environment.json}. */
    public void write(Path file) throws IOException {
        Files.writeString(file, ResultValue.text(this));
    }

    /**
     * Reads the file; keys of later versions are ignored.
     *
     * @throws IOException if the file cannot be read or is not such a record
     */
    public static EnvironmentRecord read(Path file) throws IOException {
        String name = file.toString();
        return ResultValue.parse(name, ResultText.of(file, name), EnvironmentRecord.class);
    }

    /**
     * One section of the record. Immutable.
     *
     * @param fingerprint the first 16 hexadecimal digits of the SHA-256 of the lines {@code key=value}, each with its line feed, in the
     *     order of the keys
     * @param values in the order of the keys
     */
    public record Section(String fingerprint, Map<String, String> values) {
        public Section {
            values = Collections.unmodifiableMap(new TreeMap<>(values));
        }

        /** Creates the section of these values, with secrets masked and a blank in place of each line break of any kind. */
        static Section of(Map<String, String> values) {
            SortedMap<String, String> shown = new TreeMap<>();
            values.forEach((key, value) -> shown.put(key, Secrets.masked(key, value.replaceAll("\\R", " "))));
            String lines = shown.entrySet().stream()
                    .map(entry -> entry.getKey() + "=" + entry.getValue() + "\n")
                    .collect(Collectors.joining());
            return new Section(Sha256.fingerprint(lines), shown);
        }
    }

    /**
     * Facts about this machine and this process that need no database, from {@code /proc} and {@code /sys} of Linux, and from Java. Values
     * that are missing or unreadable, as on systems other than Linux, are left out. Immutable and thread-safe.
     *
     * @param root the directory that contains {@code proc} and {@code sys}
     */
    public record MachineFacts(Path root) {
        private static final int LARGEST_BYTES = 1 << 20;
        private static final String FACTS = RegularFile.resource(MachineFacts.class, "facts.txt");

        /** The facts to record of the first processor, which stands for all processors, without the ever-changing current clock rate. */
        private static final Map<String, String> PROCESSOR = Map.of(
                "model name", "cpu",
                "cpu cores", "cpuCoresPerSocket",
                "microcode", "cpuMicrocode",
                "cache size", "cpuCache",
                "CPU part", "cpu");

        private static final Pattern NOT_A_DISK = Pattern.compile("(loop|ram|zram|sr|fd)\\d+");

        /** The resource file with the commit of a release, in one line. */
        private static final String COMMIT = "/META-INF/siemload-commit";

        /** The start of the line with the commit in the output of git status, porcelain version 2. */
        private static final String REVISION = "# branch.oid ";

        /**
         * The values of the sections hardware, kernel, filesystem, java and program.
         *
         * @param directories by purpose: {@code data} of a database on this machine, and {@code results}
         * @param home the directory of siemload
         */
        public static Map<String, Map<String, String>> describe(Map<String, Path> directories, Path home) {
            MachineFacts machine = new MachineFacts(Path.of("/"));
            return new TreeMap<>(Map.of(
                    "hardware", machine.hardware(),
                    "kernel", machine.kernel(),
                    "filesystem", machine.fileSystems(directories),
                    "java", virtualMachine(),
                    "program", program(home)));
        }

        /** Processors, memory and disks. */
        Map<String, String> hardware() {
            OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
            Map<String, String> values = new TreeMap<>(Map.of(
                    "cpus", Integer.toString(system.getAvailableProcessors()),
                    "architecture", system.getArch(),
                    "memoryBytes", Long.toString(system.getTotalMemorySize()),
                    "swapBytes", Long.toString(system.getTotalSwapSpaceSize())));
            for (String line : lines("proc/cpuinfo")) {
                String[] pair = line.split("\\s*:\\s*", 2);
                String key = PROCESSOR.get(pair[0]);
                if (pair.length == 2 && key != null) {
                    values.putIfAbsent(key, pair[1].strip());
                }
            }
            put(values, "hardware", "", "");
            try (Stream<Path> disks = Files.list(root.resolve("sys/block"))) {
                disks.map(disk -> disk.getFileName().toString())
                        .filter(disk -> !NOT_A_DISK.matcher(disk).matches())
                        .forEach(disk -> put(values, "disk", "disk." + disk + ".", "sys/block/" + disk + "/"));
            } catch (IOException | SecurityException notThere) {
                // Without this directory, the record contains nothing about disks.
            }
            return values;
        }

        /** The operating system, and its parameters that affect databases. */
        Map<String, String> kernel() {
            OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
            Map<String, String> values =
                    new TreeMap<>(Map.of("system", system.getName(), "version", system.getVersion()));
            put(values, "kernel", "", "");
            return values;
        }

        /** The storage of directories that exist, or are to be created: the file system, its mount, and the queue of its device. */
        Map<String, String> fileSystems(Map<String, Path> directories) {
            Map<String, String> values = new TreeMap<>();
            directories.forEach((use, directory) -> {
                try {
                    FileStore store = Files.getFileStore(existing(directory));
                    String source = store.name();
                    values.put(use + ".fileSystem", store.type());
                    values.put(use + ".device", source);
                    // In Java's text of a file store, the mount point precedes the source.
                    String point = store.toString().replaceFirst(" \\(" + Pattern.quote(source) + "\\)$", "");
                    values.put(use + ".mountPoint", point);
                    lines("proc/self/mounts").stream()
                            .filter(line -> line.startsWith(source + " " + point.replace(" ", "\\040") + " "))
                            .forEach(line -> values.put(use + ".mountOptions", line.split(" ", -1)[3]));
                    String device = "sys/class/block/" + source.replaceFirst(".*/", "");
                    // A partition has no queue of its own; it uses the queue of its disk.
                    String queue =
                            device + (Files.isDirectory(root.resolve(device + "/queue")) ? "/queue/" : "/../queue/");
                    put(values, "queue", use + ".", queue);
                } catch (IOException | SecurityException unknown) {
                    values.put(use + ".fileSystem", "unknown");
                }
            });
            return values;
        }

        /** The directory, or its nearest existing parent. */
        private static Path existing(Path directory) {
            Path place = directory.toAbsolutePath();
            while (!Files.exists(place) && place.getParent() != null) {
                place = place.getParent();
            }
            return place;
        }

        /** The virtual machine of the load generator. */
        private static Map<String, String> virtualMachine() {
            RuntimeMXBean runtime = ManagementFactory.getRuntimeMXBean();
            return Map.of(
                    "version", Runtime.version().toString(),
                    "machine", runtime.getVmName() + " " + runtime.getVmVersion(),
                    "vendor", runtime.getVmVendor(),
                    "heapMaximumBytes", Long.toString(Runtime.getRuntime().maxMemory()),
                    "collectors",
                            ManagementFactory.getGarbageCollectorMXBeans().stream()
                                    .map(GarbageCollectorMXBean::getName)
                                    .collect(Collectors.joining(", ")),
                    // Options with -D are secrets, or settings of the run, which are recorded elsewhere.
                    "flags",
                            runtime.getInputArguments().stream()
                                    .filter(argument -> !argument.startsWith("-D"))
                                    .map(argument -> argument.replaceFirst("^-javaagent:.*[/\\\\]", "-javaagent:"))
                                    .map(Secrets::masked)
                                    .collect(Collectors.joining(" ")));
        }

        /**
         * The version, and the commit of a release or a git checkout.
         *
         * @param home the directory of siemload
         */
        public static Map<String, String> program(Path home) {
            Map<String, String> values = new TreeMap<>();
            String version = MachineFacts.class.getPackage().getImplementationVersion();
            values.put("version", version == null ? "from a checkout" : version);
            if (MachineFacts.class.getResource(COMMIT) != null) {
                values.put(
                        "revision",
                        RegularFile.resource(MachineFacts.class, COMMIT).strip());
            }
            Path place = home.toAbsolutePath();
            if (Files.exists(place.resolve(".git"))) {
                List<String> status = status(place);
                status.stream().filter(line -> line.startsWith(REVISION)).forEach(line -> {
                    values.put("revision", line.substring(REVISION.length()));
                    values.put("changed", status.stream().allMatch(one -> one.startsWith("#")) ? "no" : "yes");
                });
            }
            return values;
        }

        /** Returns the output of git status; empty without git, or if git refuses. */
        private static List<String> status(Path place) {
            try {
                String command = "git --no-optional-locks status --porcelain=v2 --branch --untracked-files=normal";
                ProcessBuilder builder = new ProcessBuilder(command.split(" ", -1))
                        .directory(place.toFile())
                        .redirectError(ProcessBuilder.Redirect.DISCARD);
                builder.environment().keySet().removeIf(name -> name.startsWith("SIEMLOAD_"));
                Process git = builder.start();
                git.getOutputStream().close();
                String said = new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
                return git.waitFor() == 0 ? said.lines().toList() : List.of();
            } catch (IOException noGit) {
                return List.of();
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                return List.of();
            }
        }

        /**
         * Adds the contents of files under their keys, if the files exist, each with a prefix. From a line such as {@code always [madvise]
         * never} only the value in brackets is taken.
         *
         * @param of selects the lines of facts.txt that begin with it
         */
        private void put(Map<String, String> values, String of, String prefix, String directory) {
            FACTS.lines()
                    .map(line -> line.split(" ", 3))
                    .filter(fact -> fact[0].equals(of))
                    .forEach(fact -> {
                        boolean isChoice = fact[2].equals("scheduler") || fact[2].contains("hugepage/");
                        text(directory + fact[2])
                                .map(text -> isChoice
                                        ? text.replaceFirst(".*\\[([^\\]]*)\\].*", "$1")
                                        : text.replaceAll("\\s+", " "))
                                .ifPresent(text -> values.put(prefix + fact[1], text));
                    });
        }

        private List<String> lines(String file) {
            return text(file).map(text -> text.lines().toList()).orElse(List.of());
        }

        /**
         * The content of a file without surrounding blanks; empty if it cannot be read. The file is read in one call: files in {@code
         * /proc/sys} claim to be empty, and a second read returns nothing.
         */
        Optional<String> text(String file) {
            try (InputStream stream = Files.newInputStream(root.resolve(file))) {
                String text = new String(stream.readNBytes(LARGEST_BYTES), StandardCharsets.UTF_8);
                return Optional.of(text.strip()).filter(some -> !some.isEmpty());
            } catch (IOException | SecurityException notThere) {
                return Optional.empty();
            }
        }
    }
}
