package siemload.cli;

import java.util.Arrays;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import siemload.config.ConfigException;
import siemload.config.Origin;
import siemload.config.VariantConnections;

/** Passwords on the command line, which every user of the machine can read. Stateless. */
final class SecretArguments {
    private static final Pattern PASSWORD =
            Pattern.compile("((?:--|-D)(?i:password)(?i:file)?(?:\\.([A-Za-z0-9-]+))?)(?:=.*)?", Pattern.DOTALL);

    private SecretArguments() {}

    /** What is said to an argument that gives a password, without the password. */
    static Optional<ConfigException> refused(String... arguments) {
        return Arrays.stream(arguments)
                .map(PASSWORD::matcher)
                .filter(Matcher::matches)
                .findFirst()
                .map(found -> {
                    String variant = found.group(2);
                    String ending = variant == null ? "" : VariantConnections.variable("", variant);
                    return new ConfigException(
                            new Origin.WholeFile("command line"),
                            "'" + found.group(1) + "' gives a password where every user of the machine can read it (set"
                                    + " SIEMLOAD_PASSWORD" + ending + " or SIEMLOAD_PASSWORD_FILE" + ending
                                    + ", and choose another password)");
                });
    }
}
