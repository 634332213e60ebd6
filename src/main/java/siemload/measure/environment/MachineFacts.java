package siemload.measure.environment;

import java.io.File;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

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
}
