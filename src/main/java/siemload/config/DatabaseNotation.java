package siemload.config;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;

/**
 * How one kind of database and its programs write the address of a server, and where passwords stand in their texts. Found by {@link
 * ServiceLoader}, so that nothing here names a database; the first one registered is the default target. Implementations have a public
 * constructor without arguments, keep no state and are thread-safe.
 */
public interface DatabaseNotation {

    /** The name of the target in settings. */
    String target();

    /** The forms of its driver's urls, which have no place for a password. */
    List<UrlForm> urlForms();

    /**
     * The options of the driver that its urls may have, separated by white space; case makes no difference. None of them holds a secret or
     * names a class to run. A list of what is allowed, since drivers add options that hold secrets.
     */
    String urlOptions();

    /** Where secrets stand in urls and commands of this database: patterns with their replacements. */
    default Map<String, String> secretForms() {
        return Map.of();
    }

    /** Those of its programs that take a password after {@code -p} or {@code -a}. */
    default List<String> programsWithPasswords() {
        return List.of();
    }

    /**
     * The server of a url in the form of the database's own programs, with the password from their files.
     *
     * @param user the user, if given outside of the url
     * @return empty for a url of the driver
     * @throws IllegalArgumentException with what is not supported, without secrets
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
        /** Without the password. */
        @Override
        public String toString() {
            return url;
        }
    }

    /** All that are registered, in that order. */
    static List<DatabaseNotation> all() {
        return ServiceLoader.load(DatabaseNotation.class, DatabaseNotation.class.getClassLoader()).stream()
                .map(ServiceLoader.Provider::get)
                .toList();
    }
}
