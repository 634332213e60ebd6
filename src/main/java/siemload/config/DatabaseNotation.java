package siemload.config;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;

/**
 * Knows how one kind of database and its programs write the address of a server, and where their texts contain passwords. {@link
 * ServiceLoader} finds the notations, so that this package names no database; the first one registered is that of the default target.
 * Implementations have a public constructor without arguments, keep no state and are thread-safe.
 */
public interface DatabaseNotation {

    /** Returns the target's name in settings. */
    String target();

    /** Returns the forms of the driver's urls, which have no place for a password. */
    List<UrlForm> urlForms();

    /**
     * Returns the driver's options that a url may have, separated by white space and in any case. None of these options holds a secret or
     * names a class to run. All others are refused, since newer drivers may add options that hold secrets. Options that choose among
     * several servers end with an exclamation mark, and are refused with this reason.
     */
    String urlOptions();

    /** Returns the patterns of secrets in urls and commands of this database, with their replacements. */
    default Map<String, String> secretForms() {
        return Map.of();
    }

    /** Returns the programs of this database that take a password after {@code -p} or {@code -a}. */
    default List<String> programsWithPasswords() {
        return List.of();
    }

    /**
     * Returns the server of a url in the form of the database's own programs, with the password from the files of these programs.
     *
     * @param user the user, if given outside of the url
     * @return the server; empty for a url of the driver
     * @throws IllegalArgumentException if a part of the url is not supported; the message shows no secret
     */
    default Optional<NamedServer> namedServer(String url, Optional<String> user) {
        return Optional.empty();
    }

    /**
     * A server whose url was in the form of the database's own programs.
     *
     * @param url the driver's url, with the user but without the password
     * @param password from a file; empty for none
     */
    record NamedServer(String url, Optional<String> password) {
        /** The url, without the password. */
        @Override
        public String toString() {
            return url;
        }
    }

    /** Returns all registered notations, in the order of their registration. */
    static List<DatabaseNotation> all() {
        return ServiceLoader.load(DatabaseNotation.class, DatabaseNotation.class.getClassLoader()).stream()
                .map(ServiceLoader.Provider::get)
                .toList();
    }
}
