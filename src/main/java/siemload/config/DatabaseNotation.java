package siemload.config;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;

/**
 * The form in which one kind of database and its programs write the address of a server, and the places of passwords in their texts. Found
 * by {@link ServiceLoader}, so that this package names no database; the first one registered is the default target. Implementations have a
 * public constructor without arguments, keep no state and are thread-safe.
 */
public interface DatabaseNotation {

    /** The name of the target in settings. */
    String target();

    /** The forms of its driver's urls, which have no place for a password. */
    List<UrlForm> urlForms();

    /**
     * The options of the driver that its urls may have, separated by white space; case makes no difference. No such option holds a secret
     * or names a class to run. Other options are refused, since drivers add options that hold secrets. Options that choose among several
     * servers end with an exclamation mark; they are refused with this reason.
     */
    String urlOptions();

    /** The patterns of secrets in urls and commands of this database, with their replacements. */
    default Map<String, String> secretForms() {
        return Map.of();
    }

    /** The programs of this database that take a password after {@code -p} or {@code -a}. */
    default List<String> programsWithPasswords() {
        return List.of();
    }

    /**
     * The server of a url in the form of the database's own programs, with the password from their files.
     *
     * @param user the user, if given outside of the url
     * @return empty for a url of the driver
     * @throws IllegalArgumentException if a part is not supported; the message shows no secret
     */
    default Optional<NamedServer> namedServer(String url, Optional<String> user) {
        return Optional.empty();
    }

    /**
     * A server in the form of the database's own programs.
     *
     * @param url of the driver, with the user, without the password
     * @param password from a file; empty for none
     */
    record NamedServer(String url, Optional<String> password) {
        /** The url, without the password. */
        @Override
        public String toString() {
            return url;
        }
    }

    /** All registered notations, in the order of their registration. */
    static List<DatabaseNotation> all() {
        return ServiceLoader.load(DatabaseNotation.class, DatabaseNotation.class.getClassLoader()).stream()
                .map(ServiceLoader.Provider::get)
                .toList();
    }
}
