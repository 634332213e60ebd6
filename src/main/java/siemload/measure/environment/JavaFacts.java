package siemload.measure.environment;

import java.io.IOException;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.RuntimeMXBean;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
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

/** The virtual machine of the load generator, and the libraries that it talks to databases with. */
final class JavaFacts {
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
        values.put(
                "memoryPools",
                ManagementFactory.getMemoryPoolMXBeans().stream()
                        .map(MemoryPoolMXBean::getName)
                        .sorted()
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
                .forEach(library -> versions.computeIfPresent(library.group(1), (name, before) -> library.group(2)));
        return versions;
    }

    /** Build tools hide a long class path in the manifest of one jar. */
    private static List<String> withListed(String entry) {
        List<String> entries = new ArrayList<>(List.of(entry));
        if (entry.endsWith(".jar")) {
            try (JarFile jar = new JarFile(Path.of(entry).toFile())) {
                Manifest manifest = jar.getManifest();
                String listed =
                        manifest == null ? null : manifest.getMainAttributes().getValue(Attributes.Name.CLASS_PATH);
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
