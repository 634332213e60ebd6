package siemload.event;

import com.fasterxml.jackson.core.JsonProcessingException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Describes faults in JSON without the names of the parser's classes, features and sources. Stateless and thread-safe. */
public final class JsonFault {
    /** The parser's message about a Java record that refused its values; the group holds the record's own words. */
    private static final Pattern PROBLEM = Pattern.compile(".*, problem: ([^\n]*).*", Pattern.DOTALL);
    /** The parts of a message to remove: the position, the class and parser features. */
    private static final Pattern INTERNAL = Pattern.compile(
            "(?: \\((?:start marker at|for \\w+ starting at|through reference|of type)|\n|: [^:\n]*`).*",
            Pattern.DOTALL);

    private static final Pattern CHARACTER =
            Pattern.compile("\\(+'?(.|CTRL-CHAR|NULL)'?(?:,| \\() ?code (\\d+)(?: / 0x[0-9a-f]+)?\\)*");
    private static final Pattern TYPE = Pattern.compile("`|(?:[a-z_]\\w*\\.){2}");

    private JsonFault() {}

    /** Returns the fault in words, without the position, which the exception's location has. */
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
