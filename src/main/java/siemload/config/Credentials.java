package siemload.config;

import java.io.IOException;
import java.nio.file.Files;
import java.util.Map;
import java.util.Optional;

/**
 * Who to be at a database. They come from the environment alone: {@code SIEMLOAD_USER}, and {@code SIEMLOAD_PASSWORD} or
 * the first line of the file {@code SIEMLOAD_PASSWORD_FILE}. Immutable; its text never shows the password.
 */
public final class Credentials {
    static final String USER = "SIEMLOAD_USER";
    static final String PASSWORD = "SIEMLOAD_PASSWORD";
    static final String PASSWORD_FILE = "SIEMLOAD_PASSWORD_FILE";

    private final String user;
    private final String password;

    private Credentials(String user, String password) {
        this.user = user;
        this.password = password;
    }

    /** From these variables; what is wrong with them is noted. */
    static Credentials read(Map<String, String> environment, Problems problems) {
        String password = environment.getOrDefault(PASSWORD, "");
        String file = environment.getOrDefault(PASSWORD_FILE, "");
        if (!password.isEmpty() && !file.isEmpty()) {
            problems.add(
                    new Origin.Environment(PASSWORD_FILE), "is set beside " + PASSWORD + " (allowed: one of them)");
        }
        return new Credentials(
                environment.getOrDefault(USER, ""),
                password.isEmpty() && !file.isEmpty() ? firstLine(file, problems) : password);
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

    private static String firstLine(String path, Problems problems) {
        Origin origin = new Origin.Environment(PASSWORD_FILE);
        try {
            Optional<String> line =
                    Files.readString(ValueType.path().parse(path)).lines().findFirst();
            if (line.isEmpty()) {
                problems.add(origin, path + " is empty (needed: the password in its first line)");
            }
            return line.orElse("");
        } catch (IOException e) {
            problems.add(origin, path + " cannot be read: " + e);
        } catch (IllegalArgumentException e) {
            problems.add(origin, String.valueOf(e.getMessage()));
        }
        return "";
    }
}
