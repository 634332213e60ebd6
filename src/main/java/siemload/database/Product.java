package siemload.database;

import java.util.List;
import java.util.Set;

/**
 * What a kind of database is called, by users, by the system it runs on and by Maven. Immutable.
 *
 * @param id the name in settings and results: lower case letters
 * @param name the name in sentences, as its makers write it
 * @param title one line for a list of targets
 * @param howToVerify what makes the driver verify the server, for people, as the end of a sentence that begins with "give";
 *     empty without a network
 * @param processNames how the names of its server's processes begin: whose CPU time the database's is, where it runs on this
 *     machine
 * @param driverJars the jars through which it talks to a server, without versions: {@code ArchitectureTest} checks that none
 *     is missing. The versions of all of them are written down with every run
 */
public record Product(
        String id, String name, String title, String howToVerify, List<String> processNames, Set<String> driverJars) {

    public Product {
        processNames = List.copyOf(processNames);
        driverJars = Set.copyOf(driverJars);
    }

    /** One that works in this process, without a driver. */
    public static Product inProcess(String id, String name, String title) {
        return new Product(id, name, title, "", List.of(), Set.of());
    }
}
