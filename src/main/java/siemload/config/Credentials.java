package siemload.config;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * Who to be at a database. They come from the environment alone: {@code SIEMLOAD_USER}, and {@code SIEMLOAD_PASSWORD} or
 * the first line of the file {@code SIEMLOAD_PASSWORD_FILE}, which is UTF-8 and for its owner alone. Immutable; its text never shows the password.
 */
public final class Credentials {
    static final String USER = "SIEMLOAD_USER";
    static final String PASSWORD = "SIEMLOAD_PASSWORD";
    static final String PASSWORD_FILE = "SIEMLOAD_PASSWORD_FILE";
    static final List<String> VARIABLES = List.of(USER, PASSWORD, PASSWORD_FILE);

    private static final char LOST_CHARACTER = '\uFFFD';

    private final String user;
    private final String password;

    private Credentials(String user, String password) {
        this.user = user;
        this.password = password;
    }

    /** From these variables; what is wrong with them is noted. */
    static Credentials read(Map<String, String> environment, Problems problems) {
        return read(environment, UnaryOperator.identity(), problems);
    }

    /** From those that have these names in the place of {@link #VARIABLES}. */
    static Credentials read(Map<String, String> environment, UnaryOperator<String> named, Problems problems) {
        String user = environment.getOrDefault(named.apply(USER), "");
        String password = environment.getOrDefault(named.apply(PASSWORD), "");
        String file = environment.getOrDefault(named.apply(PASSWORD_FILE), "");
        if (!password.isEmpty() && !file.isEmpty()) {
            problems.add(
                    new Origin.Environment(named.apply(PASSWORD_FILE)),
                    "is set beside " + named.apply(PASSWORD) + " (allowed: one of them)");
        }
        requireKept(named.apply(USER), user, problems);
        requireKept(named.apply(PASSWORD), password, problems);
        String secret =
                password.isEmpty() && !file.isEmpty() ? fromFile(named.apply(PASSWORD_FILE), file, problems) : password;
        Secrets.know(secret);
        return new Credentials(user, secret);
    }

    /** The same with this password, where there is none. */
    Credentials orPassword(Optional<String> other) {
        return password.isEmpty() ? new Credentials(user, other.orElse("")) : this;
    }

    /** The user, if one is given. */
    public Optional<String> user() {
        return Optional.of(user).filter(text -> !text.isEmpty());
    }

    /** The password, if one is given. Never print it. */
    public Optional<String> password() {
        return Optional.of(password).filter(text -> !text.isEmpty());
    }

    @Override
    public String toString() {
        return "Credentials[user=" + user().orElse("(none)") + ", password=" + (password.isEmpty() ? "(none)" : "***")
                + "]";
    }

    private static String fromFile(String variable, String path, Problems problems) {
        try {
            return PasswordFile.firstLine(path);
        } catch (IllegalArgumentException e) {
            problems.add(new Origin.Environment(variable), String.valueOf(e.getMessage()));
            return "";
        }
    }

    /** Java puts this character where the locale's encoding has none; the server would say that the password is wrong. */
    private static void requireKept(String variable, String value, Problems problems) {
        if (value.indexOf(LOST_CHARACTER) >= 0) {
            problems.add(
                    new Origin.Environment(variable),
                    "has characters that are lost in the encoding of this process's locale (set LC_ALL=C.UTF-8, or put a"
                            + " password into the file " + PASSWORD_FILE + ", which is always UTF-8)");
        }
    }
}
