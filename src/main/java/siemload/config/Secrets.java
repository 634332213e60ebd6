package siemload.config;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Hides secrets in results, reports, logs and messages: the password of this process, and every text that looks like a secret. All text
 * that is written passes through this class. Thread-safe.
 */
public final class Secrets {
    private static final String MASK = "***";

    /** Hidden values have at least this many characters: shorter ones, and plain words, often occur where they are no passwords. */
    private static final int SHORTEST_KNOWN = 6;

    private static final Pattern PLAIN_WORD = Pattern.compile("[a-z]+|[A-Z]+|[A-Z][a-z]+|\\d+");

    private static final String WORD = "pass(?:word|wd|phrase|code)?|pwd|secret|token|credentials?|api[-_.]?key"
            + "|(?:private|access|account|secret|signing|encryption)[-_.]?key|authorization";

    /** A number of passes of a procedure, which is not a password. */
    private static final String COUNTED_PASS = "pass[\"']?\\s{0,5}[=:]\\s{0,5}[\"']?\\d{1,4}\\b";

    /** A word for a secret that ends a part of a name ({@code AWS_SECRET_ACCESS_KEY}, {@code dbPassword}, but not {@code passes}). */
    private static final String TELLING = "(?:password|passwd|passphrase|(?<![a-z])(?!" + COUNTED_PASS + ")(?:" + WORD
            + ")|(?-i:(?<=[a-z])(?:Pass(?:word|phrase)?|Pwd|Secret|Token|Key)))"
            + "(?![a-z])(?![-_.]?(?:file|path|encryption)(?:\\b|_))";

    private static final Pattern TELLING_KEY = Pattern.compile("(?i)" + TELLING + "(?=[-_.\\d]|$)");

    private static final String VALUE = "(?:\\\\?\"[^\"\\n]{0,500}\"?|'[^'\\n]{0,500}'?|[^\\s&;,\"'<>)}\\]]{1,500})";

    private static final String PROGRAMS = Stream.concat(
                    Stream.of("sshpass", "mysql", "mysqldump", "redis-cli"),
                    DatabaseNotation.all().stream().flatMap(notation -> notation.programsWithPasswords().stream()))
            .collect(Collectors.joining("|"));

    /** The patterns of secrets. Each repetition in a pattern is bounded, so that the time is linear in the length of a line. */
    private static final Map<Pattern, String> FORMS = new LinkedHashMap<>();

    static {
        DatabaseNotation.all()
                .forEach(notation ->
                        notation.secretForms().forEach((form, shown) -> FORMS.put(Pattern.compile(form), shown)));
        hide("()-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----(?s:.){0,10000}?(?:-----END [A-Z ]{0,30}PRIVATE KEY-----|$)");
        hide("(//)[^/?#@\\s\"'<>]{0,100}:(?!\\d{1,5}(?:[/,?\\s]|$))[^\\s\"'<>]{0,200}(?=@)");
        hide("(?i)(\\b(?:" + PROGRAMS + ")\\b[^\\n|;&]{0,200}?\\s-(?-i:[pa])\\s?)(?!\\d{1,5}\\b)" + VALUE);
        hide("(?i)(\\b(?:curl|wget)\\b[^\\n|;&]{0,200}?\\s(?:-u|--user|--proxy-user)[\\s=]{1,5}[^\\s:]{1,100}:)"
                + VALUE);
        hide("(?i)((?<=^|\\s)--?(?:" + WORD + ")\\s{1,5})(?![=:])" + VALUE);
        hide("(?i)(\\bIDENTIFIED\\s{1,5}BY\\s{1,5})(?:\"[^\"]{1,300}\"|[^\\s;,]{1,300})");
        hide("(?i)(\\bPASSWORD\\s{1,5})'[^']{1,300}'");
        hide("(?i)(<(?:\\w{1,30}:)?(?:" + WORD + ")>)[^<]{1,500}");
        hide("(?i)(\\b(?:Bearer|Basic)\\s{1,5})[\\w.~+/-]{8,2000}={0,2}");
        hide("()\\b(?:(?:AKIA|ASIA)[A-Z0-9]{16}\\b|gh[pousr]_\\w{20,100}|glpat-[\\w-]{20,100}"
                + "|eyJ[\\w-]{10,2000}\\.[\\w-]{10,4000}\\.[\\w-]{0,2000})");
        // Hides a command or a connection string in a line, up to the next parameter.
        hide("(?i)(\\b\\w{0,60}(?:_command|conninfo)\\s{0,5}[=:]\\s{0,5})[^,\\n]{1,2000}");
        hide("(?i)(" + TELLING + "[-\\w.]{0,60}[\"']?\\s{0,5}(?:=>|[=:])\\s{0,5}(?:(?:Bearer|Basic)\\s{1,5})?)"
                + VALUE);
    }

    private static final Set<String> KNOWN = ConcurrentHashMap.newKeySet();

    private Secrets() {}

    /** @param form a pattern whose first group is shown; the rest of each match is hidden */
    private static void hide(String form) {
        FORMS.put(Pattern.compile(form), "$1***");
    }

    /** Hides this value from now on wherever it occurs, unless the value is too short or a plain word. */
    public static void know(String secret) {
        if (secret.length() >= SHORTEST_KNOWN && !PLAIN_WORD.matcher(secret).matches()) {
            KNOWN.add(secret);
        }
    }

    /** Returns the value of this key with its secrets hidden. */
    public static String masked(String key, String value) {
        boolean counted = (key + "=" + value).matches(COUNTED_PASS);
        return TELLING_KEY.matcher(key).find() && !counted && !value.isEmpty() ? MASK : masked(value);
    }

    /** Returns a text with its secrets hidden. */
    public static String masked(String text) {
        String masked = text;
        for (String secret : KNOWN) {
            masked = masked.replace(secret, MASK);
        }
        for (Map.Entry<Pattern, String> form : FORMS.entrySet()) {
            masked = form.getKey().matcher(masked).replaceAll(form.getValue());
        }
        return masked;
    }
}
