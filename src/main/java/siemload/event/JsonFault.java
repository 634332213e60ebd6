package siemload.event;

import com.fasterxml.jackson.core.JsonProcessingException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What is wrong with a text of JSON, without the names of the parser's classes, features and sources. Stateless and thread-safe. */
public final class JsonFault {
    /** The start of a message about a record that refused its values, followed by its own words. */
    private static final Pattern PROBLEM = Pattern.compile(".*, problem: ([^\n]*).*", Pattern.DOTALL);
    /** The position, the class and parser features. */
    private static final Pattern INTERNAL = Pattern.compile(
            "(?: \\((?:start marker at|for \\w+ starting at|through reference|of type)|\n|: [^:\n]*`).*",
            Pattern.DOTALL);

    private static final Pattern CHARACTER =
            Pattern.compile("\\('?(.|CTRL-CHAR|NULL)'?(?:,| \\() ?code (\\d+)(?: / 0x[0-9a-f]+)?\\)*");
    private static final Pattern TYPE = Pattern.compile("`|(?:[a-z_]\\w*\\.){2}");

    private JsonFault() {}

    /** In words; the exception's location has the place. */
    public static String words(JsonProcessingException fault) {
        String message = fault.getOriginalMessage() == null ? "" : fault.getOriginalMessage();
        Matcher problem = PROBLEM.matcher(message);
        if (problem.matches()) {
            return problem.group(1);
        }
        String plain = CHARACTER
                .matcher(INTERNAL.matcher(message).replaceAll("").replaceAll("`(\\w+)`", "$1"))
                .replaceAll(found -> Matcher.quoteReplacement(
                        found.group(1).length() == 1 ? "'" + found.group(1) + "'" : "of the code " + found.group(2)));
        return plain.isEmpty() || TYPE.matcher(plain).find()
                ? "is not of the expected form"
                : Character.toLowerCase(plain.charAt(0)) + plain.substring(1);
    }
}
