package siemload.config;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * The login at a database, taken only from the environment: {@code SIEMLOAD_USER}, and {@code SIEMLOAD_PASSWORD} or the first line of the
 * file {@code SIEMLOAD_PASSWORD_FILE}. Such a file is in UTF-8, and accessible only to its owner. Never print the password; the text of
 * the login does not show it. Immutable.
 */
public record Credentials(Optional<String> user, Optional<String> password) {
    public static final String USER = "SIEMLOAD_USER";
    public static final String PASSWORD = "SIEMLOAD_PASSWORD";
    public static final String PASSWORD_FILE = "SIEMLOAD_PASSWORD_FILE";
    public static final List<String> VARIABLES = List.of(USER, PASSWORD, PASSWORD_FILE);

    private static final int MOST_BYTES = 10_000;

    /** Returns the prefix of a variable that belongs to one variant of an experiment; empty for any other variable. */
    public static Optional<String> startOfVariant(String variable) {
        // The longest name comes first: SIEMLOAD_PASSWORD_FILE is not the password of a variant FILE.
        return variable.equals(PASSWORD_FILE)
                ? Optional.empty()
                : Stream.of(PASSWORD_FILE, PASSWORD, USER, Property.URL.variable())
                        .map(name -> name + "_")
                        .filter(variable::startsWith)
                        .findFirst();
    }

    /** Reads the credentials from the variables to which {@code named} maps {@link #VARIABLES}, and notes their problems. */
    public static Credentials read(Map<String, String> environment, UnaryOperator<String> named, Problems problems) {
        String password = environment.getOrDefault(named.apply(PASSWORD), "");
        String file = environment.getOrDefault(named.apply(PASSWORD_FILE), "");
        Origin ofFile = new Origin.Environment(named.apply(PASSWORD_FILE));
        if (!password.isEmpty() && !file.isEmpty()) {
            problems.add(ofFile, "is set as well as " + named.apply(PASSWORD) + " (allowed: only one of them)");
        }
        for (String variable : List.of(named.apply(USER), named.apply(PASSWORD))) {
            // Java puts U+FFFD in place of characters that the locale's encoding lacks; the server would report a wrong
            // password.
            if (environment.getOrDefault(variable, "").indexOf('\uFFFD') >= 0) {
                String why = "has characters that are lost in the encoding of this process's locale (set LC_ALL=C.UTF-8"
                        + ", or put a password into the file " + PASSWORD_FILE + ", which is always UTF-8)";
                problems.add(new Origin.Environment(variable), why);
            }
        }
        if (password.isEmpty() && !file.isEmpty()) {
            password = problems.collect(ofFile, () -> firstLine(file)).orElse("");
        }
        Secrets.know(password);
        return new Credentials(
                Optional.ofNullable(environment.get(named.apply(USER))).filter(text -> !text.isEmpty()),
                Optional.of(password).filter(text -> !text.isEmpty()));
    }

    @Override
    public String toString() {
        return "Credentials[user=" + user.orElse("(none)") + ", password="
                + password.map(secret -> "***").orElse("(none)") + "]";
    }

    /**
     * Reads a password from the first line of a file that no other user may read. Messages show the path only if the file exists: otherwise
     * the value could be the password itself.
     */
    private static String firstLine(String path) {
        Path file = ValueType.path().tryParse(path).filter(Files::exists).orElseThrow(() -> {
            String need = "(needed: a file for its owner only, with the password in its first line; the value is not"
                    + " shown, since it could be the password itself, which belongs in SIEMLOAD_PASSWORD)";
            return new IllegalArgumentException("is not the path of an existing file " + need);
        });
        try {
            String text = RegularFile.text(file, path, MOST_BYTES);
            int mode = ((Number) Files.getAttribute(file, "unix:mode")).intValue() & 0777;
            // A file owned by root may be readable by a group, as libpq allows for key files.
            int ofOthers = Files.getAttribute(file, "unix:uid").equals(0) ? 037 : 077;
            String shared = file + " has mode 0" + Integer.toOctalString(mode)
                    + ", so users other than its owner can read or change it (chmod 600 '" + file + "')";
            ValueType.require((mode & ofOthers) == 0, shared);
            String password = text.lines().findFirst().orElse("");
            ValueType.require(!password.isEmpty(), file + " is empty (needed: the password in its first line)");
            return password;
        } catch (ConfigException unfit) {
            throw new IllegalArgumentException(unfit.getMessage(), unfit);
        } catch (IOException e) {
            throw new IllegalArgumentException(file + " cannot be read: " + e, e);
        }
    }
}
