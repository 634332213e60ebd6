package siemload.config;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;

/**
 * How one kind of database and its programs write the address of a server, and where passwords stand in what they read and
 * say. Found by {@link ServiceLoader}, so that nothing here names a database; the one that is registered first is the target
 * unless another is asked for. Implementations have a public constructor without arguments, keep no state and are thread-safe.
 */
public interface DatabaseNotation {

    /** The name of the target in settings. */
    String target();

    /** The urls of its driver, as they are written without a password. */
    List<UrlForm> urlForms();

    /** Where secrets stand in urls and commands, in forms of its own: patterns, and what is shown in place of what matches. */
    default Map<String, String> secretForms() {
        return Map.of();
    }

    /** Those of its programs that take a password after {@code -p} or {@code -a}. */
    default List<String> programsWithPasswords() {
        return List.of();
    }

    /**
     * The server that a url means, where its own programs have their own ways to name one: with the password of their files, as with them.
     *
     * @param user who is to be there, if that is said outside of the url
     * @return empty for a url that is nothing but the driver's
     * @throws IllegalArgumentException with what cannot be had, without secrets
     */
    default Optional<NamedServer> namedServer(String url, Optional<String> user) {
        return Optional.empty();
    }

    /**
     * A server as the database's own programs name it.
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
