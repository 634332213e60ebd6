package siemload.config;

import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * How the urls of a database are written. Immutable.
 *
 * @param start what they begin with
 * @param rest what stands between that and the options, without a place where a password could stand
 * @param options of the driver that may follow a question mark, in lower case, since none of them holds a secret or names a class that is
 *     run: a list of what is allowed, since drivers add options that hold secrets
 * @param example for people
 */
public record UrlForm(String start, Pattern rest, Set<String> options, String example) {
    private static final String HOST = "(?:[\\w.-]+|\\[[0-9A-Fa-f:.]+(?:%25?\\w+)?])";

    /** A pattern for one server or several, each with or without a port. */
    public static final String SERVERS = HOST + "(?::\\d{1,5})?(?:," + HOST + "(?::\\d{1,5})?)*+";

    /** A pattern for the name of a database or service. */
    public static final String NAME = "[\\w.$~%+-]*";

    private static final Pattern VALUE = Pattern.compile("[\\w.,:/=@%+*()$~-]{0,500}");
    /** With anything between them, a name and a password could stand there together. */
    private static final Pattern USER = Pattern.compile("[\\w.@%+$#-]{1,100}");

    /**
     * One whose rest is a pattern, in which case makes no difference.
     *
     * @param options separated by white space; case makes no difference
     */
    public UrlForm(String start, String rest, String options, String example) {
        this(
                start,
                Pattern.compile(rest, Pattern.CASE_INSENSITIVE),
                Set.of(options.strip().toLowerCase(Locale.ROOT).split("\\s+")),
                example);
    }

    /** Whether this is one of the options, as {@code name=value}. */
    boolean allows(String option) {
        String[] parts = option.split("=", 2);
        return parts.length == 2
                && options.contains(parts[0].toLowerCase(Locale.ROOT))
                && (parts[0].equalsIgnoreCase("user") ? USER : VALUE)
                        .matcher(parts[1])
                        .matches();
    }
}
