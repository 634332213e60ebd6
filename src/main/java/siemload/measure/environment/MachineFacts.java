package siemload.measure.environment;

import com.sun.management.OperatingSystemMXBean;
import java.io.File;
import java.io.IOException;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.RuntimeMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import siemload.config.Secrets;
import siemload.measure.environment.SystemFiles.Mount;

/** What can be said of this machine and this process without asking a database. Stateless and thread-safe. */
public final class MachineFacts {
    private static final SystemFiles FILES = new SystemFiles(Path.of("/"));

    private MachineFacts() {}

    /**
     * The values of the sections hardware, kernel, filesystem, java, drivers and program.
     *
     * @param directories by what they are for: {@code data} where a database on this machine keeps its data, and
     *     {@code results}
     * @param home the directory of siemload
     * @param drivers the jars of the databases' drivers, without versions
     */
    public static Map<String, Map<String, String>> describe(
            Map<String, Path> directories, Path home, Set<String> drivers) {
        Map<String, Map<String, String>> sections = new TreeMap<>();
        sections.put("hardware", HardwareFacts.read(FILES));
        sections.put("kernel", KernelFacts.read(FILES));
        sections.put("filesystem", FilesystemFacts.read(FILES, directories));
        sections.put("java", JavaFacts.virtualMachine());
        sections.put(
                "drivers",
                JavaFacts.libraries(
                        drivers, ManagementFactory.getRuntimeMXBean().getClassPath(), File.pathSeparator));
        sections.put("program", ProgramFacts.read(home));
        return sections;
    }

    /** Processors, memory and disks. */
    static final class HardwareFacts {
        private static final Pattern NOT_A_DISK = Pattern.compile("(loop|ram|zram|sr|fd)\\d+");
        private static final int SECTOR_BYTES = 512;

        private HardwareFacts() {}

        static Map<String, String> read(SystemFiles files) {
            Map<String, String> values = new TreeMap<>();
            OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
            values.put("cpus", Integer.toString(system.getAvailableProcessors()));
            values.put("architecture", system.getArch());
            values.put("memoryBytes", Long.toString(system.getTotalMemorySize()));
            values.put("swapBytes", Long.toString(system.getTotalSwapSpaceSize()));
            processor(files, "model name")
                    .or(() -> processor(files, "CPU part"))
                    .ifPresent(cpu -> values.put("cpu", cpu));
            processor(files, "cpu cores").ifPresent(cores -> values.put("cpuCoresPerSocket", cores));
            processor(files, "microcode").ifPresent(code -> values.put("cpuMicrocode", code));
            processor(files, "cache size").ifPresent(size -> values.put("cpuCache", size));
            String cpu = "sys/devices/system/cpu/";
            files.put(values, "cpuMaximumKilohertz", cpu + "cpu0/cpufreq/cpuinfo_max_freq");
            files.put(values, "cpuGovernor", cpu + "cpu0/cpufreq/scaling_governor");
            files.put(values, "cpuThreads", cpu + "smt/control");
            files.put(values, "numaNodes", "sys/devices/system/node/online");
            files.put(values, "machineVendor", "sys/class/dmi/id/sys_vendor");
            files.put(values, "machine", "sys/class/dmi/id/product_name");
            files.names("sys/block").stream()
                    .filter(disk -> !NOT_A_DISK.matcher(disk).matches())
                    .forEach(disk -> disk(files, disk, values));
            return values;
        }

        /** The first processor stands for all. Its present clock rate, which never stands still, is not asked. */
        private static Optional<String> processor(SystemFiles files, String name) {
            return files.lines("proc/cpuinfo").stream()
                    .map(line -> line.split("\\s*:\\s*", 2))
                    .filter(pair -> pair.length == 2 && pair[0].equals(name))
                    .map(pair -> pair[1].strip())
                    .findFirst();
        }

        private static void disk(SystemFiles files, String disk, Map<String, String> values) {
            String directory = "sys/block/" + disk + "/";
            String key = "disk." + disk + ".";
            files.text(directory + "size")
                    .ifPresent(sectors -> values.put(key + "bytes", Long.toString(bytes(sectors))));
            files.put(values, key + "model", directory + "device/model");
            files.text(directory + "queue/rotational")
                    .ifPresent(rotates -> values.put(key + "rotates", rotates.equals("1") ? "yes" : "no"));
            files.put(values, key + "writeCache", directory + "queue/write_cache");
        }

        private static long bytes(String sectors) {
            try {
                return Long.parseLong(sectors) * SECTOR_BYTES;
            } catch (NumberFormatException unknown) {
                return 0;
            }
        }
    }

    /** What lies under a directory: the file system, how it is mounted, and how the kernel serves its device. */
    static final class FilesystemFacts {
        private FilesystemFacts() {}

        /**
         * Of directories that exist, or are to be made.
         *
         * @param directories by what they are for: {@code data}, {@code results}
         */
        static Map<String, String> read(SystemFiles files, Map<String, Path> directories) {
            Map<String, String> values = new TreeMap<>();
            directories.forEach((use, directory) -> {
                Path real = Mount.real(directory);
                Mount.of(files, real)
                        .ifPresentOrElse(
                                found -> mounted(files, use, found, values), () -> fileStore(use, real, values));
            });
            return values;
        }

        private static void mounted(SystemFiles files, String use, Mount mount, Map<String, String> values) {
            values.put(use + ".fileSystem", mount.type());
            values.put(use + ".device", mount.source());
            values.put(use + ".mountPoint", mount.point().toString());
            values.put(use + ".mountOptions", mount.options());
            String device = "sys/class/block/" + mount.source().replaceFirst(".*/", "");
            // A partition has no queue of its own, but the disk has that it lies on.
            String queue = files.names(device + "/queue").isEmpty() ? device + "/../queue" : device + "/queue";
            files.putChosen(values, use + ".scheduler", queue + "/scheduler");
            files.put(values, use + ".readAheadKilobytes", queue + "/read_ahead_kb");
            files.put(values, use + ".queueDepth", queue + "/nr_requests");
        }

        /** Where the system has no list of mounts that we can read. */
        private static void fileStore(String use, Path directory, Map<String, String> values) {
            try {
                values.put(use + ".fileSystem", Files.getFileStore(directory).type());
                values.put(use + ".device", Files.getFileStore(directory).name());
            } catch (IOException unknown) {
                values.put(use + ".fileSystem", "unknown");
            }
        }
    }

    /** The virtual machine of the load generator, and the libraries that it talks to databases with. */
    static final class JavaFacts {
        /** Other definitions are settings of the run, which stand elsewhere, or secrets. */
        private static final Pattern OWN_DEFINITION = Pattern.compile("-D(?:jdk|sun|io\\.netty|java\\.net)\\..*");

        private static final Pattern LIBRARY = Pattern.compile("(.+?)-(\\d[^/]*)\\.jar");
        private static final Set<String> MEASURING = Set.of("gatling-core", "HdrHistogram");

        private JavaFacts() {}

        static Map<String, String> virtualMachine() {
            RuntimeMXBean runtime = ManagementFactory.getRuntimeMXBean();
            Map<String, String> values = new TreeMap<>();
            values.put("version", Runtime.version().toString());
            values.put("machine", runtime.getVmName() + " " + runtime.getVmVersion());
            values.put("vendor", runtime.getVmVendor());
            values.put("heapMaximumBytes", Long.toString(Runtime.getRuntime().maxMemory()));
            values.put(
                    "collectors",
                    ManagementFactory.getGarbageCollectorMXBeans().stream()
                            .map(GarbageCollectorMXBean::getName)
                            .collect(Collectors.joining(", ")));
            values.put("flags", flags(runtime.getInputArguments()));
            return values;
        }

        /** The arguments of the virtual machine, but for definitions that only a program reads. */
        static String flags(List<String> arguments) {
            return arguments.stream()
                    .filter(argument -> !argument.startsWith("-D")
                            || OWN_DEFINITION.matcher(argument).matches())
                    .map(argument -> argument.startsWith("-javaagent:") ? "-javaagent:" + fileName(argument) : argument)
                    .map(Secrets::masked)
                    .collect(Collectors.joining(" "));
        }

        /**
         * The versions of drivers and measuring libraries, from the names of the files on the class path. One that is not there is
         * told as well, for it may be there by another name.
         */
        static Map<String, String> libraries(Set<String> drivers, String classPath, String separator) {
            Map<String, String> versions = new TreeMap<>();
            Stream.concat(drivers.stream(), MEASURING.stream()).forEach(name -> versions.put(name, "not found"));
            Stream.of(classPath.split(Pattern.quote(separator), -1))
                    .flatMap(entry -> withListed(entry).stream())
                    .map(JavaFacts::fileName)
                    .map(LIBRARY::matcher)
                    .filter(Matcher::matches)
                    .forEach(
                            library -> versions.computeIfPresent(library.group(1), (name, before) -> library.group(2)));
            return versions;
        }

        /** Build tools hide a long class path in the manifest of one jar. */
        private static List<String> withListed(String entry) {
            List<String> entries = new ArrayList<>(List.of(entry));
            if (entry.endsWith(".jar")) {
                try (JarFile jar = new JarFile(Path.of(entry).toFile())) {
                    Manifest manifest = jar.getManifest();
                    String listed = manifest == null
                            ? null
                            : manifest.getMainAttributes().getValue(Attributes.Name.CLASS_PATH);
                    if (listed != null) {
                        entries.addAll(List.of(listed.split(" ", -1)));
                    }
                } catch (IOException | SecurityException unreadable) {
                    // then nothing is listed in it
                }
            }
            return entries;
        }

        private static String fileName(String path) {
            return path.substring(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
        }
    }

    /** The operating system, and those of its parameters and limits that databases feel. */
    static final class KernelFacts {
        private static final List<String> PARAMETERS = List.of(
                "vm/swappiness",
                "vm/dirty_ratio",
                "vm/dirty_background_ratio",
                "vm/dirty_bytes",
                "vm/dirty_background_bytes",
                "vm/dirty_expire_centisecs",
                "vm/dirty_writeback_centisecs",
                "vm/overcommit_memory",
                "vm/overcommit_ratio",
                "vm/nr_hugepages",
                "vm/nr_overcommit_hugepages",
                "vm/zone_reclaim_mode",
                "vm/vfs_cache_pressure",
                "vm/max_map_count",
                "vm/min_free_kbytes",
                "kernel/numa_balancing",
                "kernel/sched_autogroup_enabled",
                "fs/file-max",
                "fs/aio-max-nr",
                "net/core/somaxconn",
                "net/ipv4/tcp_congestion_control");
        private static final List<String> LIMITS =
                List.of("Max open files", "Max processes", "Max locked memory", "Max address space", "Max file size");
        private static final List<String> CONTROL_GROUP = List.of(
                "memory.max",
                "memory/memory.limit_in_bytes",
                "cpu.max",
                "cpu/cpu.cfs_quota_us",
                "cpu/cpu.cfs_period_us");
        private static final Pattern COLUMNS = Pattern.compile(" {2,}");

        private KernelFacts() {}

        static Map<String, String> read(SystemFiles files) {
            Map<String, String> values = new TreeMap<>();
            OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
            values.put("system", system.getName());
            values.put("version", system.getVersion());
            files.put(values, "build", "proc/version");
            PARAMETERS.forEach(name -> files.put(values, name.replace('/', '.'), "proc/sys/" + name));
            String hugePages = "sys/kernel/mm/transparent_hugepage/";
            files.putChosen(values, "transparentHugePages", hugePages + "enabled");
            files.putChosen(values, "transparentHugePagesDefrag", hugePages + "defrag");
            files.put(values, "clockSource", "sys/devices/system/clocksource/clocksource0/current_clocksource");
            files.lines("proc/self/limits").forEach(line -> limit(line, values));
            CONTROL_GROUP.forEach(
                    file -> files.put(values, "controlGroup." + file.replaceAll(".*/", ""), "sys/fs/cgroup/" + file));
            return values;
        }

        /** A line such as {@code Max open files   1024   4096   files}: the first number is the one in force. */
        private static void limit(String line, Map<String, String> values) {
            String[] columns = COLUMNS.split(line.strip(), -1);
            if (columns.length > 2 && LIMITS.contains(columns[0])) {
                values.put("limit." + columns[0].substring("Max ".length()).replace(' ', '_'), columns[1]);
            }
        }
    }
}
