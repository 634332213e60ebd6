package siemload.event;

import com.fasterxml.jackson.core.JsonProcessingException;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What is wrong with a text of JSON, without the names of the parser's classes, features and sources. Stateless and thread-safe. */
public final class JsonFault {
    private static final Pattern SOURCE =
            Pattern.compile(" \\((?:start marker at|for \\w+ starting at|through reference) .*", Pattern.DOTALL);
    private static final Pattern CHARACTER =
            Pattern.compile("\\('?(.|CTRL-CHAR|NULL)'?(?:,| \\() ?code (\\d+)(?: / 0x[0-9a-f]+)?\\)*");
    private static final Pattern TYPE = Pattern.compile("`?(?:[a-z_]\\w*\\.)+(?:\\w+\\$)?(\\w+)[^`']*`?");
    private static final Map<String, String> NAMES =
            Map.of("Object", "an object", "Array", "an array", "FIELD_NAME", "a name", "VALUE_STRING", "a string");

    /** What begins a message of the parser, and what is said instead; {@code $1} is what stands behind it. */
    private static final List<Map.Entry<Pattern, String>> WORDS = """
            Unexpected end-of-input: expected close marker for (\\w+).* => ends within $1, which is not closed
            Unexpected end-of-input: was expecting closing quote .* => ends within a string
            Unexpected end-of-input in (?:field name|FIELD_NAME).* => ends within a name
            Unexpected end-of-input (?:in|within/between) (\\w+).* => ends within $1
            Unexpected end-of-input.*|No content to map due to end-of-input.* => ends early
            Unexpected close marker '(.)': expected '(.)'.* => '$1' stands where '$2' was expected
            Unrecognized token '(.*?)': was expecting.* => '$1' is no value (needed: a string in quotes, a number, an object, an array, true, false or null)
            Non-standard token '(.*?)'.* => '$1' is no value
            Duplicate field '(.*?)'.* => the name '$1' stands twice
            Trailing token .* => something stands behind the end of the value
            Numeric value \\((.*?)\\) out of range.* => the number $1 is too large
            Document nesting depth \\((\\d+)\\) exceeds the maximum allowed \\((\\d+).* => is nested deeper than $2 levels
            (?:String value|Number value|Name|Document) length \\((\\d+)\\) exceeds the maximum allowed \\((\\d+).* => a value or a name is longer than $2 characters
            Illegal unquoted character .* => a control character stands in a string (needed: an escape such as \\\\n)
            Cannot (?:deserialize|coerce|construct).*from String "(.*?)".* => '$1' is a text of the wrong kind
            Cannot .*from (Object|Array|Boolean|Integer|Floating-point|Null) value.* => holds $1 where something else was expected
            Cannot .*problem: (.*) => $1
            Missing required .* => something is missing in it
            """.lines()
            .map(line -> line.split(" => "))
            .map(said -> Map.entry(Pattern.compile(said[0], Pattern.DOTALL), said[1]))
            .toList();

    private JsonFault() {}

    /** In words; where, the exception's location says. */
    public static String words(JsonProcessingException fault) {
        String message = fault.getOriginalMessage() == null ? "" : fault.getOriginalMessage();
        for (Map.Entry<Pattern, String> said : WORDS) {
            Matcher matcher = said.getKey().matcher(message);
            if (matcher.matches()) {
                return named(matcher.replaceAll(said.getValue()));
            }
        }
        String line = SOURCE.matcher(message.lines().findFirst().orElse("")).replaceAll("");
        String plain = CHARACTER
                .matcher(line)
                .replaceAll(found -> Matcher.quoteReplacement(
                        found.group(1).length() == 1 ? "'" + found.group(1) + "'" : "of the code " + found.group(2)));
        return plain.contains("`") || TYPE.matcher(plain).find() || plain.isEmpty()
                ? "is not of the expected form"
                : lower(plain);
    }

    private static String named(String words) {
        String named = words;
        for (Map.Entry<String, String> name : NAMES.entrySet()) {
            named = named.replaceFirst("^(ends within|holds) " + name.getKey() + "\\b", "$1 " + name.getValue());
        }
        return named.lines().findFirst().orElse("");
    }

    private static String lower(String text) {
        return Character.toLowerCase(text.charAt(0)) + text.substring(1);
    }
}
