package siemload.config;

import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The options of a driver that may stand in a url, since none of them holds a secret or names a class that is run. A list of
 * what is allowed, since drivers add options that hold secrets. Immutable.
 */
public final class UrlOptions {
    private static final Pattern VALUE = Pattern.compile("[\\w.,:/=@%+*()$~-]{0,500}");
    /** With anything between them, a name and a password could stand there together. */
    private static final Pattern USER = Pattern.compile("[\\w.@%+$#-]{1,100}");

    private final Set<String> names;

    /** @param names separated by white space; case makes no difference */
    public UrlOptions(String names) {
        this.names = Set.of(names.strip().toLowerCase(Locale.ROOT).split("\\s+"));
    }

    /** Whether this is one of them, as {@code name=value}. */
    boolean allow(String option) {
        String[] parts = option.split("=", 2);
        if (parts.length < 2 || !names.contains(parts[0].toLowerCase(Locale.ROOT))) {
            return false;
        }
        return (parts[0].equalsIgnoreCase("user") ? USER : VALUE)
                .matcher(parts[1])
                .matches();
    }
}
