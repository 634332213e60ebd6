package siemload.config;

import java.util.regex.Pattern;

/**
 * How the urls of a database are written. Immutable.
 *
 * @param start what they begin with
 * @param rest what stands between that and the options, without a place where a password could stand
 * @param options what may follow a question mark
 * @param example for people
 */
public record UrlForm(String start, Pattern rest, UrlOptions options, String example) {
    private static final String HOST = "(?:[\\w.-]+|\\[[0-9A-Fa-f:.]+(?:%25?\\w+)?])";

    /** A pattern for one server or several, each with or without a port. */
    public static final String SERVERS = HOST + "(?::\\d{1,5})?(?:," + HOST + "(?::\\d{1,5})?)*+";

    /** A pattern for the name of a database or service. */
    public static final String NAME = "[\\w.$~%+-]*";

    /** One whose rest is a pattern, in which case makes no difference. */
    public UrlForm(String start, String rest, UrlOptions options, String example) {
        this(start, Pattern.compile(rest, Pattern.CASE_INSENSITIVE), options, example);
    }
}
